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
Singles = NDArray[np.float32]
Integers = NDArray[np.int64]

MOST_STEPS = 500
TOLERANCE = 2e-5
"""Of the gradient of the mean loss, the largest entry at which it has converged."""

REFINED_AT = 4
"""The step at which the Hessian is looked at anew: most examples are told apart by then."""

_MEMORY = 12
_SUFFICIENT = 1e-4
_MOST_SCALED = 20.0

_ONE_THREAD = 2**18
"""Multiplications up to which BLAS starts no threads; on a busy machine they wait for each other
far longer than such a product takes."""

_FEWEST_ROWS = 32


class _Inputs:
    """The examples with a 1 behind each, as products with them are quick: in blocks of rows.

    They are of single precision, and so are the products: a gradient needs no more digits.

    Args:
        features: Examples x features.
        classes: How many rows products have.
    """

    def __init__(self, features: Reals, classes: int) -> None:
        self.count, width = features.shape
        rows = _ONE_THREAD // ((width + 1) * classes)
        if rows < _FEWEST_ROWS:
            rows = self.count
        self.rows = rows
        self._blocks = np.zeros((-(-self.count // rows), rows, width + 1), dtype=np.float32)
        # What is behind the last example stays zero, and adds nothing to a sum of products.
        self._flat = self._blocks.reshape(-1, width + 1)[: self.count]
        self._flat[:, :-1] = features
        self._flat[:, -1] = 1.0
        self._turned = self._blocks.transpose(0, 2, 1)

    def scores(self, weights: Reals) -> Singles:
        """Blocks x classes x rows."""
        found: Singles = weights.astype(np.float32) @ self._turned
        return found

    def gathered(self, residuals: Singles) -> Reals:
        """The sum over examples of a residual times the inputs. Shape [classes, features + 1]."""
        found: Reals = (residuals @ self._blocks).sum(axis=0, dtype=np.float64)
        return found

    def squared(self, shares: Singles | None = None) -> Reals:
        """The inputs, transposed, times themselves, each example with its share."""
        weighted = self._flat if shares is None else self._flat * shares[:, None]
        return (self._flat.T @ weighted).astype(np.float64)


@dataclass(frozen=True)
class _Point:
    """Where a search stands.

    Attributes:
        weights: Shape [classes, features + 1].
        loss: The penalised mean loss.
        slope: Its gradient.
        chances: Of every class, blocks x classes x rows.
    """

    weights: Reals
    loss: float
    slope: Reals
    chances: Singles


class _Loss:
    """The penalised mean loss of one set of examples.

    Args:
        features: Examples x features.
        labels: Of each.
        classes: How many there are.
    """

    def __init__(self, features: Reals, labels: Integers, classes: int) -> None:
        self._inputs = _Inputs(features, classes)
        self._count, width = features.shape
        every = np.arange(self._count)
        rows = self._inputs.rows
        self._own = (every // rows, labels, every % rows)
        self._places = (every // rows, every % rows)
        self._penalty = np.full(width + 1, 1.0 / self._count)
        self._penalty[-1] = 0.0

    def at(self, weights: Reals) -> _Point:
        """The loss with these weights."""
        scores = self._inputs.scores(weights)
        scores -= scores.max(axis=1, keepdims=True)
        own = scores[self._own]
        chances = np.exp(scores, out=scores)
        totals = chances.sum(axis=1, keepdims=True)
        loss = (np.log(totals[:, 0][self._places]) - own).mean(dtype=np.float64)
        chances /= totals
        residuals = chances.copy()
        residuals[self._own] -= 1.0
        held = self._penalty * weights
        return _Point(
            weights,
            float(loss) + 0.5 * float((held * weights).sum()),
            self._inputs.gathered(residuals) / self._count + held,
            chances,
        )

    def bound(self) -> Reals:
        """The inverse of Böhning's bound of the Hessian (1992), alike for all classes."""
        return self._inverse(0.25 * self._inputs.squared())

    def curvature(self, chances: Singles) -> tuple[Reals, Reals]:
        """The inverse of the mean of the Hessian's blocks, and a scale for each class."""
        spread = chances * (1.0 - chances)
        every = spread.transpose(0, 2, 1)[self._places]
        mean = every.mean(dtype=np.float64)
        own = np.maximum(every.mean(axis=0, dtype=np.float64), mean / _MOST_SCALED)
        return self._inverse(self._inputs.squared(every.mean(axis=1))), mean / own[:, None]

    def _inverse(self, squared: Reals) -> Reals:
        squared /= self._count
        squared[np.diag_indices_from(squared)] += self._penalty + 1e-9
        return np.asarray(np.linalg.inv(squared), dtype=np.float64)


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
    still counts.

    Args:
        features: Examples x features, standardised.
        labels: Of each example, from 0.
        classes: How many labels there are.
        check: Called before every step; may raise to stop.
        begin: Weights to begin at, as those of a neighbouring fit.

    Returns:
        Features + 1 x classes; the last row holds the intercepts.
    """
    loss = _Loss(features, labels, classes)
    here = loss.at(np.zeros((classes, features.shape[1] + 1)) if begin is None else begin.T)
    inverse, scale = loss.bound(), np.ones((classes, 1))
    steps: deque[tuple[Reals, Reals]] = deque(maxlen=_MEMORY)
    for number in range(MOST_STEPS):
        check()
        if np.abs(here.slope).max() < TOLERANCE:
            break
        if number == REFINED_AT:
            inverse, scale = loss.curvature(here.chances)
            steps.clear()
        way = _way(here.slope, steps, inverse, scale)
        falls = float((here.slope * way).sum())
        size = 1.0
        there = loss.at(here.weights + way)
        while there.loss > here.loss + _SUFFICIENT * size * falls and size > 1e-6:
            size /= 2.0
            there = loss.at(here.weights + size * way)
        step, change = size * way, there.slope - here.slope
        here = there
        if float((step * change).sum()) > 1e-14:
            steps.append((step, change))
    return here.weights.T


def _way(slope: Reals, steps: "deque[tuple[Reals, Reals]]", inverse: Reals, scale: Reals) -> Reals:
    """Minus the slope through the inverse Hessian that the last steps tell of (two loops)."""
    way = -slope
    shares: list[float] = []
    for step, change in reversed(steps):
        share = float((step * way).sum() / (step * change).sum())
        shares.append(share)
        way = way - share * change
    way = scale * (way @ inverse)
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
