"""Attributions by gradients: pure functions of what is explained and of vectors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.questions.cause.explained import ExplainedAnswer, Units

Scores = NDArray[np.float64]
"""One a unit."""


def summed(per_place: Any, units: Units) -> Scores:
    """A number a place as a number a unit."""
    found = np.asarray(per_place.numpy(), dtype=np.float64)
    return np.array([found[list(unit)].sum() for unit in units])


def gradient(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """The length of the gradient at each place (Simonyan et al. 2014; Li et al. 2016)."""
    return summed(explained.gradient(own).norm(dim=-1), units)


def gradient_x_input(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """The gradient times the vector (Shrikumar et al. 2017)."""
    return summed((explained.gradient(own) * own.cpu().double()).sum(-1), units)


def integrated_gradients(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, steps: int
) -> Scores:
    """Gradients along the straight way from a baseline, times the way (Sundararajan et al. 2017).

    The integral is taken by Gauss-Legendre quadrature: exact for polynomials of a degree below
    twice the steps.

    Args:
        explained: The number.
        own: The text's vectors (places x width).
        baseline: Those of the baseline.
        units: What is scored.
        steps: Points along the way.
    """
    import torch

    shares, weights = (torch.from_numpy(one).to(own) for one in quadrature(steps))
    way = own - baseline
    along = explained.gradients(baseline + shares[:, None, None] * way)
    mean = (weights.cpu().double()[:, None, None] * along).sum(0)
    return summed((mean * way.cpu().double()).sum(-1), units)


def sequential_integrated_gradients(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, steps: int
) -> Scores:
    """As integrated gradients, each unit from a baseline that keeps all others (Enguehard 2023).

    The scores of a unit's numbers add up to what occluding it takes away, as only it goes its way.
    """
    import torch

    shares, weights = (torch.from_numpy(one).to(own) for one in quadrature(steps))
    weights = weights.cpu().double()[:, None, None]
    whole = own - baseline
    found: list[float] = []
    # The ways of as many units as are read at once anyway.
    together = max(1, explained.at_once(len(own), traced=True) // steps)
    for start in range(0, len(units), together):
        some = units[start : start + together]
        ways = torch.zeros(len(some), *own.shape, dtype=own.dtype, device=own.device)
        for way, unit in zip(ways, some, strict=True):
            way[list(unit)] = whole[list(unit)]
        points = own + (shares - 1)[:, None, None] * ways[:, None]
        along = explained.gradients(points.flatten(0, 1)).unflatten(0, (len(some), steps))
        mean = (weights * along).sum(1)
        found += (mean * ways.cpu().double()).sum((1, 2)).tolist()
    return np.array(found)


def quadrature(steps: int) -> tuple[Scores, Scores]:
    """Points of [0, 1] and their weights, which add up to 1."""
    points, weights = np.polynomial.legendre.leggauss(steps)
    return 0.5 * (points + 1.0), 0.5 * weights
