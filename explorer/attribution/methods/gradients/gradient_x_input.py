"""The gradient times the vector."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.gradients import summed
from explorer.text import N_


def gradient_x_input(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """The gradient times the vector (Shrikumar et al. 2017)."""
    return summed((explained.gradient(own) * own.cpu().double()).sum(-1), units)


METHOD = AttributionMethod(
    "gradient_x_input",
    MethodDescription(
        N_("Gradient × input"),
        N_("The gradient times the word's vector, summed over the vector's numbers."),
        N_("Shrikumar et al. 2017"),
        in_units=False,
    ),
    lambda asked: gradient_x_input(asked.explained, asked.own, asked.units),
    by_unit=True,
    short=N_("grad. × in."),
    order=20,
)
