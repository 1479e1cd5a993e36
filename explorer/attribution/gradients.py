"""Attributions by gradients: pure functions of what is explained and of vectors."""

from typing import Any

import numpy as np

from explorer.api.attribution import Scores
from explorer.attribution.explained import Units


def summed(per_place: Any, units: Units) -> Scores:
    """A number a place as a number a unit."""
    found = np.asarray(per_place.numpy(), dtype=np.float64)
    return np.array([found[list(unit)].sum() for unit in units])


def quadrature(steps: int) -> tuple[Scores, Scores]:
    """Points of [0, 1] and their weights, which add up to 1."""
    points, weights = np.polynomial.legendre.leggauss(steps)
    return 0.5 * (points + 1.0), 0.5 * weights
