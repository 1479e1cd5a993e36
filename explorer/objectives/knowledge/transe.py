"""TransE: a relation is a step from its head's vector to its tail's.

Bordes et al. 2013: a fact (h, r, t) is likely where ``d(h + r, t)`` is small, d the L1 or the L2
distance (section 2). Each fact is held against one corrupted at its head or its tail, never at
both, and the margin ranking loss (equation 1) is ``max(0, margin + d(h + r, t) - d(h' + r, t'))``.
Vectors start uniformly in ``+-6 / sqrt(k)``; relations are made unit vectors once, entities before
every pass (algorithm 1).

Here a corrupted fact that is true itself is drawn again, which the paper leaves open. Steps are
Adam's instead of plain gradient steps: on graphs as small as ours the result is the same, sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.evaluation.link_prediction import Ranks, rank_of
from explorer.numerics.triples import Numbers, Triples

MARGIN = 1.0
DRAWS = 20
"""How often a corrupted fact that is true is drawn again; in a graph that says everything of
everybody there is no other one."""


@dataclass(frozen=True)
class Vectors:
    """What was learned, by number, float32.

    Attributes:
        entities: A vector each.
        relations: A vector each.
        norm: Of the distance: 1 or 2.
    """

    entities: NDArray[np.float32]
    relations: NDArray[np.float32]
    norm: int = 1

    def distances(self, head: int | None, relation: int, tail: int | None) -> NDArray[np.float32]:
        """``d(h + r, t)`` with every entity in the place of the end that is None."""
        if tail is None:
            step = self.entities[head] + self.relations[relation] - self.entities
        else:
            step = self.entities + self.relations[relation] - self.entities[tail]
        found: NDArray[np.float32] = np.linalg.norm(step, ord=self.norm, axis=1)
        return found


def corrupted(triples: Triples, facts: Numbers, generator: np.random.Generator) -> Numbers:
    """Facts with a random entity as their head or their tail, half of the time each.

    Args:
        triples: All that is true.
        facts: A fact a row.
        generator: Source of randomness.
    """
    made = facts.copy()
    wrong = np.arange(len(facts))
    for _ in range(DRAWS):
        side = np.where(generator.random(len(wrong)) < 0.5, 0, 2)
        made[wrong] = facts[wrong]
        made[wrong, side] = generator.integers(0, len(triples.entities), len(wrong))
        true = [tuple(row) in triples.known for row in made[wrong].tolist()]
        wrong = wrong[np.array(true, dtype=bool)]
        if not len(wrong):
            break
    return made


def distance(entities: Any, relations: Any, facts: Any, norm: int = 1) -> Any:
    """``d(h + r, t)`` of facts; torch.

    Args:
        entities: vectors, shape [entities, width].
        relations: vectors, shape [relations, width].
        facts: numbers, shape [facts, 3].
        norm: 1 or 2.
    """
    heads, steps, tails = entities[facts[:, 0]], relations[facts[:, 1]], entities[facts[:, 2]]
    return (heads + steps - tails).norm(p=norm, dim=-1)


def margin_ranking_loss(true: Any, false: Any, margin: float = MARGIN) -> Any:
    """``sum max(0, margin + d(h + r, t) - d(h' + r, t'))``; 0 where all are a margin apart.

    Args:
        true: distances of true facts, shape [facts].
        false: distances of their corrupted ones, same shape.
        margin: above 0.
    """
    return (margin + true - false).clamp(min=0).sum()


def train(
    triples: Triples,
    *,
    width: int,
    margin: float = MARGIN,
    norm: int = 1,
    passes: int = 200,
    batch: int = 512,
    rate: float = 0.01,
    seed: int = 0,
    told: Callable[[int, float], None] | None = None,
) -> Vectors:
    """Learn vectors of all entities and relations.

    Args:
        triples: What is true; at least one fact.
        width: Of a vector.
        margin: As in the loss.
        norm: Of the distance, 1 or 2.
        passes: Over all facts.
        batch: Facts in a step.
        rate: Adam's.
        seed: The same seed gives the same vectors.
        told: Called after every pass with its number, from 1, and the mean loss of a fact; what
            it raises ends the training.
    """
    import torch

    generator = np.random.default_rng(seed)
    bound = 6.0 / width**0.5
    entities, relations = (
        torch.tensor(
            generator.uniform(-bound, bound, (len(names), width)).astype(np.float32),
            requires_grad=True,
        )
        for names in (triples.entities, triples.relations)
    )
    optimiser = torch.optim.Adam([entities, relations], lr=rate)
    with torch.no_grad():
        relations /= relations.norm(dim=1, keepdim=True)
    for number in range(1, passes + 1):
        with torch.no_grad():
            entities /= entities.norm(dim=1, keepdim=True)
        order = generator.permutation(len(triples))
        total = 0.0
        for start in range(0, len(order), batch):
            facts = triples.facts[order[start : start + batch]]
            false = corrupted(triples, facts, generator)
            near, far = (
                distance(entities, relations, torch.from_numpy(rows), norm)
                for rows in (facts, false)
            )
            loss = margin_ranking_loss(near, far, margin)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += float(loss.detach())
        if told is not None:
            told(number, total / len(order))
    with torch.no_grad():
        entities /= entities.norm(dim=1, keepdim=True)
    return Vectors(entities.detach().numpy(), relations.detach().numpy(), norm)


def evaluate(vectors: Vectors, triples: Triples, facts: Numbers, *, filtered: bool = True) -> Ranks:
    """Ranks of the heads and the tails of facts, in this order for each fact.

    Args:
        vectors: What was learned.
        triples: All that is true, for filtering.
        facts: Those that are asked for, a row each.
        filtered: Corrupted facts that are true themselves don't count.
    """
    ranks = []
    heads: dict[tuple[int, int], list[int]] = {}
    tails: dict[tuple[int, int], list[int]] = {}
    for head, relation, tail in triples.known:
        heads.setdefault((relation, tail), []).append(head)
        tails.setdefault((head, relation), []).append(tail)

    def left_out(numbers: list[int]) -> NDArray[np.bool_] | None:
        if not filtered:
            return None
        others = np.zeros(len(triples.entities), dtype=bool)
        others[numbers] = True
        return others

    for head, relation, tail in facts.tolist():
        far = vectors.distances(None, relation, tail)
        ranks.append(rank_of(far, head, left_out(heads.get((relation, tail), []))))
        far = vectors.distances(head, relation, None)
        ranks.append(rank_of(far, tail, left_out(tails.get((head, relation), []))))
    return Ranks(np.array(ranks))
