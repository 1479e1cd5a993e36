"""One setup at a time: a second start waits for the first."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def setup_lock(path: Path, on_wait: Callable[[], None]) -> Iterator[int]:
    """Hold a lock file; the system lets go of it when the process ends, however it ends.

    Args:
        path: The lock file; it stays.
        on_wait: Called once when another process holds it.

    Yields:
        The file descriptor, to hand to a child that must keep the lock if this process dies.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _lock(descriptor, wait=False):
            on_wait()
            while not _lock(descriptor, wait=True):
                pass
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    if os.name == "nt":
        import msvcrt

        try:
            # LK_LOCK tries for ten seconds and then gives up: the caller tries again.
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
