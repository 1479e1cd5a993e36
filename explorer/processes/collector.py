"""Python's collector of garbage, kept from what stays to the end."""

import contextlib
import gc
import itertools
import threading
from collections.abc import Iterator

_lock = threading.Lock()
_resting: set[int] = set()
_numbers = itertools.count()


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
