"""A few texts with a number for every token: where something is strongest."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table, column
from explorer.api.tokens import Token
from explorer.text import N_
from explorer.text.pieces import visible


@dataclass(frozen=True)
class ScoredText:
    """A text that is none of the document's.

    Attributes:
        text: It.
        tokens: As the model read it.
        values: A number each, nothing for those that are left as they are.
    """

    text: str
    tokens: tuple[Token, ...]
    values: Sequence[float | None]


@dataclass(frozen=True)
class ScoredTextRow:
    """A token of one of the texts."""

    rank: int = column(N_("rank"), key=True)
    position: int = column(N_("position"), key=True)
    token: str = column(N_("token"), written=visible)
    score: float | None = column(N_("score"), digits=3)


@dataclass(frozen=True)
class ScoredTexts(Part):
    """Texts one below the other, all on one scale of colours.

    Attributes:
        texts: The strongest first.
        name: What the numbers are, for a screen reader; a Phrase or marked for translation.
        is_signed: They go to both sides of nothing.
    """

    texts: tuple[ScoredText, ...]
    name: str
    is_signed: bool = True

    @property
    def highest(self) -> float:
        """The number with the strongest colour."""
        every = [abs(one) for text in self.texts for one in text.values if one is not None]
        return max(every, default=0.0) or 1.0

    def table(self) -> Table:
        """A row a token of each text."""
        return Table.of(
            ScoredTextRow,
            (
                ScoredTextRow(rank, place, token.text, value)
                for rank, one in enumerate(self.texts, start=1)
                for place, (token, value) in enumerate(zip(one.tokens, one.values, strict=True))
            ),
        )
