"""What is lost without each unit."""

from typing import Any

import numpy as np

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.removals import values_of
from explorer.text import N_


def occlusion(explained: ExplainedAnswer, own: Any, baseline: Any, units: Units) -> Scores:
    """What is lost without each unit (Zeiler and Fergus 2014)."""
    present = np.concatenate([np.ones((1, len(units)), bool), ~np.eye(len(units), dtype=bool)])
    values = values_of(explained, own, baseline, units, present)
    lost: Scores = values[0] - values[1:]
    return lost


METHOD = AttributionMethod(
    "occlusion",
    MethodDescription(
        N_("Occlusion"),
        N_("What the value loses when the baseline replaces a word."),
        N_("Zeiler and Fergus 2014"),
    ),
    lambda asked: occlusion(asked.explained, asked.own, asked.baseline, asked.units),
    by_unit=True,
    takes=frozenset({"baseline"}),
    texts=lambda tokens, _steps, _samples: tokens,
    short=N_("occlusion"),
    order=50,
)
