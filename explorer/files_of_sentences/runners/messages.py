"""What goes between this process and one that helps it, pickled."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.worker_context import WorkerContext
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.processes.piped import PipedMessages


@dataclass(frozen=True)
class RunnerJob:
    """What a process is to answer: the first message to it.

    Attributes:
        elsewhere: How it comes to the models.
        operation: Whose question it is.
        template: The question as JSON, its text empty.
        threads: Its share of them.
    """

    elsewhere: WorkerContext
    operation: str
    template: str
    threads: int


@dataclass(frozen=True)
class RunnerReady:
    """The models are loaded, and are the same."""


@dataclass(frozen=True)
class BlockRows:
    """What came of the next sentences of a block."""

    outcomes: Sequence[SentenceOutcome]


@dataclass(frozen=True)
class Done:
    """A block is answered."""


@dataclass(frozen=True)
class Fault:
    """What the next sentence would meet as well."""

    error: Exception


def send(messages: PipedMessages, message: object) -> None:
    """Write a message.

    Raises:
        OSError: Nobody is at the other end.
    """
    messages.write(pickle.dumps(message, protocol=5))


def receive(messages: PipedMessages) -> Any:
    """The next message; None where no whole one comes any more."""
    try:
        return pickle.loads(messages.read())  # noqa: S301 - of the other end of the pipe alone
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
