"""Whether there is memory for a checkpoint, asked before anything of it is read.

A load that runs out of memory half-way may fail anywhere in the libraries, and not all of them get
over it: Python itself waits for ever for a thread that had no memory to begin with.
"""

from math import prod
from typing import Any

from explorer.api import Files, MachineFault
from explorer.hf.loading.devices import FLOATS
from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely

AROUND = 32_000_000
"""Bytes for what a load needs besides numbers: its thread's stack, the tokenizer, the modules."""


def refuse_without_room(files: Files, device: str, dtype: Any) -> None:
    """Refuse a checkpoint for which there is not enough memory.

    Args:
        files: The checkpoint.
        device: Where its weights will be.
        dtype: The torch number type they will have.

    Raises:
        MachineFault: There is not.
    """
    numbers = _numbers(files, dtype) if device == "cpu" else 0
    # What is mapped from a file can be dropped again, but takes addresses meanwhile.
    kept = AROUND + numbers + (files.size_bytes if files.pickled else 0)
    addressed = AROUND + numbers + files.size_bytes
    for needed, free in ((kept, _machine()), (addressed, addresses_left())):
        if free is not None and needed > free:
            raise MachineFault(
                N_(
                    "There is not enough memory for {name}: it takes {needed}, and {free} are free."
                ),
                N_("Unload another model, or choose a smaller checkpoint."),
                name=files.name,
                needed=bytes_precisely(needed),
                free=bytes_precisely(free),
            )


def addresses_left() -> int | None:
    """Bytes that this process may still address; None where nothing limits it (ulimit -v)."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return None
    import psutil

    limit, _ = getrlimit(RLIMIT_AS)
    if limit == RLIM_INFINITY:
        return None
    return max(0, limit - int(psutil.Process().memory_info().vms))


def _machine() -> int:
    """Bytes that the machine can give, with what it can put on its disk."""
    import psutil

    return int(psutil.virtual_memory().available) + int(psutil.swap_memory().free)


def _numbers(files: Files, dtype: Any) -> int:
    """Bytes of a checkpoint's weights in a number type."""
    if not files.tensors:
        return files.size_bytes
    return sum(
        prod(tensor.shape) * int(dtype.itemsize)
        for tensor in files.tensors.values()
        if tensor.dtype in FLOATS
    )
