"""A copy of this process, as Linux makes one, that is told something and answers, through pipes.

It has one thread alone: what other threads were at is not to be relied on, and OpenMP's do not work
in it. What neither of the two writes is in memory once.
"""

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable
from io import FileIO
from typing import IO

from explorer.processes.beginning import die_with
from explorer.processes.collector import collector_at_rest
from explorer.processes.piped import PipedMessages, own_messages


class CopiedProcess:
    """A copy of this process, as far as its end goes.

    Args:
        number: Of the process.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._status: int | None = None

    def kill(self) -> None:
        """End it at once."""
        if self._status is None:
            os.kill(self._number, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end; the status, less than 0 for a signal."""
        if self._status is None:
            _number, status = os.waitpid(self._number, 0)
            self._status = os.waitstatus_to_exitcode(status)
        return self._status


def can_be_copied() -> bool:
    """Whether the system makes copies of a process on which one can rely."""
    return sys.platform == "linux"


def copied(
    work: Callable[[PipedMessages], None], errors: IO[bytes]
) -> tuple[CopiedProcess, PipedMessages] | None:
    """Copy this process, which is doing nothing else; it ends with the thread that is in here.

    Args:
        work: What the copy does; then it ends.
        errors: A file for what it writes beside its messages.

    Returns:
        The copy and this end of its pipes; None where the system refuses one.
    """
    here, there = os.pipe(), os.pipe()
    parent = os.getpid()
    try:
        # What is there already stays, and stays common to both as long as nobody looks through it.
        with collector_at_rest(), warnings.catch_warnings():
            # Python warns of other threads, on which nothing here stands.
            warnings.simplefilter("ignore", DeprecationWarning)
            number = os.fork()
            if not number:
                _be_the_copy(
                    parent, (there[0], here[1], errors.fileno()), (here[0], there[1]), work
                )
    except OSError:
        for end in (*here, *there):
            os.close(end)
        return None
    os.close(there[0])
    os.close(here[1])
    return CopiedProcess(number), PipedMessages(FileIO(here[0], "rb"), FileIO(there[1], "wb"))


def _be_the_copy(
    parent: int,
    own: tuple[int, int, int],
    others: tuple[int, int],
    work: Callable[[PipedMessages], None],
) -> None:
    """Work, and end without what a process does at its end: that is the other one's."""
    try:
        die_with(parent)
        for descriptor, end in enumerate(own):
            os.dup2(end, descriptor)
        # They would keep the pipes open when the other process has gone.
        for end in others:
            os.close(end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()
        gc.enable()
        work(own_messages())
    finally:
        os._exit(0)
