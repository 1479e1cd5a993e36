"""A number for every token, or for words of several: what each adds, how probable each is."""

import math
from dataclasses import dataclass

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import TOKENS, Table, column
from explorer.api.tokens import Token
from explorer.text import N_
from explorer.text.pieces import visible

MOST_DIGITS = 6
"""After the point."""


@dataclass(frozen=True)
class Score:
    """The number of a token, or of a word of several.

    Attributes:
        position: Of the token, or of the first one of the word.
        value: The number.
        error: Its standard error; None for none.
        rest: Positions of the word's other tokens.
        word: The word, where it has several tokens.
        gesture: What choosing it does; None for nothing.
        words: What more its tooltip says, a Phrase or marked for translation.
    """

    position: int
    value: float
    error: float | None = None
    rest: tuple[int, ...] = ()
    word: str = ""
    gesture: Gesture | None = None
    words: str = ""


@dataclass(frozen=True)
class ScoreRow:
    """A token, or a word of several, with its number."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible, compared=False)
    score: float = column(N_("score"), digits=3)
    error: float | None = column(N_("error"), digits=3)


@dataclass(frozen=True)
class Scores(Part):
    """Numbers of tokens.

    Attributes:
        tokens: The input as the model saw it; what has no score stays as it is.
        scores: In reading order.
        name: What they are, for a screen reader; a Phrase or marked for translation.
        high: The number with the strongest colour; 0 for the largest of these.
        is_signed: They go to both sides of nothing.
        asked: The position that they are about; None for none.
    """

    tokens: tuple[Token, ...]
    scores: tuple[Score, ...]
    name: str
    high: float = 0.0
    is_signed: bool = True
    asked: int | None = None

    @property
    def highest(self) -> float:
        """The number with the strongest colour."""
        return self.high or max((abs(one.value) for one in self.scores), default=0.0) or 1.0

    @property
    def digits(self) -> int:
        """After the point: two, or more where all are small, so that the largest has two."""
        largest = max((abs(one.value) for one in self.scores), default=1.0)
        if largest >= 0.1 or largest == 0:
            return 2
        return min(1 - math.floor(math.log10(largest)), MOST_DIGITS)

    def table(self) -> Table:
        """A row a score."""
        return Table.of(
            ScoreRow,
            (
                ScoreRow(one.position, self.tokens[one.position].text, one.value, one.error)
                for one in self.scores
            ),
        )
