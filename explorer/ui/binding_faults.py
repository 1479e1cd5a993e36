"""Works around a fault of PySide6 that would end the program.

PySide6 6.12.0 returns None without counting the reference: its binary wheels are built for
Python 3.12 and later, where None is immortal, and say that they run from 3.10 on. On an older
Python every call of a Qt method that returns nothing takes one reference of None away, and after
some thousand the interpreter stops with "none_dealloc: deallocating None".
"""

import ctypes
import sys

FIRST_AFFECTED = (6, 12)
PLENTY = 1 << 40
"""References that no session uses up: at a million lost a second they last twelve days."""


def is_affected(binding: str, python: tuple[int, ...]) -> bool:
    """Whether a version of PySide6 on a version of Python loses references of None."""
    numbers = tuple(int(number) for number in binding.split(".")[:2])
    return python < (3, 12) and numbers >= FIRST_AFFECTED


def keep_none_alive() -> None:
    """Give None references to lose; once is enough for a process."""
    import PySide6

    if is_affected(PySide6.__version__, tuple(sys.version_info[:2])):
        # In CPython before 3.12 an object begins with its count.
        count = ctypes.c_ssize_t.from_address(id(None))
        if count.value < PLENTY:
            count.value += PLENTY
