"""Attention from the place that predicts, the mean of all layers and heads."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.looking import looked_at, on_text
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.combined import MEAN, HeadOrMean, combined
from explorer.hf.attention.weights import AttendingStack
from explorer.text import N_


def mean_attention(asked: ScoresAsked) -> Scores:
    """The mean of all layers and heads."""

    def mean(stack: AttendingStack) -> Any:
        return combined(stack, HeadOrMean(over=MEAN), asked.context)

    return on_text(looked_at(asked.explained, mean, mean, None), len(asked.own))


METHOD = AttributionMethod(
    "attention",
    MethodDescription(
        N_("Attention, mean"),
        N_("Attention from the place that predicts, the mean of all layers and heads."),
        N_("Jain and Wallace 2019, who doubt it"),
        signed=False,
        in_units=False,
    ),
    mean_attention,
    short=N_("mean att."),
    order=110,
)
