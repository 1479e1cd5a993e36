"""How probable it is that a text of the world begins, or ends, with some whole sentences.

Both are the inside algorithm (`explorer.world.exact.inside`) with a pattern that is open at one
side: behind it for a beginning, before it for an ending. What stands there is summed out, and its
sentences are counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from explorer.world.exact.inside import CompiledSymbol, Ends, ExactReader, Pattern, PatternReading

Counts = Mapping[int, float]
"""Probabilities by a number of sentences."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Texts that end with some sentences.

    Attributes:
        before: Their probability, by how many sentences stand before these.
        reach: How many units some text has behind the beginning of a sentence.
    """

    before: Counts
    reach: int


@dataclass(frozen=True, slots=True)
class SentenceStart:
    """A place in a rule where a sentence can begin.

    Attributes:
        before: The rule's probability, by the ends of sentences before the place.
        inside: The symbol in which it is; None where it is the beginning of what follows.
        parts: What follows.
    """

    before: Counts
    inside: CompiledSymbol | None
    parts: tuple[str | CompiledSymbol, ...]


class Sentences:
    """Reads sentences at one side of a text.

    Args:
        reader: Of a grammar whose symbols each end a sentence always, or never.
        ends: Units that end a sentence, and stand nowhere else.
    """

    def __init__(self, reader: ExactReader, ends: Collection[str]) -> None:
        self.reader = reader
        self.ends = frozenset(ends)
        self._counts: dict[CompiledSymbol, Counts] = {}
        self._closes: dict[CompiledSymbol, bool] = {}
        self._openings: dict[CompiledSymbol, dict[str, list[SentenceStart]]] = {}

    def count(self, units: Sequence[str]) -> int:
        """How many sentences units are."""
        return sum(unit in self.ends for unit in units)

    def may_end(self, units: Pattern) -> bool:
        """Whether a sentence may end with the last of some units, which may be blank."""
        return bool(units) and (units[-1] is None or units[-1] in self.ends)

    def beginning(self, units: Sequence[str]) -> Counts:
        """Probability of texts that begin with whole sentences.

        Args:
            units: The sentences'.

        Returns:
            By how many sentences stand behind these.
        """
        found = _numbers(_Beginning(self, units).total_ends())
        return {end - len(units): mass for end, mass in found.items() if end >= len(units)}

    def ending(self, units: Sequence[str]) -> Ending:
        """Probability of texts that end with whole sentences.

        Args:
            units: The sentences'.
        """
        return _Ending(self, units).found()

    def counts(self, symbol: str | CompiledSymbol) -> Counts:
        """How probable it is that a symbol has so many ends of sentences."""
        if isinstance(symbol, str):
            return {int(symbol in self.ends): 1.0}
        known = self._counts.get(symbol)
        if known is None:
            self.reader.check()
            total: dict[int, float] = {}
            for probability, parts in symbol.rules:
                reached: Counts = {0: probability}
                for part in parts:
                    reached = _added(reached, self.counts(part))
                for count, mass in reached.items():
                    total[count] = total.get(count, 0.0) + mass
            known = self._counts[symbol] = total
        return known

    def closes(self, symbol: str | CompiledSymbol) -> bool:
        """Whether a symbol's texts end with the end of a sentence."""
        if isinstance(symbol, str):
            return symbol in self.ends
        known = self._closes.get(symbol)
        if known is None:
            # Its other rules agree.
            known = self._closes[symbol] = self.closes(symbol.rules[0][1][-1])
        return known

    def openings(self, symbol: CompiledSymbol) -> Mapping[str, list[SentenceStart]]:
        """Where sentences begin within a symbol, behind the end of another: by their first unit."""
        known = self._openings.get(symbol)
        if known is None:
            self.reader.check()
            known = {}
            for probability, parts in symbol.rules:
                before: Counts = {0: probability}
                is_behind = False
                for at, part in enumerate(parts):
                    behind = parts[at + 1 :]
                    if isinstance(part, CompiledSymbol):
                        for unit in self.openings(part):
                            known.setdefault(unit, []).append(SentenceStart(before, part, behind))
                    if is_behind:
                        for unit in (part,) if isinstance(part, str) else part.first:
                            known.setdefault(unit, []).append(
                                SentenceStart(before, None, parts[at:])
                            )
                    before = _added(before, self.counts(part))
                    is_behind = self.closes(part)
            # Only a whole one is kept: a check may have stopped it.
            self._openings[symbol] = known
        return known


def _added(left: Counts, right: Counts) -> Counts:
    """The distribution of a sum."""
    total: dict[int, float] = {}
    for one, mass in left.items():
        for other, inner in right.items():
            total[one + other] = total.get(one + other, 0.0) + mass * inner
    return total


def _numbers(ends: Ends) -> dict[int, float]:
    """Of a pattern without a blank whose unit is asked for."""
    return {end: mass for end, mass in ends.items() if isinstance(mass, float)}


EngineHandle = dict[tuple[int, int], float]
"""Probabilities by the sentences before a pattern, and by how far it is read."""


class _Beginning(PatternReading):
    """Behind the pattern, a position is how many sentences were read since."""

    def __init__(self, sentences: Sentences, units: Sequence[str]) -> None:
        super().__init__(sentences.reader, units, None, check=sentences.reader.check)
        self.sentences = sentences

    def inside(self, symbol: CompiledSymbol, start: int) -> Ends:
        if start < len(self.pattern):
            return super().inside(symbol, start)
        return {start + n: mass for n, mass in self.sentences.counts(symbol).items()}

    def unit(self, unit: str, position: int) -> Ends:
        if position < len(self.pattern):
            return super().unit(unit, position)
        return {position + self.sentences.closes(unit): 1.0}


class _Ending(PatternReading):
    """The pattern is read from any sentence on."""

    def __init__(self, sentences: Sentences, units: Sequence[str]) -> None:
        super().__init__(sentences.reader, units, None, check=sentences.reader.check)
        self.sentences = sentences
        self.first = units[0]
        self.begun: dict[CompiledSymbol, EngineHandle] = {}

    def found(self) -> Ending:
        root, length = self.reader.compiled(self.reader.grammar.start), len(self.pattern)
        before = {count: mass for (count, end), mass in self.within(root).items() if end == length}
        alone = _numbers(self.inside(root, 0)).get(length)
        if alone is not None:
            before[0] = alone
        return Ending(before, self.reach)

    def within(self, symbol: CompiledSymbol) -> EngineHandle:
        """The pattern begins inside a symbol: by the sentences before it, and how far it goes."""
        total = self.begun.get(symbol)
        if total is None:
            self.check()
            total = self.begun[symbol] = {}
            for opening in self.sentences.openings(symbol).get(self.first, ()):
                for (count, end), mass in self._opened(opening).items():
                    for before, weight in opening.before.items():
                        key = (before + count, end)
                        total[key] = total.get(key, 0.0) + weight * mass
        return total

    def _opened(self, opening: SentenceStart) -> EngineHandle:
        if opening.inside is None:
            read = _numbers(self.sequence(opening.parts, 0))
            return {(0, end): mass for end, mass in read.items()}
        begun = self.within(opening.inside)
        if not opening.parts:
            return begun
        total: EngineHandle = {}
        for (count, start), mass in begun.items():
            for end, inner in _numbers(self.sequence(opening.parts, start)).items():
                total[count, end] = total.get((count, end), 0.0) + mass * inner
        return total
