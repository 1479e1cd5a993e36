"""Multinomial logistic regression with an L2 penalty: convex, so it has one answer and no seed.

The loss is the sum of -ln p over the examples plus half the squared weights, and the intercepts
are free: what scikit-learn's LogisticRegression fits with C = 1.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_STEPS = 500
TOLERANCE = 1e-4
"""Of the gradient of the mean loss, the largest entry at which it has converged."""

_MEMORY = 12
_SUFFICIENT = 1e-4


def fit(
    features: Reals,
    labels: Integers,
    classes: int,
    check: Callable[[], None] = lambda: None,
    begin: Reals | None = None,
) -> Reals:
    """The weights that minimise the penalised loss, by L-BFGS (Liu and Nocedal 1989).

    Steps are preconditioned with Böhning's bound of the Hessian (1992), which knows how features
    go together: states of a layer are highly correlated, and plain steps would take hundreds.

    Args:
        features: Examples x features, standardised.
        labels: Of each example, from 0.
        classes: How many labels there are.
        check: Called before every step; may raise to stop.
        begin: Weights to begin at, as those of a neighbouring fit.

    Returns:
        Features + 1 x classes; the last row holds the intercepts.
    """
    count, width = features.shape
    inputs = np.concatenate([features, np.ones((count, 1))], axis=1)
    wanted = np.zeros((count, classes))
    wanted[np.arange(count), labels] = 1.0
    penalty = np.full((width + 1, 1), 1.0 / count)
    penalty[-1] = 0.0
    bound = 0.25 * inputs.T @ inputs / count
    bound[np.diag_indices_from(bound)] += penalty[:, 0] + 1e-9
    inverse = np.linalg.inv(bound)

    def loss_of(weights: Reals) -> tuple[float, Reals]:
        scores = inputs @ weights
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        totals = chances.sum(axis=1, keepdims=True)
        loss = float((np.log(totals[:, 0]) - (scores * wanted).sum(axis=1)).mean())
        loss += 0.5 * float((penalty * weights**2).sum())
        chances /= totals
        chances -= wanted
        return loss, inputs.T @ chances / count + penalty * weights

    weights = np.zeros((width + 1, classes)) if begin is None else begin
    loss, slope = loss_of(weights)
    steps: deque[tuple[Reals, Reals]] = deque(maxlen=_MEMORY)
    for _ in range(MOST_STEPS):
        check()
        if np.abs(slope).max() < TOLERANCE:
            break
        way = _way(slope, steps, inverse)
        falls = float((slope * way).sum())
        size = 1.0
        tried, found = loss_of(weights + way)
        while tried > loss + _SUFFICIENT * size * falls and size > 1e-6:
            size /= 2.0
            tried, found = loss_of(weights + size * way)
        step, change = size * way, found - slope
        weights, loss, slope = weights + step, tried, found
        if float((step * change).sum()) > 1e-14:
            steps.append((step, change))
    return weights


def _way(slope: Reals, steps: "deque[tuple[Reals, Reals]]", inverse: Reals) -> Reals:
    """Minus the slope through the inverse Hessian that the last steps tell of (two loops)."""
    way = -slope
    shares: list[float] = []
    for step, change in reversed(steps):
        share = float((step * way).sum() / (step * change).sum())
        shares.append(share)
        way = way - share * change
    way = inverse @ way
    for (step, change), share in zip(steps, reversed(shares), strict=True):
        back = float((change * way).sum() / (step * change).sum())
        way = way + (share - back) * step
    return way


def scores(features: Reals, weights: Reals) -> Reals:
    """Scores of every class (examples x classes), before the softmax."""
    found: Any = features @ weights[:-1] + weights[-1]
    return np.asarray(found, dtype=np.float64)


def probabilities(features: Reals, weights: Reals) -> Reals:
    """The softmax of the scores."""
    found = scores(features, weights)
    found = np.exp(found - found.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True), dtype=np.float64)
