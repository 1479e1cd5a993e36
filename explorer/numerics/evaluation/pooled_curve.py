"""The ROC of very many tokens."""

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.evaluation.outcomes import RocPoint

CURVE = 400
"""Points that are kept; more can't be told apart in a picture."""


def pooled_curve(
    probability: NDArray[np.float32], truth: NDArray[np.bool_]
) -> tuple[tuple[RocPoint, ...], float | None]:
    """The ROC of very many tokens, thinned to CURVE points, and the area under the whole of it."""
    positives = int(truth.sum())
    negatives = len(truth) - positives
    if not positives or not negatives:
        return (), None
    order = np.argsort(-probability, kind="stable")
    ranked = probability[order]
    hits = np.cumsum(truth[order])
    # Only where the next token's probability is another one does a threshold fall.
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    hit_rates = np.concatenate(([0.0], hits[ends] / positives))
    alarm_rates = np.concatenate(([0.0], (ends + 1 - hits[ends]) / negatives))
    below = np.concatenate(([1.0], ranked[np.minimum(ends + 1, len(ranked) - 1)]))
    below[-1] = 0.0
    area = float(np.trapezoid(hit_rates, alarm_rates))
    kept = np.unique(np.linspace(0, len(ends), min(CURVE, len(ends) + 1)).round().astype(int))
    points = zip(
        below[kept].tolist(), alarm_rates[kept].tolist(), hit_rates[kept].tolist(), strict=True
    )
    return tuple(RocPoint(*point) for point in points), area
