"""Facts of a knowledge graph: head, relation, tail, as names and as numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Triples:
    """Numbered facts, with the names that the numbers stand for.

    Attributes:
        facts: A fact a row (facts x 3): the numbers of its head, its relation and its tail.
        entities: Names of heads and tails, by number.
        relations: Names of relations, by number.
    """

    facts: Numbers
    entities: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, named: Iterable[tuple[str, str, str]]) -> "Triples":
        """Number facts that are given by name, in the order in which names first come."""
        entities: dict[str, int] = {}
        relations: dict[str, int] = {}
        rows = [
            (
                entities.setdefault(head, len(entities)),
                relations.setdefault(relation, len(relations)),
                entities.setdefault(tail, len(entities)),
            )
            for head, relation, tail in named
        ]
        facts = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return cls(facts, tuple(entities), tuple(relations))

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def known(self) -> frozenset[tuple[int, int, int]]:
        """All facts, to look one up."""
        return frozenset(map(tuple, self.facts.tolist()))
