"""What a runner is, and the one that answers in this process."""

from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

from explorer.api.question import Context
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.runners.blocks import Pending, SentenceBlock

Row = tuple[int, SentenceOutcome]
"""A sentence's place in the file, from 0, and what came of it."""


class SentenceRunner(Protocol):
    """Answers sentences; who writes down what comes of them is another."""

    def rows(self, pending: Pending, context: Context) -> Generator[Sequence[Row], None, None]:
        """Every pending sentence's row, once, in any order.

        Between two of what it gives nothing is half done: others may be answered there, and the
        run may be left. What it gives may be empty.

        Raises:
            Cancelled: The run was cancelled.
            ExplorerError: What the next sentence would meet as well.
        """


class Here:
    """Answers one block after the other in this process."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def rows(self, pending: Pending, context: Context) -> Generator[Sequence[Row], None, None]:
        """Every pending sentence's row, in order."""
        while (block := pending.take()) is not None:
            yield from rows_of(self._answering, block, context)
            pending.done()


def rows_of(answering: Answering, block: SentenceBlock, context: Context) -> Iterator[list[Row]]:
    """The rows of a block, as many at a time as are answered together."""
    place = block.first
    for some in answering.steps(block.sentences, context):
        yield [*enumerate(some, start=place)]
        place += len(some)
