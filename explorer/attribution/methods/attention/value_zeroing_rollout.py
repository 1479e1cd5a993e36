"""Value zeroing rolled out through all layers (Mohebbi et al. 2023)."""

from functools import reduce
from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.attribution.looking import row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.attribution.value_zeroing import changes
from explorer.text import N_


def rolled_out(asked: ScoresAsked) -> Any:
    """The product of all layers' changes, of the row of the place that predicts."""
    first, *others = changes(asked)
    return reduce(lambda below, own: own @ below, others, first)[row_of(asked.explained)]


METHOD = AttributionMethod(
    "value_zeroing_rollout",
    MethodDescription(
        N_("Value zeroing, rolled out"),
        N_(
            "How far each state moves where a word's values are zero in its layer, multiplied "
            "through all layers."
        ),
        N_("Mohebbi et al. 2023"),
        signed=False,
        in_units=False,
    ),
    rolled_out,
    texts=lambda tokens, _steps, _samples: 4.0 * tokens,
    short=N_("zer. rollout"),
    order=170,
)
