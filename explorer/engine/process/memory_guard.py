"""Whether the engine's process is about to take the last of the machine's memory.

Where it does, the system ends some process of its own choice, or writes everything to the disk
until nothing on the machine answers. Looked at from outside it does not matter what takes the
memory: Python, or a library in C or Rust that can't be interrupted.
"""

import sys
from collections.abc import Callable

from explorer.machine.free_memory import left_for_all

SHARE = 8
"""What is left is too little where it is less than this part of what the process holds."""
MOST_LEFT = 1 << 30
"""Bytes that are always enough: within a look and the next one nothing takes more."""
AT_EASE = 4 << 30
"""Bytes beyond which the next look may take its time."""
SOON, LATER = 0.1, 0.5
"""Seconds until the next look."""


class MemoryGuard:
    """Looks at a process, and at what is free.

    Args:
        free: Bytes that can still be had, swap included; None for those of this machine.

    Attributes:
        pause: Seconds until it should look again.
    """

    def __init__(self, free: Callable[[], int] | None = None) -> None:
        self._free = free or _free
        self.pause = SOON

    def look(self, pid: int) -> int | None:
        """Bytes that a process holds, where they leave too little; None where all is well.

        What it only reads from files counts as free: the system drops it when it needs the room.
        """
        import psutil

        try:
            told = psutil.Process(pid).memory_info()
            left = self._free()
        except (psutil.Error, OSError):
            return None  # it has ended
        held = int(told.rss) - int(getattr(told, "shared", 0))
        self.pause = LATER if left > AT_EASE else SOON
        return held if left < min(held // SHARE, MOST_LEFT) else None


def _free() -> int:
    # macOS makes room on its disk as it goes, and asks the user whom to end.
    return sys.maxsize if sys.platform == "darwin" else left_for_all()
