"""Sentences in blocks: what is answered together, and given to one process.

What is answered together shares passes through the model, and the last bits of a number depend on
what it was worked out with. So blocks follow from the file and the model alone, and not from how
quick a machine is: whoever answers them, and wherever a run was stopped, the rows are the same.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.files_of_sentences.sentences import FileSentence

GROWTH = (1, 32, 256)
"""Sentences of the first block, the second, and any other, at most: the first row is soon there,
and whoever estimates what is left knows something of the lengths."""

CHARACTERS = 100_000
"""Of the sentences of a block together."""

WORK = 3e11
"""Multiplications and additions of a block: about two seconds of two cores. Others who ask
something meanwhile wait for the end of a block."""

ON_A_GPU = 50
"""How many times as many there."""

CHARACTERS_A_TOKEN = 4

LOOK_EVERY = 0.05
"""Seconds between two looks whether somebody cancelled, or waits."""


@dataclass(frozen=True)
class SentenceBlock:
    """Some sentences that follow each other.

    Attributes:
        first: The place of the first one in the file, from 0.
        sentences: The sentences.
    """

    first: int
    sentences: tuple[FileSentence, ...]

    def after(self, count: int) -> "SentenceBlock":
        """The same without its first sentences."""
        return SentenceBlock(self.first + count, self.sentences[count:])


def blocks(
    every: Iterator[FileSentence], done: int, models: Mapping[str, Any]
) -> Iterator[SentenceBlock]:
    """The sentences of a file that have no row yet.

    Args:
        every: All that are to have one, from the file's first on.
        done: How many have one already.
        models: Who takes part, by role.
    """
    weights = sum(map(_weights, models.values()))
    first, some, characters, work = 0, list[FileSentence](), 0, 0.0
    number = 0
    for sentence in every:
        size = len(sentence.text) + len(sentence.pair or "")
        effort = 2.0 * weights * (size / CHARACTERS_A_TOKEN + 2) ** 2
        full = (
            len(some) >= GROWTH[min(number, len(GROWTH) - 1)]
            or characters + size > CHARACTERS
            or work + effort > WORK
        )
        if some and full:
            yield from _left(SentenceBlock(first, tuple(some)), done)
            first += len(some)
            some, characters, work, number = [], 0, 0.0, number + 1
        some.append(sentence)
        characters += size
        work += effort
    yield from _left(SentenceBlock(first, tuple(some)), done)


def _left(block: SentenceBlock, done: int) -> Iterator[SentenceBlock]:
    left = block.after(max(0, done - block.first))
    if left.sentences:
        yield left


def _weights(model: Any) -> float:
    """Numbers of a model, of which a GPU gets through more in the same time."""
    parameters = getattr(getattr(model, "module", None), "parameters", None)
    count = 0 if parameters is None else sum(int(one.numel()) for one in parameters())
    return count if on_cpu(model) else count / ON_A_GPU


def on_cpu(model: Any) -> bool:
    """Whether a model is not on a GPU."""
    return str(model.stamp.device) == "cpu"


class Pending:
    """Blocks that nobody has answered yet; each is given to whoever asks first."""

    def __init__(self, every: Iterator[SentenceBlock]) -> None:
        self._every = every
        self._back: list[SentenceBlock] = []
        self._taken = 0
        self._read_out = False
        self._problem: Exception | None = None
        self._closed = False
        self._changed = threading.Condition()

    def take(self) -> SentenceBlock | None:
        """The next block; None where there is none now.

        Raises:
            UserMistake: The file can't be read on.
        """
        with self._changed:
            return self._next()

    def wait_for_one(self, room: "threading.Event") -> SentenceBlock | None:
        """The next block, once there is one; None where all is done.

        Args:
            room: Set where more may be answered.

        Raises:
            UserMistake: The file can't be read on.
        """
        while not self._closed:
            if not room.wait(LOOK_EVERY):
                continue
            with self._changed:
                block = self._next()
                if block is not None or self._all_done():
                    return block
                # Somebody may still give one back.
                self._changed.wait(LOOK_EVERY)
        return None

    def done(self) -> None:
        """A block that was taken is answered."""
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()

    def give_back(self, block: SentenceBlock) -> None:
        """What is left of a block that was taken is for somebody else."""
        with self._changed:
            self._taken -= 1
            if block.sentences:
                self._back.append(block)
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody shall take any more."""
        self._closed = True
        with self._changed:
            self._changed.notify_all()

    @property
    def all_done(self) -> bool:
        """Whether every block was answered."""
        with self._changed:
            return self._all_done()

    def _all_done(self) -> bool:
        return self._read_out and not self._back and not self._taken

    def _next(self) -> SentenceBlock | None:
        if self._closed:
            return None
        if self._problem is not None:
            raise self._problem
        try:
            block = self._back.pop(0) if self._back else next(self._every, None)
        except Exception as error:
            # The file can't be read on; everybody who asks shall know.
            self._problem = error
            raise
        if block is None:
            self._read_out = True
        else:
            self._taken += 1
        return block
