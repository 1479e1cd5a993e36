"""Python's collector of garbage, kept from what stays to the end."""

import atexit
import contextlib
import gc
import itertools
import threading
from collections.abc import Iterator

_lock = threading.Lock()
_resting: set[int] = set()
_numbers = itertools.count()
SELDOM = (20_000, 20, 50)
"""Objects and collections, as `gc.set_threshold` has them; Python's own first is 700."""


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """No garbage collection meanwhile, and none of what is there at the end ever after.

    Importing makes up to a million objects that all stay. To look through them again and again
    takes a tenth to a fifth of an import's time, and later it holds up every thread: the window
    for as long as several frames last.

    Several may rest at a time, from any thread; the last one wakes the collector.
    """
    with _lock:
        number = next(_numbers)
        _resting.add(number)
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _resting.remove(number)
            gc.freeze()
            if not _resting:
                gc.enable()


def collect_seldom() -> None:
    """Collect garbage seldom from now on, and none at the end: in a process that does one thing.

    Nearly all that a command makes is what it imports, and that stays until it ends. To look
    through it while it grows, and three times more as the interpreter ends, took 1.9 of the 4.8 s
    in which one short sentence was asked.
    """
    gc.set_threshold(*SELDOM)
    end_at_once()


def end_at_once() -> None:
    """Look through nothing for garbage as the interpreter ends: the system takes all of it."""
    # Once, however often it is asked for.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
