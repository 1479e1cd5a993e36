"""Which concepts and edges the picture of a schema graph has, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from explorer.questions.knowledge.graph_question.question import BACKWARDS, JudgedChoice

SWEEPS = 6
"""Times that concepts are put in the order of what they are linked with."""


@dataclass(frozen=True)
class DrawnNode:
    """A concept.

    Attributes:
        concept: Its words.
        layer: 0 for the question's, the last one for the choice's.
        share: Of all attention, that of the drawn paths that meet it.
    """

    concept: str
    layer: int
    share: float


@dataclass(frozen=True)
class DrawnEdge:
    """An edge.

    Attributes:
        head: The concept that its relation begins at.
        tail: The one that it ends at.
        relations: Names, the one that is read first; a star where one points the other way.
        share: Of all attention, that of the drawn paths that go along it.
        paths: How many of those there are.
        is_top: The path that is attended to most goes along it.
    """

    head: str
    tail: str
    relations: tuple[str, ...]
    share: float
    paths: int
    is_top: bool


@dataclass(frozen=True)
class DrawnGraph:
    """What the picture shows.

    Attributes:
        layers: Concepts in their order, from the question's to the choice's.
        edges: Between them.
    """

    layers: tuple[tuple[DrawnNode, ...], ...]
    edges: tuple[DrawnEdge, ...]


def drawn_graph(choice: JudgedChoice, most: int) -> DrawnGraph:
    """The paths that are attended to most, as a graph.

    Args:
        choice: Whose.
        most: How many paths.
    """
    paths = choice.attended[:most]
    last = max((len(path.relations) for _, path in paths), default=1)
    shares: dict[str, float] = {}
    places: dict[str, list[tuple[float, float]]] = {}
    edges: dict[frozenset[str], DrawnEdge] = {}
    for number, (share, path) in enumerate(paths):
        length = len(path.relations)
        for at, concept in enumerate(path.concepts):
            shares[concept] = shares.get(concept, 0.0) + share
            places.setdefault(concept, []).append((at / length, share))
        for (one, other), relations in zip(pairwise(path.concepts), path.relations, strict=True):
            key = frozenset((one, other))
            before = edges.get(key)
            if before is None:
                edges[key] = _edge(one, other, relations, share, is_top=number == 0)
            else:
                edges[key] = DrawnEdge(
                    before.head, before.tail, before.relations,
                    before.share + share, before.paths + 1, before.is_top,
                )  # fmt: skip
    begins = {path.concepts[0] for _, path in paths}
    ends = {path.concepts[-1] for _, path in paths}
    layers: list[list[DrawnNode]] = [[] for _ in range(last + 1)]
    for concept, share in shares.items():
        if concept in begins:
            layer = 0
        elif concept in ends:
            layer = last
        else:
            layer = _between(places[concept], last)
        layers[layer].append(DrawnNode(concept, layer, share))
    kept = [layer for layer in layers if layer]
    return DrawnGraph(_ordered(kept, list(edges.values())), tuple(edges.values()))


def _edge(
    one: str, other: str, relations: tuple[str, ...], share: float, *, is_top: bool
) -> DrawnEdge:
    """An edge from its head to its tail, whichever way the path goes along it."""
    if not relations[0].startswith(BACKWARDS):
        return DrawnEdge(one, other, relations, share, 1, is_top)
    turned = tuple(
        name.removeprefix(BACKWARDS) if name.startswith(BACKWARDS) else BACKWARDS + name
        for name in relations
    )
    return DrawnEdge(other, one, turned, share, 1, is_top)


def _between(places: Sequence[tuple[float, float]], last: int) -> int:
    """The layer of a concept that lies between, by where the paths meet it."""
    whole = sum(share for _, share in places)
    mean = (
        sum(place * share for place, share in places) / whole
        if whole
        else sum(place for place, _ in places) / len(places)
    )
    return min(max(round(mean * last), 1), last - 1)


def _ordered(
    layers: Sequence[Sequence[DrawnNode]], edges: Sequence[DrawnEdge]
) -> tuple[tuple[DrawnNode, ...], ...]:
    """Each layer in the order of what its concepts are linked with, so that few edges cross."""
    beside: dict[str, list[str]] = {}
    for edge in edges:
        beside.setdefault(edge.head, []).append(edge.tail)
        beside.setdefault(edge.tail, []).append(edge.head)
    now = [sorted(layer, key=lambda node: -node.share) for layer in layers]
    for _ in range(SWEEPS):
        at = {
            node.concept: (place + 0.5) / len(layer)
            for layer in now
            for place, node in enumerate(layer)
        }
        now = [
            sorted(
                layer,
                key=lambda node: (
                    sum(at[one] for one in beside.get(node.concept, [node.concept]))
                    / len(beside.get(node.concept, [node.concept]))
                ),
            )
            for layer in now
        ]
    return tuple(map(tuple, now))
