"""What a perfect model of the small world would answer, in a model's own pieces.

The style in which a text is typed (capitals, spaces before marks) says nothing of what is said,
so an exact answer is a mixture over the styles that fit what is seen, each weighed by its share of
the texts and by the probability of the text in it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CLOSING, SENTENCE_ENDS
from explorer.world.exact.inside import ExactReader, Pattern
from explorer.world.exact.readers import Tokenize
from explorer.world.exact.sentences import Sentences
from explorer.world.grammar import Grammar
from explorer.world.language.spelling import (
    INSIDE,
    STYLES,
    SpelledGrammar,
    TypingStyle,
    surface,
    surfaces,
)
from explorer.world.scenes import small_world

PROBE: Final = ("the", "chef", "cooked", ".", "the", "chef", "cooked", ".")
"""Words that every style types in another way."""


@dataclass(frozen=True, slots=True)
class WorldReading:
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


def _told_apart(tokenize: Tokenize) -> list[tuple[TypingStyle, float]]:
    """The styles whose pieces differ, each with the share of all that have the same ones."""
    alike: dict[tuple[tuple[str, ...], ...], list[TypingStyle]] = {}
    for style in STYLES:
        shown = (one for _, sentence in surfaces(PROBE, style) for one in sentence)
        alike.setdefault(tuple(_pieces(tokenize, one) for one in shown), []).append(style)
    return [(styles[0], math.fsum(one.share for one in styles)) for styles in alike.values()]


def _in_style(cut: Split, style: TypingStyle) -> Split:
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
    def of(tokenize: Tokenize, style: TypingStyle) -> _Marks:
        """Those of a style."""

        def typed(close: bool) -> frozenset[str]:
            as_typed = (_pieces(tokenize, mark if close else f" {mark}") for mark in CLOSING)
            return frozenset(piece for pieces in as_typed for piece in pieces)

        return _Marks(typed(not style.close) - typed(style.close))

    def allow(self, pattern: Pattern) -> bool:
        """Whether no piece is a mark of another style."""
        return self.others.isdisjoint(piece for piece in pattern if piece is not None)


@dataclass(frozen=True)
class Styled:
    """A style with what reads texts that are typed in it.

    Attributes:
        share: Of the texts.
        sentences: Reads whole ones, in pieces of the model.
        marks: What rules the style out at once; None where there is no other one.
    """

    share: float
    sentences: Sentences
    marks: _Marks | None

    @property
    def reader(self) -> ExactReader:
        """Reads texts, in pieces of the model."""
        return self.sentences.reader

    def fits(self, pattern: Pattern) -> bool:
        """Whether no piece is the mark of another style."""
        return self.marks is None or self.marks.allow(pattern)


class Truth:
    """Exact answers about texts of a small world.

    Args:
        tokenize: cuts a text into the model's pieces.
        check: called now and then; may raise to stop.
        world: the grammar that wrote the texts; None for the usual small world.

    Attributes:
        world: That grammar.
    """

    def __init__(
        self,
        tokenize: Tokenize,
        check: Callable[[], None] = lambda: None,
        world: Grammar | None = None,
    ) -> None:
        world = self.world = world or small_world()
        told_apart = _told_apart(tokenize)
        # Within a sentence all styles type a word alike.
        cut = functools.cache(lambda surface: _pieces(tokenize, surface))
        self._styles: list[Styled]
        if len(told_apart) == 1:
            ends = {cut(mark)[-1] for mark in SENTENCE_ENDS}
            sentences = Sentences(ExactReader(world, cut), ends)
            self._styles = [Styled(1.0, sentences, None)]
        else:
            grammar = _placed(world)
            self._styles = []
            for style, share in told_apart:
                split = _in_style(cut, style)
                ends = {split(f"{INSIDE}{BEHIND}{mark}")[-1] for mark in SENTENCE_ENDS}
                sentences = Sentences(ExactReader(grammar, split), ends)
                marks = _Marks.of(tokenize, style)
                self._styles.append(Styled(share, sentences, marks))
        # Models with the same pieces ask the same, and so does who asks once more.
        self._answered = functools.lru_cache(KEPT)(self._answer)
        self._read = functools.lru_cache(KEPT)(self._reading)
        for styled in self._styles:
            styled.reader.check = check

    @contextmanager
    def checking(self, check: Callable[[], None]) -> Iterator[None]:
        """Let another call say whether to stop, inside the block alone."""
        before = [style.reader.check for style in self._styles]
        for style in self._styles:
            style.reader.check = check
        try:
            yield
        finally:
            for style, own in zip(self._styles, before, strict=True):
                style.reader.check = own

    def fitting(self, pattern: Pattern) -> list[Styled]:
        """The styles that what is seen does not rule out."""
        return [style for style in self._styles if style.fits(pattern)]

    def reach(self, pattern: Pattern) -> int:
        """How many pieces of a pattern some text begins with."""
        # A style whose marks are not those further on reads what stands before them.
        return max(style.reader.reach(pattern) for style in self._styles)

    def probability(self, pattern: Pattern, *, open_end: bool = False) -> float:
        """Probability of a text with blanks; with an open end, of all texts that begin so."""
        return math.fsum(
            style.share * style.reader.probability(pattern, open_end=open_end)
            for style in self.fitting(pattern)
        )

    def reading(self, pattern: Pattern) -> WorldReading:
        """How far the grammar can read a text."""
        return self._read(tuple(pattern))

    def _reading(self, pattern: tuple[str | None, ...]) -> WorldReading:
        if self.probability(pattern) > 0.0:
            return WorldReading(None)
        reach = self.reach(pattern)
        if reach < len(pattern):
            return WorldReading(reach)
        # Read so by those who are asked next.
        self.probability(pattern, open_end=True)
        return WorldReading(None, is_beginning=True)

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
        for style in self.fitting(pattern):
            masses = style.reader.masses(pattern, blank, open_end=open_end)
            for piece, mass in masses.items():
                summed[piece] = summed.get(piece, 0.0) + style.share * mass
        total = math.fsum(summed.values())
        return {piece: mass / total for piece, mass in summed.items()} if total > 0.0 else {}

    def next_piece(self, pieces: Sequence[str]) -> dict[str, float]:
        """The exact distribution of the piece behind the beginning of a text."""
        return self.answer([*pieces, None], len(pieces), open_end=True)

    def ends(self, pieces: Pattern) -> float:
        """The exact chance that a text that begins so ends there; 0 where none begins so."""
        if not any(style.sentences.may_end(pieces) for style in self.fitting(pieces)):
            return 0.0
        begins = self.probability(pieces, open_end=True)
        return self.probability(pieces) / begins if begins else 0.0


def entropy(exact: dict[str, float]) -> float:
    """H(p) in nats."""
    return -math.fsum(p * math.log(p) for p in exact.values() if p > 0.0)
