"""Multinomial logistic regression with an L2 penalty: convex, so it has one answer and no seed.

The loss is the sum of -ln p over the examples plus half the squared weights, and the intercepts
are free: what scikit-learn's LogisticRegression fits with C = 1.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Numbers = NDArray[np.floating[Any]]
Integers = NDArray[np.int64]

MOST_STEPS = 1000
TOLERANCE = 1e-8
"""Of the gradient of the mean loss, the largest entry at which it has converged. Words on the edge
between two labels are told apart by the last digits: at 2e-5 two in a hundred withheld words had
another label than at the optimum."""

SINGLE_UP_TO = 1e-5
"""Down to this, single precision is enough, and takes half the time."""

REFINED_AT = 4
"""The step at which the Hessian is looked at anew: most examples are told apart by then."""

PARTED_AT = 16
"""The step at which each class gets a Hessian of its own."""

_MOST_PARTED = 2**24
"""Numbers that the Hessians of all classes may have together."""

_Step = tuple[Reals, Reals, float]
"""A step, how the slope changed on it, and their product."""

_MEMORY = 12
_SUFFICIENT = 1e-4
_MOST_SCALED = 20.0


@dataclass(frozen=True)
class _SearchPoint:
    """Where a search stands.

    Attributes:
        weights: Shape [classes, features + 1].
        loss: The penalised mean loss.
        slope: Its gradient.
        chances: Of every class, classes x examples.
    """

    weights: Reals
    loss: float
    slope: Reals
    chances: Numbers


class _Loss:
    """The penalised mean loss of one set of examples.

    Args:
        features: Examples x features.
        labels: Of each.
    """

    def __init__(self, features: Reals, labels: Integers) -> None:
        self._count, width = features.shape
        self._exact = np.c_[features, np.ones(self._count)]
        self._single = self._exact.astype(np.float32)
        self._own = (labels, np.arange(self._count))
        self._penalty = np.full(width + 1, 1.0 / self._count)
        self._penalty[-1] = 0.0

    def at(self, weights: Reals, *, single: bool) -> _SearchPoint:
        """The loss with these weights."""
        inputs: Numbers = self._single if single else self._exact
        scores = weights.astype(inputs.dtype) @ inputs.T
        scores -= scores.max(axis=0)
        own = scores[self._own]
        chances = np.exp(scores, out=scores)
        totals = chances.sum(axis=0)
        loss = (np.log(totals) - own).mean(dtype=np.float64)
        chances /= totals
        residuals = chances.copy()
        residuals[self._own] -= 1.0
        held = self._penalty * weights
        return _SearchPoint(
            weights,
            float(loss) + 0.5 * float((held * weights).sum()),
            (residuals @ inputs).astype(np.float64) / self._count + held,
            chances,
        )

    def bound(self) -> Reals:
        """The inverse of Böhning's bound of the Hessian (1992), for all classes."""
        return self._inverse(np.float32(0.25))[None]

    def mean_curvature(self, chances: Numbers) -> Reals:
        """The inverse of the mean of the Hessian's blocks, scaled for each class."""
        spread = chances * (1.0 - chances)
        mean = spread.mean(dtype=np.float64)
        own = np.maximum(spread.mean(axis=1, dtype=np.float64), mean / _MOST_SCALED)
        found: Reals = self._inverse(spread.mean(axis=0)) * (mean / own)[:, None, None]
        return found

    def curvatures(self, chances: Numbers) -> Reals:
        """The inverse of the Hessian's block of each class."""
        return np.array([self._inverse(own) for own in chances * (1.0 - chances)])

    def _inverse(self, shares: Any) -> Reals:
        """Of the inputs times themselves, each example with its share, and the penalty."""
        squared = (self._single.T * shares) @ self._single
        squared = squared.astype(np.float64) / self._count
        squared[np.diag_indices_from(squared)] += self._penalty + 1e-9
        return _inverse_of(squared)


def _inverse_of(squared: Reals) -> Reals:
    """The inverse of a symmetric matrix, by Cholesky's factors: less than half of LU's time."""
    import torch

    lower, failed = torch.linalg.cholesky_ex(torch.from_numpy(squared))
    # Rounding can take from a curvature near zero what makes it positive.
    found = np.linalg.inv(squared) if failed else torch.cholesky_inverse(lower).numpy()
    return np.asarray(found, dtype=np.float64)


def fit(
    features: Reals,
    labels: Integers,
    classes: int,
    check: Callable[[], None] = lambda: None,
    begin: Reals | None = None,
) -> Reals:
    """The weights that minimise the penalised loss, by L-BFGS (Liu and Nocedal 1989).

    Steps are preconditioned, for states of a layer are highly correlated, and plain steps would
    take hundreds: at first with a bound of the Hessian, which knows how features go together;
    once most examples are told apart with its mean there, which also knows how much each of them
    still counts; and near the end with each class's own.

    Args:
        features: Examples x features, standardised.
        labels: Of each example, from 0.
        classes: How many labels there are.
        check: Called before every step; may raise to stop.
        begin: Weights to begin at, as those of a neighbouring fit.

    Returns:
        Features + 1 x classes; the last row holds the intercepts.
    """
    width = features.shape[1] + 1
    loss, single = _Loss(features, labels), True
    here = loss.at(np.zeros((classes, width)) if begin is None else begin.T, single=single)
    inverse = loss.bound()
    are_parted = classes * width**2 <= _MOST_PARTED
    steps: deque[_Step] = deque(maxlen=_MEMORY)
    for number in range(MOST_STEPS):
        check()
        steepest = np.abs(here.slope).max()
        if single and steepest < SINGLE_UP_TO:
            single = False
            here = loss.at(here.weights, single=single)
        elif steepest < TOLERANCE:
            break
        if number == REFINED_AT:
            inverse = loss.mean_curvature(here.chances)
            steps.clear()
        elif number == PARTED_AT and are_parted:
            inverse = loss.curvatures(here.chances)
            steps.clear()
        way = _way(here.slope, steps, inverse)
        falls = float(np.vdot(here.slope, way))
        size = 1.0
        there = loss.at(here.weights + way, single=single)
        while there.loss > here.loss + _SUFFICIENT * size * falls and size > 1e-6:
            size /= 2.0
            there = loss.at(here.weights + size * way, single=single)
        step, change = size * way, there.slope - here.slope
        here = there
        if (curved := float(np.vdot(step, change))) > 1e-18:
            steps.append((step, change, curved))
    return here.weights.T


def _way(slope: Reals, steps: "deque[_Step]", inverse: Reals) -> Reals:
    """Minus the slope through the inverse Hessian that the last steps tell of (two loops)."""
    way = -slope
    shares: list[float] = []
    for step, change, curved in reversed(steps):
        share = float(np.vdot(step, way)) / curved
        shares.append(share)
        way -= share * change
    way = (way[:, None] @ inverse)[:, 0]
    for (step, change, curved), share in zip(steps, reversed(shares), strict=True):
        way += (share - float(np.vdot(change, way)) / curved) * step
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
