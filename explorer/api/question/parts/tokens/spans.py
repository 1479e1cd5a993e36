"""Spans of a text with a score each, the best first; that there is none can be one of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question.headline import Headline
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import Cell, Table, column
from explorer.api.question.standing_out import FLAT, beyond, lead
from explorer.api.tokens import Token
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.printable import shortened

NONE = N_("no answer")


@dataclass(frozen=True)
class Span:
    """A span, or that there is none.

    Attributes:
        text: As the text has it; "" for none.
        start: Its first character.
        end: One past its last.
        score: The probability of its start times that of its end, in its window; the sum over all
            spans that read the same.
        first: Number of its first token; None where it stands nowhere.
        last: That of its last token.
        window: Number of the window that gave it, where the text was read in several.
        spans: How many spans read the same.
    """

    text: str
    start: int
    end: int
    score: float
    first: int | None = None
    last: int | None = None
    window: int | None = None
    spans: int = 1

    @property
    def name(self) -> str:
        """As a sentence has it."""
        return shortened(self.text) if self.text else Phrase(NONE)


@dataclass(frozen=True)
class SpanRow:
    """A span of the text, or that there is none."""

    rank: int = column(N_("rank"))
    answer: str = column(N_("answer"), key=True)
    score: float = column(N_("probability"), written=in_digits)
    start: int = column(N_("first character"), compared=False)
    end: int = column(N_("one past the last"), compared=False)
    window: int | None = column(N_("window"), compared=False)


@dataclass(frozen=True)
class Spans(Part):
    """The best spans of a text.

    Attributes:
        tokens: The text's own, from which spans count theirs.
        spans: The best first.
        windows: In how many parts the text was read; 0 where the spans were not looked for in it,
            and have no rows on the page.
        drawn: The first of its tokens that is drawn and one past the last, of a very long text;
            None for all.
    """

    TITLES: ClassVar[Mapping[str, str]] = {
        "answer": N_("answer"),
        "score": N_("score"),
        "start": N_("start"),
        "end": N_("end"),
    }

    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    windows: int = 1
    drawn: tuple[int, int] | None = None

    def table(self) -> Table:
        """One row a span."""
        rows = (
            SpanRow(rank, one.text, one.score, one.start, one.end, one.window)
            for rank, one in enumerate(self.spans, start=1)
        )
        return Table.of(SpanRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """The first one."""
        if not self.spans:
            return {"answer": "", "score": None, "start": None, "end": None}
        first = self.spans[0]
        return {
            "answer": first.text,
            "score": first.score,
            "start": first.start,
            "end": first.end,
        }

    def headline(self) -> Headline:
        """How far the first is ahead; its tokens are the text's, and no places in the input."""
        ranked = sorted(self.spans, key=lambda one: -one.score)
        if not ranked:
            return SILENT
        sentence = lead([(one.name, one.score) for one in ranked])
        return Headline(sentence, strength=beyond(ranked[0].score, FLAT, 1.0))
