"""Exact probability of a text with blanks, and the exact distribution of what fills a blank.

This is the inside algorithm (Baker 1979) over the grammar's productions, run from the left with
memory, with two additions. A blank (``None``) matches any one unit and is summed over. One blank
may be tracked: then the answer is split by the unit that fills it. Dividing by the total gives the
exact posterior that a perfect masked language model would predict.

Units are whatever ``split`` cuts a word into. With a model's own word pieces the posterior is over
the model's vocabulary and can be compared with its softmax as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.world.grammar import Grammar, Symbol

Pattern = Sequence[str | None]
# Mass of the analyses that end at one position; split by the tracked unit where that lies inside.
Mass = float | dict[str, float]
Ends = dict[int, Mass]

NOTHING: Ends = {}


def whole_word(word: str) -> tuple[str, ...]:
    """The split that leaves words as they are."""
    return (word,)


def _go_on() -> None:
    """Nobody wants to stop."""


class ExactReader:
    """Reads texts with blanks against a grammar.

    Args:
        grammar: the grammar that wrote the text.
        split: units of one word; must not depend on the neighbouring words.
    """

    def __init__(
        self, grammar: Grammar, split: Callable[[str], tuple[str, ...]] = whole_word
    ) -> None:
        self.grammar = grammar
        self.split = split
        self.check: Callable[[], None] = _go_on
        """Called now and then while a text is read; may raise to stop."""
        self._compiled: dict[Symbol, CompiledSymbol] = {}
        self._last: PatternReading | None = None

    def probability(self, pattern: Pattern, *, open_end: bool = False) -> float:
        """Probability that a document of the grammar agrees with the pattern.

        Args:
            pattern: units, None where blank.
            open_end: whether the text may go on behind the pattern.
        """
        reading = PatternReading(self, pattern, None, open_end, self.check)
        mass = reading.total()
        # What is asked next is often this pattern with a blank in it.
        self._last = reading
        return mass if isinstance(mass, float) else math.fsum(mass.values())

    def reach(self, pattern: Pattern) -> int:
        """How many units of a pattern some text of the grammar begins with.

        Reading goes on from the left only where all before agrees, so that the last unit that was
        found says it.
        """
        if self._last is None or self._last.behind or list(self._last.pattern) != list(pattern):
            self.probability(pattern)
        assert self._last is not None
        return self._last.reach

    def posterior(
        self, pattern: Pattern, blank: int, *, open_end: bool = False
    ) -> dict[str, float]:
        """Distribution of the unit at ``blank`` given the rest; other blanks are summed out.

        Args:
            pattern: units, None where blank.
            blank: which blank is asked for.
            open_end: whether the text may go on behind the pattern. A pattern whose last unit is
                blank then has the exact distribution of the next unit.

        Raises:
            ValueError: the position is not blank, or no text of the grammar fits.
        """
        mass = self.masses(pattern, blank, open_end=open_end)
        if not mass:
            raise ValueError("No text of the grammar fits the pattern.")
        total = math.fsum(mass.values())
        return {unit: value / total for unit, value in mass.items()}

    def masses(self, pattern: Pattern, blank: int, *, open_end: bool = False) -> dict[str, float]:
        """Probability that a text agrees with the pattern and has each unit at ``blank``.

        Args:
            pattern: units, None where blank.
            blank: which blank is asked for.
            open_end: as in `posterior`.

        Returns:
            By unit; empty where no text of the grammar fits.

        Raises:
            ValueError: the position is not blank.
        """
        if pattern[blank] is not None:
            raise ValueError(f"Position {blank} is not blank.")
        known = None if self._last is None else _Known.of(self._last, pattern, blank, open_end)
        mass = PatternReading(self, pattern, blank, open_end, self.check, known).total()
        return mass if isinstance(mass, dict) else {}

    def compiled(self, symbol: Symbol) -> CompiledSymbol:
        """A symbol with its rules in units; always the same one for a symbol."""
        known = self._compiled.get(symbol)
        if known is None:
            known = self._compiled[symbol] = CompiledSymbol(self, symbol)
        return known


class CompiledSymbol:
    """A symbol with its rules cut into units, as far as they were met.

    It is its own key: to hash a symbol with its arguments takes longer than most of what is then
    looked up.
    """

    __slots__ = ("_begun", "_reader", "first", "rules", "symbol")

    first: frozenset[str]
    """Units that a text of the symbol can start with: most analyses stop here."""
    rules: Rules
    """The productions: probability and parts."""

    def __init__(self, reader: ExactReader, symbol: Symbol) -> None:
        self.symbol = symbol
        self._reader = reader
        self._begun: dict[str, Rules] = {}

    def __getattr__(self, name: str) -> Any:
        """What was not asked for yet; from then on it is an attribute, which is read faster."""
        if name == "first":
            self.first = self._found_first()
            return self.first
        if name == "rules":
            self.rules = tuple(self._cut())
            return self.rules
        raise AttributeError(name)

    def _found_first(self) -> frozenset[str]:
        words = self._reader.grammar.first_words(self.symbol)
        return frozenset(self._reader.split(word)[0] for word in words)

    def _cut(self) -> Iterator[Rule]:
        reader = self._reader
        for production in reader.grammar.productions(self.symbol):
            parts = (
                reader.split(part) if isinstance(part, str) else (reader.compiled(part),)
                for part in production.parts
            )
            yield production.probability, tuple(unit for units in parts for unit in units)

    def beginning(self, unit: str) -> Rules:
        """The productions of which a text can start with a unit."""
        known = self._begun.get(unit)
        if known is None:
            known = self._begun[unit] = tuple(
                rule
                for rule in self.rules
                if (head := rule[1][0]) == unit
                or (isinstance(head, CompiledSymbol) and unit in head.first)
            )
        return known


Rule = tuple[float, tuple[str | CompiledSymbol, ...]]
Rules = tuple[Rule, ...]


@dataclass(frozen=True)
class _Known:
    """What a reading of nearly the same pattern found that holds with a blank in it, too.

    Attributes:
        reading: The other one.
        blank: The blank's position.
        behind: What begins behind the blank is the same as well.
    """

    reading: PatternReading
    blank: int
    behind: bool

    @staticmethod
    def of(reading: PatternReading, pattern: Pattern, blank: int, open_end: bool) -> _Known | None:
        """Of a reading; None where it is of another text."""
        other = reading.pattern
        if list(other[:blank]) != list(pattern[:blank]):
            return None
        same_end = bool(reading.behind) == open_end
        behind = same_end and list(other[blank + 1 :]) == list(pattern[blank + 1 :])
        return _Known(reading, blank, behind)

    def get(self, symbol: CompiledSymbol, start: int) -> tuple[Ends, int] | None:
        """An entry that the blank has no part in."""
        table = self.reading.table
        found = table[start].get(symbol) if start < len(table) else None
        if found is None or found[1] < self.blank or (self.behind and start > self.blank):
            return found
        return None


class PatternReading:
    """One pattern being read: the table of (start, symbol) that the algorithm fills.

    An entry is the mass by end, and the last position that was looked at for it.
    """

    def __init__(
        self,
        reader: ExactReader,
        pattern: Pattern,
        tracked: int | None,
        open_end: bool = False,
        check: Callable[[], None] = _go_on,
        known: _Known | None = None,
    ) -> None:
        self.reader = reader
        self.check = check
        # What stands behind an open end is summed out: its probabilities add up to 1.
        self.behind: Ends = {len(pattern): 1.0} if open_end else NOTHING
        # Kept for what is asked next, whatever becomes of the list.
        self.pattern = tuple(pattern)
        self._length = len(self.pattern)
        self.tracked = tracked
        self.known = known
        self.table: list[dict[CompiledSymbol, tuple[Ends, int]]] = [{} for _ in pattern]
        self.looked_at = 0
        self.reach = 0

    def total(self) -> Mass:
        """Of the analyses of the whole pattern."""
        return self.total_ends().get(len(self.pattern), 0.0)

    def total_ends(self) -> Ends:
        """Those of a text, by where it ends."""
        return self.inside(self.reader.compiled(self.reader.grammar.start), 0)

    def inside(self, symbol: CompiledSymbol, start: int) -> Ends:
        """Where the texts of a symbol end that begin at a position."""
        if start > self.looked_at:
            self.looked_at = start
        if start >= self._length:
            return self.behind
        seen = self.pattern[start]
        if seen is not None and seen not in symbol.first:
            return NOTHING
        table = self.table[start]
        entry = table.get(symbol)
        if entry is None:
            if self.known is not None:
                entry = self.known.get(symbol, start)
            if entry is None:
                rules = symbol.rules if seen is None else symbol.beginning(seen)
                entry = self.summed(rules, start)
            table[symbol] = entry
        if entry[1] > self.looked_at:
            self.looked_at = entry[1]
        return entry[0]

    def summed(self, rules: Rules, start: int) -> tuple[Ends, int]:
        """The same of some rules, and the last position that was looked at."""
        self.check()
        before, self.looked_at = self.looked_at, start
        ends: Ends = {}
        for probability, parts in rules:
            for end, mass in self.sequence(parts, start).items():
                ends[end] = _plus(ends.get(end), _times(mass, probability))
        entry = ends, self.looked_at
        if before > self.looked_at:
            self.looked_at = before
        return entry

    def sequence(self, parts: tuple[str | CompiledSymbol, ...], start: int) -> Ends:
        """Behind parts that stand one after the other."""
        first = parts[0]
        # As `part` has it, which would be called a million times for a text.
        reached = self.unit(first, start) if isinstance(first, str) else self.inside(first, start)
        if len(parts) == 1 or not reached:  # as of most rules
            return reached
        for part in parts[1:]:
            following: Ends = {}
            for position, mass in reached.items():
                for end, inner in self.part(part, position).items():
                    following[end] = _plus(following.get(end), _product(mass, inner))
            reached = following
        return reached

    def part(self, part: str | CompiledSymbol, start: int) -> Ends:
        """Behind a symbol or a unit."""
        return self.unit(part, start) if isinstance(part, str) else self.inside(part, start)

    def unit(self, unit: str, position: int) -> Ends:
        """Behind a unit, where it stands at a position."""
        if position > self.looked_at:
            self.looked_at = position
        if position >= self._length:
            return self.behind
        if position == self.tracked:
            return {position + 1: {unit: 1.0}}
        seen = self.pattern[position]
        if seen is not None and seen != unit:
            return NOTHING
        if position >= self.reach:
            self.reach = position + 1
        return {position + 1: 1.0}


def _times(mass: Mass, factor: float) -> Mass:
    if isinstance(mass, float):
        return mass * factor
    return {unit: value * factor for unit, value in mass.items()}


def _product(left: Mass, right: Mass) -> Mass:
    # The tracked blank lies in one of two neighbouring ranges at most.
    if isinstance(right, float):
        return _times(left, right)
    if isinstance(left, float):
        return _times(right, left)
    raise AssertionError("Two neighbouring ranges cannot both hold the tracked blank.")


def _plus(left: Mass | None, right: Mass) -> Mass:
    if left is None:
        return right
    if isinstance(left, float) and isinstance(right, float):
        return left + right
    if isinstance(left, dict) and isinstance(right, dict):
        total = dict(left)
        for unit, value in right.items():
            total[unit] = total.get(unit, 0.0) + value
        return total
    raise AssertionError("Analyses of one range agree on whether the tracked blank lies inside.")
