"""A knowledge graph as arrays: edges from a head to a tail, each with a relation and a weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.knowledge.relations import DROPPED

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Neighbours:
    """Who stands beside whom, along any edge in either direction; each once.

    Attributes:
        starts: Where the neighbours of each concept begin; one more at the end.
        concepts: The neighbours, those of a concept in the order of their numbers.
        costs: Of the best edge to each: 1 + e^(1 - weight), as the authors' paths count it.
    """

    starts: Numbers
    concepts: Numbers
    costs: Floats

    def of(self, concept: int) -> tuple[Numbers, Floats]:
        """The neighbours of a concept, and what it costs to go there."""
        inside = slice(self.starts[concept], self.starts[concept + 1])
        return self.concepts[inside], self.costs[inside]

    def of_each(self, concepts: Numbers) -> tuple[Numbers, Numbers, Floats]:
        """The neighbours of many.

        Returns:
            Which of the concepts it is a neighbour of, by place; the neighbour; the cost.
        """
        begins = self.starts[concepts]
        counts = self.starts[concepts + 1] - begins
        whose = np.repeat(np.arange(len(concepts)), counts)
        within = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)
        at = np.repeat(begins, counts) + within
        return whose, self.concepts[at], self.costs[at]


@dataclass(frozen=True, eq=False)
class KnowledgeGraph:
    """Concepts and the edges between them.

    Attributes:
        name: What a person reads.
        concepts: Their words, in lower case.
        relations: Their names.
        heads: Of each edge, the number of the concept that it begins at.
        kinds: The number of its relation.
        tails: The number of the concept that it ends at.
        weights: How sure it is.
        dropped: Lines of its file that are no edge of it: other languages, links, stop words.
    """

    name: str
    concepts: tuple[str, ...]
    relations: tuple[str, ...]
    heads: Numbers
    kinds: Numbers
    tails: Numbers
    weights: Floats
    dropped: int = 0

    @staticmethod
    def of(
        name: str, triples: Sequence[tuple[str, str, str, float]], relations: Sequence[str] = ()
    ) -> KnowledgeGraph:
        """A graph of triples; of those that are told again the heaviest counts.

        Args:
            name: What a person reads.
            triples: Head, relation, tail, weight.
            relations: Those that have their numbers before others.
        """
        numbers: dict[str, int] = {}
        kinds = {one: number for number, one in enumerate(relations)}
        rows = [
            (
                numbers.setdefault(head, len(numbers)),
                kinds.setdefault(relation, len(kinds)),
                numbers.setdefault(tail, len(numbers)),
            )
            for head, relation, tail, _ in triples
        ]
        ends = np.array(rows, dtype=np.int64).reshape(-1, 3)
        weights = np.array([triple[3] for triple in triples], dtype=np.float64)
        return KnowledgeGraph.of_arrays(name, tuple(numbers), tuple(kinds), ends, weights)

    @staticmethod
    def of_arrays(
        name: str,
        concepts: tuple[str, ...],
        relations: tuple[str, ...],
        ends: Numbers,
        weights: Floats,
        dropped: int = 0,
    ) -> KnowledgeGraph:
        """A graph of edges (rows of head, relation, tail), each once and none from a to a."""
        count, kinds = max(1, len(concepts)), max(1, len(relations))
        key = (ends[:, 0] * kinds + ends[:, 1]) * count + ends[:, 2]
        order = np.lexsort((-weights, key))
        kept = np.ones(len(order), dtype=bool)
        kept[1:] = key[order][1:] != key[order][:-1]
        kept &= ends[order, 0] != ends[order, 2]
        # In the order of the file: of several relations between two concepts the first is read.
        chosen = np.sort(order[kept])
        edges = ends[chosen]
        return KnowledgeGraph(
            name, concepts, relations, edges[:, 0], edges[:, 1], edges[:, 2], weights[chosen],
            dropped,
        )  # fmt: skip

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each concept."""
        return {concept: number for number, concept in enumerate(self.concepts)}

    @cached_property
    def neighbours(self) -> Neighbours:
        """Who stands beside whom, along the edges that paths go along."""
        used = self._used
        heads, tails = self.heads[used], self.tails[used]
        one, other = np.concatenate((heads, tails)), np.concatenate((tails, heads))
        costs = np.tile(1.0 + np.exp(1.0 - self.weights[used]), 2)
        key = one * len(self.concepts) + other
        order = np.lexsort((costs, key))
        kept = np.ones(len(order), dtype=bool)
        kept[1:] = key[order][1:] != key[order][:-1]
        chosen = order[kept]
        starts = np.searchsorted(one[chosen], np.arange(len(self.concepts) + 1))
        return Neighbours(starts, other[chosen], costs[chosen])

    @cached_property
    def degrees(self) -> Numbers:
        """How many neighbours each concept has."""
        return np.diff(self.neighbours.starts)

    def between(self, one: int, other: int) -> tuple[int, ...]:
        """The relations from a concept to another, in the order of the file.

        One of an edge that is gone along backwards is its number and that of all relations.
        """
        begin, end = np.searchsorted(self._pairs, (key := self._key(one, other), key + 1))
        at = np.sort(self._by_pair[begin:end])
        forwards = self.heads[at] == one
        kinds = self.kinds[at] + np.where(forwards, 0, len(self.relations))
        # What an edge says forwards is told before what others say backwards.
        order = np.argsort(~forwards, kind="stable")
        return tuple(dict.fromkeys(kinds[order].tolist()))

    def without(self, pairs: Sequence[tuple[int, int]]) -> KnowledgeGraph:
        """The same without all edges between some pairs of concepts."""
        gone = np.zeros(len(self.heads), dtype=bool)
        for one, other in pairs:
            gone |= (self.heads == one) & (self.tails == other)
            gone |= (self.heads == other) & (self.tails == one)
        kept = ~gone
        return KnowledgeGraph(
            self.name, self.concepts, self.relations, self.heads[kept], self.kinds[kept],
            self.tails[kept], self.weights[kept], self.dropped,
        )  # fmt: skip

    @property
    def _used(self) -> NDArray[np.bool_]:
        if DROPPED not in self.relations:
            return np.ones(len(self.kinds), dtype=bool)
        kept: NDArray[np.bool_] = self.kinds != self.relations.index(DROPPED)
        return kept

    def _key(self, one: int, other: int) -> int:
        return min(one, other) * len(self.concepts) + max(one, other)

    @cached_property
    def _by_pair(self) -> Numbers:
        """Edges that paths go along, those between the same two concepts together."""
        used = np.flatnonzero(self._used)
        return used[np.argsort(self._keys[used], kind="stable")]

    @cached_property
    def _keys(self) -> Numbers:
        low, high = np.minimum(self.heads, self.tails), np.maximum(self.heads, self.tails)
        return low * len(self.concepts) + high

    @cached_property
    def _pairs(self) -> Numbers:
        return self._keys[self._by_pair]
