"""Value zeroing in the last layer (Mohebbi et al. 2023)."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.attribution.looking import row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.attribution.value_zeroing import changes
from explorer.text import N_


def last_change(asked: ScoresAsked) -> Any:
    """The row of the place that predicts in the last layer's changes."""
    return changes(asked)[-1][row_of(asked.explained)]


METHOD = AttributionMethod(
    "value_zeroing",
    MethodDescription(
        N_("Value zeroing, last layer"),
        N_(
            "How far the state that predicts moves where a word's values are zero in the last "
            "layer: the cosine distance, as a share of all words'."
        ),
        N_("Mohebbi et al. 2023"),
        signed=False,
        in_units=False,
    ),
    last_change,
    texts=lambda tokens, _steps, _samples: tokens,
    short=N_("zeroing"),
    order=160,
)
