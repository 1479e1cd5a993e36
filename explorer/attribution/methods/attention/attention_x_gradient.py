"""Attention times its gradient, in the last layer."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.attribution.looking import row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.layout import AttentionKind
from explorer.text import N_


def attention_x_gradient(asked: ScoresAsked) -> Any:
    """A * dA of the place that predicts, summed over the last layer's heads."""
    last, slope = asked.explained.flow()[-1]
    by_row = (last.weights * slope)[0].sum(0).detach()
    # What a decoder writes last is what is asked, and it looks at the text.
    return by_row[-1 if last.kind is AttentionKind.CROSS else row_of(asked.explained)]


METHOD = AttributionMethod(
    "attention_x_gradient",
    MethodDescription(
        N_("Attention × gradient"),
        N_(
            "The last layer's attention from the place that predicts, times how fast the value "
            "changes with it, summed over the heads."
        ),
        N_("Serrano and Smith 2019"),
        in_units=False,
    ),
    attention_x_gradient,
    short=N_("att. × grad."),
    order=130,
)
