"""Whether two sets of numbers have one order."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def mid_ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Places in rising order from 1 on; equal numbers share the mean of their places."""
    numbers = np.asarray(values, dtype=np.float64)
    _unused, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts - 1) / 2)[which.reshape(-1)]
    return ranks


def rank_correlation(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's: Pearson's correlation of the ranks.

    None for fewer than two pairs, or where one side has no order.
    """
    a, b = mid_ranks(first), mid_ranks(second)
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float((a * b).sum()) / spread if len(a) > 1 and spread > 0 else None


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b: pairs in the same order less those in the contrary one, of all that differ.

    None where one side has no order.
    """
    a, b = (np.asarray(one, dtype=np.float64) for one in (first, second))
    upper = np.triu_indices(len(a), 1)
    ours, theirs = (np.sign(one[:, None] - one[None, :])[upper] for one in (a, b))
    among = float(np.sqrt((ours**2).sum() * (theirs**2).sum()))
    return float((ours * theirs).sum()) / among if among else None
