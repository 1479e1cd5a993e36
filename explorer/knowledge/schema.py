"""The schema graph of a question and one answer: the paths between their concepts, pruned.

As KagNet has it (Lin et al. 2019, section 3): concepts of the question and of the answer are looked
up, paths of up to four edges between each two are found, and those go whose triples TransE finds
unlikely.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.api.question import GraphPath, SchemaGraph
from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.grounding import Grounded, concepts_in
from explorer.knowledge.paths import LONGEST, MOST, Path, paths_between

KEPT_FROM: Final = 0.15
"""The score from which the authors keep a path."""


@dataclass(frozen=True)
class GraphVocabulary:
    """What a network has vectors of.

    Attributes:
        concepts: Their numbers in it, by their words.
        relations: Names, in the order of their numbers.
        concept_vectors: Of TransE, by number.
        relation_vectors: Likewise, forwards.
    """

    concepts: Mapping[str, int]
    relations: Sequence[str]
    concept_vectors: Any
    relation_vectors: Any


@dataclass(frozen=True)
class ScoredPath:
    """A path that was found.

    Attributes:
        concepts: Their numbers in the graph.
        relations: Of each step, those that the network knows, in the order of the graph; a number
            from the count of the graph's relations on is gone along backwards.
        score: By TransE: the product over its steps of the best of their relations.
    """

    concepts: Path
    relations: tuple[tuple[int, ...], ...]
    score: float


@dataclass(frozen=True)
class Between:
    """What lies between a question and one answer.

    Attributes:
        question: Its concepts.
        answer: Those of the answer.
        pairs: One of the question and one of the answer each, those that any path connects.
        paths: Of each pair, those that are read.
        pruned: How many were found besides, and scored too little.
        unknown: How many meet a concept or a relation that the network has no vector of.
    """

    question: tuple[Grounded, ...]
    answer: tuple[Grounded, ...]
    pairs: tuple[tuple[int, int], ...]
    paths: tuple[tuple[ScoredPath, ...], ...]
    pruned: int = 0
    unknown: int = 0


@dataclass(frozen=True)
class _Paths:
    """Those between two concepts.

    Attributes:
        likely: That are read.
        pruned: How many are not.
        unknown: How many the network lacks a vector for.
    """

    likely: tuple[ScoredPath, ...]
    pruned: int
    unknown: int


class SchemaGraphs:
    """Finds what lies between questions and answers.

    Args:
        graph: Where paths lie.
        known: What the network has vectors of.
        longest: Edges of the longest path that it reads.
        kept_from: The score from which a path is kept.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        known: GraphVocabulary,
        longest: int = LONGEST,
        kept_from: float = KEPT_FROM,
    ) -> None:
        self._graph, self._known = graph, known
        self._longest, self._kept_from = longest, kept_from
        self._numbers = [known.concepts.get(one, -1) for one in graph.concepts]
        own = {name: number for number, name in enumerate(known.relations)}
        self._kinds = [own.get(name, -1) for name in graph.relations]
        self._found: dict[tuple[int, int], _Paths] = {}
        self._steps: dict[tuple[int, int], tuple[tuple[int, ...], float]] = {}

    def between(
        self,
        question: str,
        answer: str,
        cut: Collection[Path] = (),
        check: Callable[[], None] = lambda: None,
    ) -> Between:
        """What lies between a question and an answer.

        Args:
            question: Its text.
            answer: Likewise.
            cut: Paths that are not read.
            check: Asked before every search; raises what is to end them.
        """
        to = concepts_in(self._graph, answer)
        ends = {one.concept for one in to}
        # A concept of both says nothing of what lies between.
        start = tuple(one for one in concepts_in(self._graph, question) if one.concept not in ends)
        pairs, kept, pruned, unknown = [], [], 0, 0
        for one in start:
            for other in to:
                check()
                found = self._paths(one.concept, other.concept)
                likely = tuple(path for path in found.likely if path.concepts not in cut)
                pruned += found.pruned
                unknown += found.unknown
                if likely:
                    pairs.append((one.concept, other.concept))
                    kept.append(likely)
        return Between(start, to, tuple(pairs), tuple(kept), pruned, unknown)

    def read(self, between: Between) -> SchemaGraph:
        """The same in the network's numbers: of several relations the first one is read."""
        edges = _edges(self._graph, between)
        met = sorted({concept for edge in edges for concept in edge})
        place = {concept: at for at, concept in enumerate(met)}
        count = len(self._graph.relations)

        def kind(number: int) -> int:
            own = self._kinds[number % count]
            return own + len(self._known.relations) if number >= count else own

        return SchemaGraph(
            tuple(self._numbers[one] for one in met),
            tuple((place[one], place[other]) for one, other in edges),
            tuple((self._numbers[one], self._numbers[other]) for one, other in between.pairs),
            tuple(
                tuple(
                    GraphPath(
                        tuple(self._numbers[one] for one in path.concepts),
                        tuple(kind(step[0]) for step in path.relations),
                    )
                    for path in paths
                )
                for paths in between.paths
            ),
        )

    def _paths(self, start: int, end: int) -> _Paths:
        """All paths of a pair; kept, for the next answer asks for many of them again."""
        if (start, end) not in self._found:
            every = paths_between(self._graph, start, end, self._longest, MOST)
            known = [path for path in map(self._scored, every) if path is not None]
            likely = tuple(path for path in known if path.score >= self._kept_from)
            self._found[start, end] = _Paths(
                likely, len(known) - len(likely), len(every) - len(known)
            )
        return self._found[start, end]

    def _scored(self, path: Path) -> ScoredPath | None:
        """A path with its relations and its score; None where the network lacks a vector."""
        relations, whole = [], 1.0
        for step in itertools.pairwise(path):
            if step not in self._steps:
                self._steps[step] = self._step(*step)
            kinds, score = self._steps[step]
            if not kinds:
                return None
            relations.append(kinds)
            whole *= score
        return ScoredPath(path, tuple(relations), whole)

    def _step(self, one: int, other: int) -> tuple[tuple[int, ...], float]:
        """The relations of a step that the network knows, and the best of their scores."""
        head, tail = self._numbers[one], self._numbers[other]
        count = len(self._graph.relations)
        kinds = tuple(
            kind for kind in self._graph.between(one, other) if self._kinds[kind % count] >= 0
        )
        if head < 0 or tail < 0 or not kinds:
            return (), 0.0
        way = self._known.concept_vectors[tail] - self._known.concept_vectors[head]
        return kinds, max(
            self._likely(-way if kind >= count else way, self._kinds[kind % count])
            for kind in kinds
        )

    def _likely(self, way: Any, kind: int) -> float:
        """(1 + cos(r, t - h)) / 2; a half where either has no length."""
        along = self._known.relation_vectors[kind]
        lengths = float(np.linalg.norm(way) * np.linalg.norm(along))
        return 0.5 + 0.5 * float(way @ along) / lengths if lengths else 0.5


def _edges(graph: KnowledgeGraph, between: Between) -> tuple[tuple[int, int], ...]:
    """Those of the paths, and those between two concepts of the question or of the answer."""
    found = {
        (min(step), max(step))
        for paths in between.paths
        for path in paths
        for step in itertools.pairwise(path.concepts)
    }
    used = {concept for pair in between.pairs for concept in pair}
    for side in (between.question, between.answer):
        concepts = [one.concept for one in side if one.concept in used]
        for at, one in enumerate(concepts):
            near, _ = graph.neighbours.of(one)
            beside = set(concepts[at + 1 :]) & set(near.tolist())
            found |= {(min(one, other), max(one, other)) for other in beside}
    return tuple(sorted(found))
