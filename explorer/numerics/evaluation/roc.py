"""The receiver operating characteristic: a detector at all thresholds, and the area under it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

CURVE = 400
"""Points of very many that are kept; more can't be told apart in a picture."""


@dataclass(frozen=True)
class RocPoint:
    """A detector at one threshold.

    Attributes:
        threshold: Above which a token is called replaced.
        false_alarm_rate: Share of the originals called so.
        hit_rate: Share of the replaced called so.
    """

    threshold: float
    false_alarm_rate: float
    hit_rate: float


def roc(probabilities: ArrayLike, replaced: ArrayLike) -> tuple[RocPoint, ...]:
    """The receiver operating characteristic, from the strictest threshold to the loosest.

    Args:
        probabilities: That a token was replaced, one a token.
        replaced: Whether it was.

    Returns:
        A point for each threshold that changes a verdict, from (0, 0) to (1, 1); nothing where
        all tokens are replaced, or none is.
    """
    found = _rates(np.asarray(probabilities), np.asarray(replaced, dtype=bool))
    return () if found is None else _points(*found)


def area_under(points: Sequence[RocPoint]) -> float | None:
    """The area under a ROC curve by trapezoids; None without a curve.

    It is how often a replaced token has a higher probability than an original one, ties counted
    half (Hanley and McNeil 1982).
    """
    if not points:
        return None
    hits, alarms = ([getattr(one, name) for one in points] for name in _RATES)
    return float(np.trapezoid(hits, alarms))


_RATES = ("hit_rate", "false_alarm_rate")


def pooled_curve(
    probability: NDArray[np.float32], truth: NDArray[np.bool_]
) -> tuple[tuple[RocPoint, ...], float | None]:
    """The ROC of very many tokens, thinned to CURVE points, and the area under the whole of it."""
    found = _rates(probability, truth)
    if found is None:
        return (), None
    thresholds, alarms, hits = found
    last = len(thresholds) - 1
    kept = np.unique(np.linspace(0, last, min(CURVE, last + 1)).round().astype(int))
    area = float(np.trapezoid(hits, alarms))
    return _points(thresholds[kept], alarms[kept], hits[kept]), area


def _points(thresholds: Floats, alarms: Floats, hits: Floats) -> tuple[RocPoint, ...]:
    rows = zip(thresholds.tolist(), alarms.tolist(), hits.tolist(), strict=True)
    return tuple(RocPoint(*row) for row in rows)


def _rates(
    probability: NDArray[np.floating], truth: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats] | None:
    """Thresholds from the strictest on, and the shares of false alarms and of hits at each.

    None where all are positive, or none is.
    """
    positives = int(truth.sum())
    negatives = len(truth) - positives
    if not positives or not negatives:
        return None
    order = np.argsort(-probability, kind="stable")
    ranked = probability[order]
    hits = np.cumsum(truth[order])
    # Only where the next token's probability is another one does a threshold fall.
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    hit_rates = np.concatenate(([0.0], hits[ends] / positives))
    alarm_rates = np.concatenate(([0.0], (ends + 1 - hits[ends]) / negatives))
    thresholds = np.concatenate(([1.0], ranked[np.minimum(ends + 1, len(ranked) - 1)]))
    thresholds[-1] = 0.0
    return thresholds, alarm_rates, hit_rates
