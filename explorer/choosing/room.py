"""As which numbers a model fits into the memory that is free."""

from collections.abc import Sequence

from explorer.api.family.checkpoint import Checkpoint
from explorer.text import N_

ON_THE_DISK = N_("layers on the disk")


def fitting(checkpoint: Checkpoint, free: int) -> Sequence[str]:
    """Number types for whose weights there is room, the widest first; marked for translation.

    Args:
        checkpoint: Any that is known.
        free: Bytes that can be had.
    """
    by_size = sorted(checkpoint.weights_bytes.items(), key=lambda one: -one[1])
    found = [dtype for dtype, size in by_size if size <= free]
    if checkpoint.offloaded_bytes is not None and checkpoint.offloaded_bytes <= free:
        found.append(ON_THE_DISK)
    return found
