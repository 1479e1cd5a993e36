"""How well a score tells true facts from corrupted ones: ranks of what was taken out.

Bordes et al. 2013, section 4.2: the head of each fact is replaced by every entity in turn, the
corrupted facts are put in the order of their scores, and the true one's rank is kept; the same for
tails. "Filtered" leaves out corrupted facts that are true themselves.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ranks:
    """Ranks of true entities among all.

    Attributes:
        ranks: One for each entity that was asked for; the best is 1, and ties share their mean.
    """

    ranks: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean rank."""
        return float(self.ranks.mean())

    @property
    def reciprocal(self) -> float:
        """Mean reciprocal rank."""
        return float((1.0 / self.ranks).mean())

    def hits(self, at: int = 10) -> float:
        """Share of ranks up to `at`."""
        return float((self.ranks <= at).mean())


def rank_of(
    distances: NDArray[np.floating], true: int, others: NDArray[np.bool_] | None = None
) -> float:
    """The rank of an entity by distance, the nearest first.

    Args:
        distances: One for every entity.
        true: Which one is right.
        others: Where true, an entity is left out: it makes a true fact as well. The right one
            itself is never left out.
    """
    own = distances[true]
    counted = np.ones(len(distances), dtype=bool) if others is None else ~others
    counted[true] = False
    before = int((distances[counted] < own).sum())
    same = int((distances[counted] == own).sum())
    return 1.0 + before + same / 2.0
