"""What torch takes of a device's memory, and its work that is still going on there."""

import sys
from typing import Any

from explorer.machine.free_memory import free_memory as memory_of_the_machine


def free_memory(device: str, *, with_swap: bool = False) -> int:
    """Bytes that can be had on a device.

    An Apple GPU has the machine's own memory.

    Args:
        device: Where a model is computed: "cpu", "cuda:0".
        with_swap: Also those for which the system puts other memory on its disk.
    """
    if device.startswith("cuda"):
        import torch

        free, _ = torch.cuda.mem_get_info(device)
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(free) + int(kept)
    return memory_of_the_machine(with_swap=with_swap)


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
