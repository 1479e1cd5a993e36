"""What a perfect model of the small world would answer, in a model's own pieces.

The style in which a text is typed (capitals, spaces before marks) says nothing of what is said,
so an exact answer is a mixture over the styles that fit what is seen, each weighed by its share of
the texts and by the probability of the text in it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CLOSING
from explorer.world.inside import ExactReader, Pattern
from explorer.world.readers import Tokenize
from explorer.world.scenes import small_world
from explorer.world.spelling import STYLES, SpelledGrammar

LIKE: Final = "The chef cooked."
SAME: Final = "the chef cooked ."


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a text is one of the world.

    Attributes:
        outside: The first piece that the grammar can't read after those before it; None where it
            reads all of them.
        is_beginning: It reads them as the beginning of a longer text only.
    """

    outside: int | None
    is_beginning: bool = False


class Truth:
    """Exact answers about texts of the small world.

    Args:
        tokenize: cuts a text into the model's pieces.
        check: called now and then; may raise to stop.
    """

    def __init__(self, tokenize: Tokenize, check: Callable[[], None] = lambda: None) -> None:
        @functools.cache
        def split(surface: str) -> tuple[str, ...]:
            if surface[:1] not in CLOSING:
                return tuple(tokenize(surface))
            return tuple(tokenize(f"x{surface}")[len(tokenize("x")) :])

        if list(tokenize(LIKE)) == list(tokenize(SAME)):
            self._readers = [(1.0, ExactReader(small_world(), split))]
        else:
            self._readers = [
                (style.share, ExactReader(SpelledGrammar(small_world(), style), split))
                for style in STYLES
            ]
        self.check_with(check)

    def check_with(self, check: Callable[[], None]) -> None:
        """Let another call say whether to stop."""
        for _share, reader in self._readers:
            reader.check = check

    def probability(self, pattern: Pattern, *, open_end: bool = False) -> float:
        """Probability of a text with blanks; with an open end, of all texts that begin so."""
        return math.fsum(
            share * reader.probability(pattern, open_end=open_end)
            for share, reader in self._readers
        )

    def reading(self, pattern: Pattern) -> Reading:
        """How far the grammar can read a text."""
        if self.probability(pattern) > 0.0:
            return Reading(None)
        if self.probability(pattern, open_end=True) > 0.0:
            return Reading(None, is_beginning=True)
        fits, fails = 0, len(pattern)
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if self.probability(pattern[:middle], open_end=True) > 0.0:
                fits = middle
            else:
                fails = middle
        return Reading(fails - 1)

    def answer(self, pattern: Pattern, blank: int, *, open_end: bool = False) -> dict[str, float]:
        """The exact distribution of the piece at a blank; other blanks are summed out.

        Args:
            pattern: Pieces, None where blank.
            blank: Which blank is asked for.
            open_end: The text may go on behind the pattern.

        Returns:
            Probabilities by piece, empty where no text of the world fits.
        """
        summed: dict[str, float] = {}
        for share, reader in self._readers:
            for piece, mass in reader.masses(pattern, blank, open_end=open_end).items():
                summed[piece] = summed.get(piece, 0.0) + share * mass
        total = math.fsum(summed.values())
        return {piece: mass / total for piece, mass in summed.items()} if total > 0.0 else {}

    def next_piece(self, pieces: Sequence[str]) -> dict[str, float]:
        """The exact distribution of the piece behind the beginning of a text."""
        return self.answer([*pieces, None], len(pieces), open_end=True)


def entropy(exact: dict[str, float]) -> float:
    """H(p) in nats."""
    return -math.fsum(p * math.log(p) for p in exact.values() if p > 0.0)
