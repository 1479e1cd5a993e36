"""Whether scores say what the model goes by: words taken away, or put in, in their order.

Deletion and insertion are those of Petsiuk et al. 2018, comprehensiveness and sufficiency those of
ERASER (DeYoung et al. 2020, section 4.1), all in the units of what is explained.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.api.attribution import Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.removals import values_of

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Of the units that are taken for comprehensiveness and sufficiency, as in ERASER."""


@dataclass(frozen=True)
class FaithfulnessCurves:
    """The value while words go, or come, the highest score first.

    Attributes:
        deletion: Without the first 0, 1, ... units; the last one is the baseline's.
        insertion: With the first 0, 1, ... units alone; the last one is the text's.
    """

    deletion: Scores
    insertion: Scores


def curves_of(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, scores: Scores
) -> FaithfulnessCurves:
    """Both curves, in one go."""
    count = len(units)
    order = np.argsort(-scores, kind="stable")
    going = np.ones((count + 1, count), bool)
    for step, unit in enumerate(order, start=1):
        going[step:, unit] = False
    values = values_of(explained, own, baseline, units, np.concatenate([going, ~going]))
    return FaithfulnessCurves(values[: count + 1], values[count + 1 :])


def comprehensiveness(deletion: Scores) -> float:
    """How much the value loses without the words that score highest; more is better."""
    return float(deletion[0] - np.mean(deletion[taken(len(deletion) - 1)]))


def sufficiency(insertion: Scores) -> float:
    """How much the value loses with these words alone; less is better."""
    return float(insertion[-1] - np.mean(insertion[taken(len(insertion) - 1)]))


def taken(units: int) -> list[int]:
    """How many units each share is: one at least."""
    return [max(1, math.ceil(share * units)) for share in SHARES]
