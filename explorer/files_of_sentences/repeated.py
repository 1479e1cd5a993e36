"""Sentences that a file has more than once: asked once, with a row each time."""

import array
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from explorer.api.question import Cell
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.rows import FAILURE, NUMBER, PAIR, TEXT, ResultsReader
from explorer.files_of_sentences.sentences import FileSentence


@dataclass
class Repeats:
    """Which sentences of a file are the same question, in the order in which they first come.

    Attributes:
        whose: Of every sentence, the number of the question that it is, from 0.
        first: Of every question, the place of the first sentence that is it.
        again: The questions that come more than once.
    """

    whose: "array.array[int]" = field(default_factory=lambda: array.array("l"))
    first: "array.array[int]" = field(default_factory=lambda: array.array("l"))
    again: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, every: Iterable[FileSentence], *, apart: bool) -> "Repeats":
        """Look through the sentences of a file.

        Args:
            every: In their order.
            apart: Every sentence is a question of its own, for its line belongs to it.
        """
        found = cls()
        known: dict[tuple[str, str | None, str | None], int] = {}
        for place, one in enumerate(every):
            question = len(found.first)
            if not apart:
                question = known.setdefault((one.text, one.pair, one.expected), question)
            if question == len(found.first):
                found.first.append(place)
            else:
                found.again.add(question)
            found.whose.append(question)
        return found

    def asked(self, rows: int) -> int:
        """How many questions the first rows answer."""
        return max(self.whose[:rows]) + 1 if rows else 0

    def once(self, every: Iterable[FileSentence]) -> Iterator[FileSentence]:
        """The sentences of the file that are asked about."""
        firsts = iter(self.first)
        following = next(firsts, None)
        for place, one in enumerate(every):
            if place == following:
                following = next(firsts, None)
                yield one


class RowsOfAll:
    """Makes rows of all sentences of the answers to each question, as soon as they can be.

    Args:
        repeats: Which sentences are the same question.
        every: All sentences, in their order.
        done: How many have a row already.
        reader: Reads these.
    """

    def __init__(
        self,
        repeats: Repeats,
        every: Iterable[FileSentence],
        done: int,
        reader: ResultsReader,
    ) -> None:
        self._repeats, self._reader = repeats, reader
        self._left = itertools.islice(enumerate(every), done, len(repeats.whose))
        self._known: dict[int, SentenceOutcome] = {}
        self._asked = repeats.asked(done)
        self._before = self._asked
        self._next: tuple[int, FileSentence] | None = next(self._left, None)

    def add(self, outcomes: Iterable[SentenceOutcome]) -> Iterator[SentenceOutcome]:
        """The rows that answers make, and those that are older answers once more.

        Args:
            outcomes: Of the next questions, in their order.
        """
        for outcome in outcomes:
            self._known[self._asked] = outcome
            self._asked += 1
            yield from self._ready()
            if self._asked - 1 not in self._repeats.again:
                self._known.pop(self._asked - 1, None)
        yield from self._ready()

    def _ready(self) -> Iterator[SentenceOutcome]:
        while self._next is not None:
            place, sentence = self._next
            question = self._repeats.whose[place]
            if question >= self._asked:
                return
            outcome = self._known.get(question) or self._read(question)
            yield SentenceOutcome(sentence, outcome.cells, outcome.failure)
            self._next = next(self._left, None)

    def _read(self, question: int) -> SentenceOutcome:
        """An answer that was written by an earlier run."""
        # SQLite counts rows from 1.
        (row,) = self._reader.rows([self._repeats.first[question] + 1])
        cells: dict[str, Cell] = dict(zip(self._reader.columns, row, strict=True))
        fixed = {NUMBER, TEXT, PAIR, FAILURE, *self._reader.kept_columns}
        own = {n: cell for n, cell in cells.items() if n not in fixed and cell is not None}
        failure = cells[FAILURE]
        sentence = FileSentence(int(str(cells[NUMBER])), str(cells[TEXT]))
        found = SentenceOutcome(sentence, own, failure if isinstance(failure, str) else None)
        self._known[question] = found
        return found
