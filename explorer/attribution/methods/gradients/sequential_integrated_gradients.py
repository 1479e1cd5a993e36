"""Integrated gradients of each unit alone."""

from typing import Any

import numpy as np

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.gradients import quadrature
from explorer.text import N_


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


METHOD = AttributionMethod(
    "sequential_integrated_gradients",
    MethodDescription(
        N_("Sequential integrated gradients"),
        N_(
            "As integrated gradients, but each word goes its way from the baseline alone, with all "
            "other words in place."
        ),
        N_("Enguehard 2023"),
    ),
    lambda asked: sequential_integrated_gradients(
        asked.explained, asked.own, asked.baseline, asked.units, asked.steps
    ),
    by_unit=True,
    takes=frozenset({"baseline", "steps"}),
    texts=lambda tokens, steps, _samples: 3.0 * steps * tokens,
    short=N_("seq. IG"),
    order=40,
)
