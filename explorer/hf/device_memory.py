"""What torch takes of a device's memory, and its work that is still going on there."""

import sys
from typing import Any


def free_memory(device: str) -> int:
    """Bytes that can be had on a device, as a model's stamp names it.

    An Apple GPU has the machine's own memory.
    """
    if device.startswith("cuda"):
        import torch

        free, _ = torch.cuda.mem_get_info(device)
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(free) + int(kept)
    import psutil

    return int(psutil.virtual_memory().available)


def give_back() -> None:
    """Give what torch keeps of every device's memory for later back; other programs need it too.

    Without torch, which is not imported for this, there is nothing to give.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()


def wait_for(device: str) -> None:
    """Wait until a device has done all that it was given, which it does in its own time."""
    if device == "cpu":
        return
    import torch

    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
    elif device.startswith("mps"):
        torch.mps.synchronize()
