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
from explorer.world.grammar import Grammar
from explorer.world.inside import ExactReader, Pattern
from explorer.world.readers import Tokenize
from explorer.world.scenes import small_world
from explorer.world.spelling import STYLES, SpelledGrammar, Style, surface, surfaces

PROBE: Final = ("the", "chef", "cooked", ".", "the", "chef", "cooked", ".")
"""Words that every style types in another way."""


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


Split = Callable[[str], tuple[str, ...]]


def _pieces(tokenize: Tokenize, surface: str) -> tuple[str, ...]:
    if surface[:1] not in CLOSING:
        return tuple(tokenize(surface))
    return tuple(tokenize(f"x{surface}")[len(tokenize("x")) :])


KEPT: Final = 64
"""Answers and readings that are remembered, each: some texts with all of their places."""
BEHIND: Final = "\0"
"""Between where a word stands and the word: no text holds it."""


@functools.cache
def _placed(grammar: Grammar) -> SpelledGrammar:
    """The grammar with its words as they stand, in no style: made once for all of them."""
    return SpelledGrammar(grammar, lambda word, where: f"{where}{BEHIND}{word}")


def _told_apart(tokenize: Tokenize) -> list[tuple[Style, float]]:
    """The styles whose pieces differ, each with the share of all that have the same ones."""
    alike: dict[tuple[tuple[str, ...], ...], list[Style]] = {}
    for style in STYLES:
        shown = (one for _, sentence in surfaces(PROBE, style) for one in sentence)
        alike.setdefault(tuple(_pieces(tokenize, one) for one in shown), []).append(style)
    return [(styles[0], math.fsum(one.share for one in styles)) for styles in alike.values()]


def _in_style(cut: Split, style: Style) -> Split:
    """From a placed word to its pieces as a style types it."""

    @functools.cache
    def split(placed: str) -> tuple[str, ...]:
        where, _, word = placed.partition(BEHIND)
        return cut(surface(word, where, style))

    return split


@dataclass(frozen=True)
class _Marks:
    """What rules a style out without a look at the grammar: the marks of another.

    Attributes:
        others: Pieces of the marks as others do, and never this one.
    """

    others: frozenset[str]

    @staticmethod
    def of(tokenize: Tokenize, style: Style) -> _Marks:
        """Those of a style."""

        def typed(close: bool) -> frozenset[str]:
            as_typed = (_pieces(tokenize, mark if close else f" {mark}") for mark in CLOSING)
            return frozenset(piece for pieces in as_typed for piece in pieces)

        return _Marks(typed(not style.close) - typed(style.close))

    def allow(self, pattern: Pattern) -> bool:
        """Whether no piece is a mark of another style."""
        return self.others.isdisjoint(piece for piece in pattern if piece is not None)


class Truth:
    """Exact answers about texts of the small world.

    Args:
        tokenize: cuts a text into the model's pieces.
        check: called now and then; may raise to stop.
    """

    def __init__(self, tokenize: Tokenize, check: Callable[[], None] = lambda: None) -> None:
        self._readers: list[tuple[_Marks | None, float, ExactReader]]
        told_apart = _told_apart(tokenize)
        # Within a sentence all styles type a word alike.
        cut = functools.cache(lambda surface: _pieces(tokenize, surface))
        if len(told_apart) == 1:
            self._readers = [(None, 1.0, ExactReader(small_world(), cut))]
        else:
            grammar = _placed(small_world())
            self._readers = [
                (
                    _Marks.of(tokenize, style),
                    share,
                    ExactReader(grammar, _in_style(cut, style)),
                )
                for style, share in told_apart
            ]
        # Models with the same pieces ask the same, and so does who asks once more.
        self._answered = functools.lru_cache(KEPT)(self._answer)
        self._read = functools.lru_cache(KEPT)(self._reading)
        self.check_with(check)

    def check_with(self, check: Callable[[], None]) -> None:
        """Let another call say whether to stop."""
        for _marks, _share, reader in self._readers:
            reader.check = check

    def _fitting(self, pattern: Pattern) -> list[tuple[float, ExactReader]]:
        """The readers of the styles that what is seen does not rule out."""
        return [
            (share, reader)
            for marks, share, reader in self._readers
            if marks is None or marks.allow(pattern)
        ]

    def probability(self, pattern: Pattern, *, open_end: bool = False) -> float:
        """Probability of a text with blanks; with an open end, of all texts that begin so."""
        return math.fsum(
            share * reader.probability(pattern, open_end=open_end)
            for share, reader in self._fitting(pattern)
        )

    def reading(self, pattern: Pattern) -> Reading:
        """How far the grammar can read a text."""
        return self._read(tuple(pattern))

    def _reading(self, pattern: tuple[str | None, ...]) -> Reading:
        if self.probability(pattern) > 0.0:
            return Reading(None)
        # A style whose marks are not those further on reads what stands before them.
        reach = max(reader.reach(pattern) for _marks, _share, reader in self._readers)
        if reach < len(pattern):
            return Reading(reach)
        # Read so by those who are asked next.
        self.probability(pattern, open_end=True)
        return Reading(None, is_beginning=True)

    def answer(self, pattern: Pattern, blank: int, *, open_end: bool = False) -> dict[str, float]:
        """The exact distribution of the piece at a blank; other blanks are summed out.

        Args:
            pattern: Pieces, None where blank.
            blank: Which blank is asked for.
            open_end: The text may go on behind the pattern.

        Returns:
            Probabilities by piece, empty where no text of the world fits.
        """
        return dict(self._answered(tuple(pattern), blank, open_end))

    def _answer(
        self, pattern: tuple[str | None, ...], blank: int, open_end: bool
    ) -> dict[str, float]:
        summed: dict[str, float] = {}
        for share, reader in self._fitting(pattern):
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
