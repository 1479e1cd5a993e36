"""Another process that has the models of this one from the start: a copy of it, as Linux makes one.

Nothing is imported or loaded again, and what neither of the two writes is there once. A copy has
one thread alone: what other threads were at is not to be relied on, and OpenMP's do not work in it.
So it answers a sentence first to show that it can, and whoever has none starts a process anew.
"""

import gc
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import FileIO

from explorer.api.question import Context
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.runners.other_process import OtherProcess
from explorer.files_of_sentences.runners.worker import answer_blocks
from explorer.files_of_sentences.sentences import FileSentence
from explorer.processes.beginning import die_with
from explorer.processes.piped import PipedMessages, own_messages

TRIED = FileSentence(1, "a b c")


class _Copied:
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


def can_be_copied(threads: int) -> bool:
    """Whether a copy of this process could answer: on Linux, and with one thread.

    Args:
        threads: Those that it is to have.
    """
    return sys.platform == "linux" and threads == 1


def copied(answering: Answering, context: Context) -> OtherProcess | None:
    """Copy this process, which is doing nothing else; None where the system refuses.

    Args:
        answering: What it is to answer.
        context: Of the models that it has.
    """
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
    here, there = os.pipe(), os.pipe()
    parent = os.getpid()
    try:
        with warnings.catch_warnings():
            # Python warns of other threads, on which nothing here stands.
            warnings.simplefilter("ignore", DeprecationWarning)
            number = os.fork()
    except OSError:
        errors.close()
        for end in (*here, *there):
            os.close(end)
        return None
    if not number:
        own, others = (there[0], here[1]), (here[0], there[1])
        _be_the_copy(parent, own, others, errors.fileno(), answering, context)
    os.close(there[0])
    os.close(here[1])
    messages = PipedMessages(FileIO(here[0], "rb"), FileIO(there[1], "wb"))
    return OtherProcess(_Copied(number), messages, errors)


def _be_the_copy(
    parent: int,
    own: tuple[int, int],
    others: tuple[int, int],
    errors: int,
    answering: Answering,
    context: Context,
) -> None:
    """Answer blocks until nobody wants any, and end without what a process does at its end."""
    try:
        die_with(parent)
        for descriptor, end in zip((0, 1, 2), (*own, errors), strict=True):
            os.dup2(end, descriptor)
        # They would keep the pipes open when the other process has gone.
        for end in others:
            os.close(end)
        _answer(own_messages(), answering, context)
    finally:
        os._exit(0)


def _answer(messages: PipedMessages, answering: Answering, context: Context) -> None:
    import torch

    gc.freeze()
    gc.enable()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)
    alone = replace(
        context,
        is_cancelled=lambda: False,
        progress=Context.progress,
        show=Context.show,
        give_way=Context.give_way,
        elsewhere=None,
        lending=None,
    )

    def steps(sentences: Sequence[FileSentence]) -> Iterator[list[SentenceOutcome]]:
        yield from answering.steps(sentences, alone)

    def load() -> None:
        # Where a GPU gave gradients before, torch gives none in a copy.
        one = torch.ones(1, requires_grad=True)
        torch.autograd.grad(one.sum(), one)
        next(steps((TRIED,)), None)

    answer_blocks(messages, load, steps)
