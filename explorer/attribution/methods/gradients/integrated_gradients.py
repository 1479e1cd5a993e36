"""Gradients summed up along the straight way from a baseline."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.gradients import quadrature, summed
from explorer.text import N_


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


METHOD = AttributionMethod(
    "integrated_gradients",
    MethodDescription(
        N_("Integrated gradients"),
        N_(
            "Gradients summed up along the straight way from the baseline to the text; the scores "
            "add up to what the words change together."
        ),
        N_("Sundararajan et al. 2017"),
        adds_up=True,
    ),
    lambda asked: integrated_gradients(
        asked.explained, asked.own, asked.baseline, asked.units, asked.steps
    ),
    by_unit=True,
    takes=frozenset({"baseline", "steps"}),
    texts=lambda _tokens, steps, _samples: 3.0 * steps,
    short=N_("IG"),
    order=30,
)
