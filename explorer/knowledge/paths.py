"""Paths between two concepts: none meets a concept twice, shorter ones come first.

As KagNet looks for them: all of one edge, then of two, three and four, until there are enough. Of
those of the same length the cheapest come first, whose edges weigh most. No path is walked to its
end in vain: what lies two steps from either end is joined in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from explorer.knowledge.graph import Floats, KnowledgeGraph, Numbers

LONGEST: Final = 4
MOST: Final = 100

Path = tuple[int, ...]
"""Numbers of concepts, both ends among them."""


def paths_between(
    graph: KnowledgeGraph, start: int, end: int, longest: int = LONGEST, most: int = MOST
) -> tuple[Path, ...]:
    """The shortest paths, and of those of one length the cheapest.

    Args:
        graph: Where they lie.
        start: The number of the concept that they begin at.
        end: Of the one that they end at.
        longest: Edges of the longest, at most four.
        most: How many are wanted.
    """
    if start == end:
        return ()
    found: list[Path] = []
    searches = (_of_one, _of_two, _of_three, _of_four)
    for search in searches[:longest]:
        if len(found) >= most:
            break
        found += search(graph, start, end, most - len(found))
    return tuple(found)


def _cheapest(costs: Floats, most: int) -> Numbers:
    """Which are the cheapest, the first ones of equals first."""
    return np.argsort(costs, kind="stable")[:most]


def _costs_to(graph: KnowledgeGraph, end: int) -> Floats:
    """What one step to a concept costs from each; infinite where there is none."""
    near, costs = graph.neighbours.of(end)
    to = np.full(len(graph.concepts), np.inf)
    to[near] = costs
    return to


def _of_one(graph: KnowledgeGraph, start: int, end: int, _most: int) -> list[Path]:
    near, _ = graph.neighbours.of(start)
    at = np.searchsorted(near, end)
    return [(start, end)] if at < len(near) and near[at] == end else []


def _of_two(graph: KnowledgeGraph, start: int, end: int, most: int) -> list[Path]:
    near, costs = graph.neighbours.of(start)
    whole = costs + _costs_to(graph, end)[near]
    inside = np.flatnonzero(np.isfinite(whole))
    chosen = inside[_cheapest(whole[inside], most)]
    return [(start, middle, end) for middle in near[chosen].tolist()]


def _of_three(graph: KnowledgeGraph, start: int, end: int, most: int) -> list[Path]:
    first, costs = graph.neighbours.of(start)
    whose, second, further = graph.neighbours.of_each(first)
    whole = costs[whose] + further + _costs_to(graph, end)[second]
    inside = np.flatnonzero(np.isfinite(whole) & (first[whose] != end) & (second != start))
    chosen = inside[_cheapest(whole[inside], most)]
    rows = np.stack((first[whose[chosen]], second[chosen]), axis=1).tolist()
    return [(start, one, two, end) for one, two in rows]


def _of_four(graph: KnowledgeGraph, start: int, end: int, most: int) -> list[Path]:
    ours, theirs = _Halves(graph, start, end), _Halves(graph, end, start)
    best = ours.cheapest + theirs.cheapest
    middles = np.flatnonzero(np.isfinite(best))
    found: list[tuple[float, Path]] = []
    # As many middles as paths are wanted hold the cheapest; twice as many, because the best two
    # halves of one may go through the same concept and be no path.
    for middle in middles[_cheapest(best[middles], 2 * most)].tolist():
        found += _joined(start, middle, end, (ours, theirs), most)
    found.sort()
    return [path for _, path in found[:most]]


def _joined(
    start: int, middle: int, end: int, halves: tuple[_Halves, _Halves], most: int
) -> Iterator[tuple[float, Path]]:
    """The cheapest paths through a middle, and a few more."""
    theirs = halves[1].through(middle, most + 1)
    for place, (one, cost) in enumerate(halves[0].through(middle, most + 1), start=1):
        for rank, (other, further) in enumerate(theirs, start=1):
            # So many are cheaper, and of each row of them at most one is no path.
            if place * rank - min(place, rank) > most:
                break
            if one != other:
                yield cost + further, (start, one, middle, other, end)


class _Halves:
    """Ways of two steps from a concept, to where those from the other end may meet them.

    Attributes:
        cheapest: What the best way to each concept costs; infinite where there is none.
    """

    def __init__(self, graph: KnowledgeGraph, start: int, end: int) -> None:
        first, costs = graph.neighbours.of(start)
        whose, middles, further = graph.neighbours.of_each(first)
        whole = costs[whose] + further
        inside = np.flatnonzero((first[whose] != end) & (middles != start) & (middles != end))
        order = inside[np.lexsort((whole[inside], middles[inside]))]
        self._first, self._middles, self._costs = first[whose[order]], middles[order], whole[order]
        self.cheapest = np.full(len(graph.concepts), np.inf)
        # Of each middle the cheapest stands first, and is written last.
        self.cheapest[self._middles[::-1]] = self._costs[::-1]

    def through(self, middle: int, most: int) -> list[tuple[int, float]]:
        """The concepts on the cheapest ways to a middle, and what each way costs."""
        begin, end = np.searchsorted(self._middles, (middle, middle + 1))
        inside = slice(begin, min(end, begin + most))
        return list(zip(self._first[inside].tolist(), self._costs[inside].tolist(), strict=True))
