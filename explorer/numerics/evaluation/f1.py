"""F1 of a number that says "yes" above a threshold, with an interval over groups of examples.

F1 = 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall (van Rijsbergen 1979); 0
where nothing is found.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Numbers = NDArray[np.floating[Any]]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

DRAWS = 1000
"""Samples of the bootstrap."""


@dataclass(frozen=True)
class FoundF1:
    """How well examples with a label were found.

    Attributes:
        value: F1.
        low: The lower end of the bootstrap's 95 % interval.
        high: The upper end.
        precision: Of the examples that were said to have the label, the share that has it.
        recall: Of those that have it, the share that was found.
    """

    value: float
    low: float
    high: float
    precision: float
    recall: float


def best_thresholds(values: Numbers, labels: NDArray[np.bool_]) -> tuple[Reals, Reals]:
    """The threshold of each column with which it finds a label best.

    Args:
        values: Examples x columns: an example is said to have the label where the number is the
            threshold at least.
        labels: Examples x labels: which have it.

    Returns:
        F1 (labels x columns), and the thresholds; of several equal ones the highest.
    """
    count, columns = values.shape
    order = np.argsort(-values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    # A threshold takes all examples of one number or none of them.
    ends = np.ones((count, columns), dtype=bool)
    ends[:-1] = ordered[1:] != ordered[:-1]
    said = np.arange(1, count + 1)[:, None]
    scores, thresholds = [], []
    for label in labels.T:
        hits = np.cumsum(label[order], axis=0)
        f1 = np.where(ends, 2.0 * hits / (said + label.sum()), -1.0)
        at = f1.argmax(axis=0)
        scores.append(np.take_along_axis(f1, at[None], axis=0)[0])
        thresholds.append(np.take_along_axis(ordered, at[None], axis=0)[0].astype(np.float64))
    return np.array(scores), np.array(thresholds)


def found_f1(said: Booleans, true: Booleans, groups: Integers, seed: int = 0) -> FoundF1:
    """F1 of what was said, with the percentile bootstrap's interval (Efron 1979).

    Whole groups are drawn, as texts: words of one text are not independent of each other.

    Args:
        said: Of each example, whether it was said to have the label.
        true: Whether it has it.
        groups: The group that each is in, any numbers.
        seed: Of the draws.
    """
    _names, number = np.unique(groups, return_inverse=True)
    kinds = np.stack([said & true, said & ~true, ~said & true], axis=1).astype(np.float64)
    counts = np.zeros((int(number.max(initial=-1)) + 1, 3))
    np.add.at(counts, number, kinds)
    drawn = np.random.default_rng(seed).multinomial(
        len(counts), np.full(len(counts), 1.0 / len(counts)), size=DRAWS
    )
    low, high = np.quantile(_f1(drawn @ counts), [0.025, 0.975])
    hits, wrong, missed = counts.sum(axis=0)
    return FoundF1(
        float(_f1(counts.sum(axis=0)[None])[0]),
        float(low),
        float(high),
        float(hits / (hits + wrong)) if hits + wrong else 0.0,
        float(hits / (hits + missed)) if hits + missed else 0.0,
    )


def _f1(counts: Reals) -> Reals:
    """Of rows of hits, false alarms and misses."""
    hits, wrong, missed = counts.T
    below = 2 * hits + wrong + missed
    found: Reals = np.divide(2 * hits, below, out=np.zeros_like(below), where=below > 0)
    return found
