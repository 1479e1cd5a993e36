"""Another process of this machine that answers sentences, as seen from this one."""

import contextlib
import tempfile
from typing import IO, Any, Protocol

from explorer.files_of_sentences.runners.blocks import SentenceBlock
from explorer.files_of_sentences.runners.messages import (
    Fault,
    RunnerJob,
    RunnerReady,
    receive,
    send,
)
from explorer.processes.piped import PipedMessages, last_line, piped

WORKER = "explorer.files_of_sentences.runners.worker"


class Ended(Protocol):
    """A process that was started, as far as its end goes."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> int:
        """Wait for its end; its status."""


class OtherProcess:
    """A process and the pipes to it.

    Args:
        process: Itself.
        messages: This end of its pipes.
        errors: A file with what it writes beside them, such as the reason of its end.

    Attributes:
        problem: Why it is gone, in a line; "" while nothing is wrong.
    """

    def __init__(self, process: Ended, messages: PipedMessages, errors: IO[bytes]) -> None:
        self._process = process
        self._messages = messages
        self._errors = errors
        self.problem = ""

    def is_ready(self) -> bool:
        """Wait until it has loaded the models; whether it has."""
        message = self.next()
        if isinstance(message, Fault):
            self.problem = str(message.error)
        return isinstance(message, RunnerReady)

    def give(self, block: SentenceBlock) -> None:
        """Let it answer a block."""
        self._send(block)

    def begin(self, job: RunnerJob) -> None:
        """Tell it what is to be done."""
        self._send(job)

    def _send(self, message: object) -> None:
        # If it has gone, that is told by its next message.
        with contextlib.suppress(OSError):
            send(self._messages, message)

    def next(self) -> Any:
        """What it says next; None once it is gone."""
        message = receive(self._messages)
        if message is None:
            self.problem = last_line(self._errors) or f"exit={self._process.wait()}"
        return message

    def kill(self) -> None:
        """End it at once, from any thread."""
        self._process.kill()

    def end(self) -> None:
        """End it, and let go of its pipes."""
        self._process.kill()
        self._process.wait()
        self._messages.close()
        with contextlib.suppress(OSError):
            self._errors.close()


def started(job: RunnerJob) -> OtherProcess | None:
    """Start a process and tell it what is to be done; None where the system refuses one."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
    try:
        process = piped(WORKER, errors, buffering=0, OMP_NUM_THREADS=str(job.threads))
    except OSError:
        errors.close()
        return None
    other = OtherProcess(process, PipedMessages.with_process(process), errors)
    other.begin(job)
    return other
