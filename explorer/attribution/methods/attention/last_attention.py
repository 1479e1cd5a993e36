"""Attention from the place that predicts, the mean of the last layer's heads."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.looking import looked_at, on_text
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.combined import MEAN, HeadOrMean, combined
from explorer.hf.attention.weights import AttendingStack
from explorer.text import N_


def last_attention(asked: ScoresAsked) -> Scores:
    """The mean of the last layer's heads."""

    def last(stack: AttendingStack) -> Any:
        return combined(stack, HeadOrMean(stack.layers - 1, over=MEAN), asked.context)

    return on_text(looked_at(asked.explained, last, last, None), len(asked.own))


METHOD = AttributionMethod(
    "last_attention",
    MethodDescription(
        N_("Attention, last layer"),
        N_("Attention from the place that predicts, the mean of the last layer's heads."),
        N_("Jain and Wallace 2019, who doubt it"),
        signed=False,
        in_units=False,
    ),
    last_attention,
    short=N_("last att."),
    order=100,
)
