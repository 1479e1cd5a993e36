"""Intervals of rates and of the area under a ROC where what is judged comes in clusters.

The tokens of a sentence are judged together, so they tell less than as many independent ones. The
sentence is the cluster, and the sentences are what is drawn at random.
"""

import math

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Z = 1.959963984540054
"""Of the normal distribution, for 95 %."""


def rate_interval(hits: NDArray[np.int64], among: NDArray[np.int64]) -> Interval | None:
    """Wilson's 95 % interval of a rate, with the effective number of trials (Rao and Scott 1992).

    Args:
        hits: Of each cluster.
        among: Trials of each cluster.

    Returns:
        None where nothing was tried, or there is one cluster alone.
    """
    trials, clusters = int(among.sum()), int((among > 0).sum())
    if trials == 0 or clusters < 2:
        return None
    rate = float(hits.sum()) / trials
    binomial = rate * (1.0 - rate) / trials
    apart = hits - rate * among
    clustered = clusters / (clusters - 1) * float((apart * apart).sum()) / trials**2
    # Clusters that agree by chance better than independent trials make nothing surer.
    effect = max(1.0, clustered / binomial) if binomial > 0.0 else 1.0
    return wilson(rate, trials / effect)


def wilson(rate: float, trials: float) -> Interval:
    """Wilson's 95 % interval of a rate (Wilson 1927).

    Args:
        rate: The share that was found.
        trials: Of how many independent ones.
    """
    square = Z * Z
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    spread = Z * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials**2))
    half = spread / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def area_interval(
    scores: NDArray[np.float32], truth: NDArray[np.bool_], cluster: NDArray[np.int32]
) -> tuple[float, Interval | None] | None:
    """The area under the ROC and its 95 % interval by clusters (Obuchowski 1997).

    Args:
        scores: Greater where something is more likely to be positive.
        truth: Whether it is.
        cluster: Which one it belongs to, from 0 on.

    Returns:
        The area, and None for its interval where there are fewer than two clusters of either
        truth; None where all are positive, or none is.
    """
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return None
    above = _share_below(scores[truth], scores[~truth])
    below = 1.0 - _share_below(scores[~truth], scores[truth])
    area = float(above.mean())
    count = int(cluster.max()) + 1
    own, other = cluster[truth], cluster[~truth]
    many, few = np.bincount(own, minlength=count), np.bincount(other, minlength=count)
    up = np.bincount(own, above, minlength=count) - many * area
    down = np.bincount(other, below, minlength=count) - few * area
    with_positives, with_negatives = int((many > 0).sum()), int((few > 0).sum())
    if with_positives < 2 or with_negatives < 2:
        return area, None
    all_of_them = int(((many > 0) | (few > 0)).sum())
    one = with_positives / ((with_positives - 1) * positives) * float((up * up).sum())
    two = with_negatives / ((with_negatives - 1) * negatives) * float((down * down).sum())
    both = all_of_them / (all_of_them - 1) * float((up * down).sum())
    variance = one / positives + two / negatives + 2 * both / (positives * negatives)
    half = Z * math.sqrt(max(variance, 0.0))
    return area, (max(0.0, area - half), min(1.0, area + half))


def _share_below(values: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of the others, the share that is less than each value; equal ones count one half."""
    ranked = np.sort(others)
    less = np.searchsorted(ranked, values, "left")
    not_more = np.searchsorted(ranked, values, "right")
    return (less + not_more) / (2.0 * len(others))
