"""One setup at a time: a second start waits for the first."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def setup_lock(path: Path) -> Iterator[int]:
    """Hold a lock file, which stays; the system lets go of it when the process ends.

    Yields:
        The file descriptor, to hand to a child that must keep the lock if this process dies.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _lock(descriptor, wait=False):
            sys.stderr.write("Another start is setting up the environment; waiting for it.\n")
            sys.stderr.flush()
            while not _lock(descriptor, wait=True):
                pass
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            # LK_LOCK tries for ten seconds and then gives up: the caller tries again.
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        if os.name != "nt" and not isinstance(error, BlockingIOError):
            raise  # a file system without locks says so, and is not waited for
        return False
    return True
