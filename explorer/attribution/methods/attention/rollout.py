"""Attention followed through all layers (Abnar and Zuidema 2020)."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.looking import looked_at, on_text
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.combined import MEAN, ROLLOUT, HeadOrMean, combined
from explorer.hf.attention.weights import AttendingStack
from explorer.text import N_


def rollout(asked: ScoresAsked) -> Scores:
    """Attention rollout; of a model that writes, behind the mean of what its decoder looks at."""

    def rolled(stack: AttendingStack) -> Any:
        return combined(stack, HeadOrMean(over=ROLLOUT), asked.context)

    def mean(stack: AttendingStack) -> Any:
        return combined(stack, HeadOrMean(over=MEAN), asked.context)

    return on_text(looked_at(asked.explained, rolled, mean, rolled), len(asked.own))


METHOD = AttributionMethod(
    "rollout",
    MethodDescription(
        N_("Attention rollout"),
        N_("Attention followed through all layers, half of each for what goes around it."),
        N_("Abnar and Zuidema 2020"),
        signed=False,
        in_units=False,
    ),
    rollout,
    short=N_("rollout"),
    order=120,
)
