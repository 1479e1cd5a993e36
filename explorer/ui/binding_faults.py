"""Works around a fault of PySide6 that would end the program.

PySide6 6.12.0 returns None, True and False without counting the reference: its binary wheels are
built as for Python 3.12 and later, where these are immortal, and say that they run from 3.10 on.
On an older Python every call of a Qt method that returns nothing takes one reference of None
away, and after some thousand the interpreter stops with "none_dealloc: deallocating None".
"""

import ctypes
import sys

FIRST_AFFECTED = (6, 12)
PLENTY = 1 << 40
"""References that no session uses up: at a million lost a second they last twelve days."""
SINGLETONS = (None, True, False, NotImplemented, Ellipsis)


def is_affected(binding: str, python: tuple[int, ...]) -> bool:
    """Whether a version of PySide6 on a version of Python loses references."""
    numbers = tuple(int(number) for number in binding.split(".")[:2])
    return python < (3, 12) and numbers >= FIRST_AFFECTED


def keep_singletons_alive() -> None:
    """Give None and its like references to lose; more than once does no harm."""
    import PySide6

    if is_affected(PySide6.__version__, tuple(sys.version_info[:2])):
        for singleton in SINGLETONS:
            # In CPython before 3.12 an object begins with its count.
            count = ctypes.c_ssize_t.from_address(id(singleton))
            if count.value < PLENTY:
                count.value += PLENTY
