"""The length of the gradient."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.gradients import summed
from explorer.text import N_


def gradient(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """The length of the gradient at each place (Simonyan et al. 2014; Li et al. 2016)."""
    return summed(explained.gradient(own).norm(dim=-1), units)


METHOD = AttributionMethod(
    "gradient",
    MethodDescription(
        N_("Gradient"),
        N_("How fast the value changes with a word's vector: the length of the gradient."),
        N_("Simonyan et al. 2014; Li et al. 2016"),
        signed=False,
        in_units=False,
    ),
    lambda asked: gradient(asked.explained, asked.own, asked.units),
    by_unit=True,
    short=N_("gradient"),
    order=10,
)
