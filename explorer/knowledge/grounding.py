"""Which concepts of a graph a text names: words and groups of words, by their base forms."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.words import LONGEST_CONCEPT, STOP_WORDS, base_forms
from explorer.world.language.lexicon import words_of


@dataclass(frozen=True)
class Grounded:
    """A concept that a text names.

    Attributes:
        concept: Its number in the graph.
        said: As it is written there.
    """

    concept: int
    said: str


def concepts_in(graph: KnowledgeGraph, text: str) -> tuple[Grounded, ...]:
    """The concepts of a text in the order of their first words, each once.

    Every group of up to four words is looked up, whether or not it lies inside a longer one; a
    function word alone is none, nor does a concept begin or end with one.
    """
    words = [word.lower() for word in words_of(text)]
    found: dict[int, Grounded] = {}
    for begin in range(len(words)):
        for length in range(min(LONGEST_CONCEPT, len(words) - begin), 0, -1):
            group = words[begin : begin + length]
            if group[0] in STOP_WORDS or group[-1] in STOP_WORDS:
                continue
            concept = _concept(graph, group)
            if concept is not None:
                found.setdefault(concept, Grounded(concept, " ".join(group)))
    return tuple(found.values())


def _concept(graph: KnowledgeGraph, group: Sequence[str]) -> int | None:
    """The concept of some words: of those that they may be forms of, the best known."""
    forms = itertools.product(*map(base_forms, group))
    numbers = [graph.numbers.get(" ".join(one)) for one in forms]
    known = [number for number in numbers if number is not None and graph.degrees[number]]
    return max(known, key=lambda number: int(graph.degrees[number]), default=None)
