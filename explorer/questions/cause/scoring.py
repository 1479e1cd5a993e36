"""Every method by its name: scores of what is explained, for the page and for the benchmark."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.questions.cause import gradients, removals
from explorer.questions.cause.explained import ExplainedAnswer, Units
from explorer.questions.cause.gradients import Scores
from explorer.questions.cause.looking import attention
from explorer.questions.cause.method import AttributionMethod


@dataclass(frozen=True)
class Effort:
    """How much is done.

    Attributes:
        steps: Points along the way of integrated gradients.
        samples: Orders that Shapley values are sampled from, each there and back.
        seed: Of the orders.
    """

    steps: int = 50
    samples: int = 25
    seed: int = 0


@dataclass(frozen=True)
class ScoredUnits:
    """What a method found.

    Attributes:
        scores: One a unit.
        errors: Standard errors of sampled scores, one a unit; empty where nothing is sampled.
    """

    scores: Scores
    errors: Scores


def scored(
    explained: ExplainedAnswer,
    method: AttributionMethod,
    own: Any,
    baseline: Any,
    units: Units,
    effort: Effort,
) -> ScoredUnits:
    """Scores of units by one method.

    Args:
        explained: The number.
        method: Which.
        own: The text's vectors (places x width).
        baseline: Those of the baseline; the same as the text's at places that are kept.
        units: What is scored.
        effort: How much is done.

    Raises:
        UserMistake: The method needs gradients, and the model's number type is too coarse.
        Unavailable: It reads attention, and the model's can't be had.
        MachineFault: The answers are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    none: Scores = np.zeros(0)
    if method.about.looks:
        return ScoredUnits(attention(explained, method, units), none)
    if method is AttributionMethod.SHAPLEY:
        some = effort.samples, effort.seed
        return ScoredUnits(*removals.shapley(explained, own, baseline, units, *some))
    return ScoredUnits(_ways(explained, own, baseline, units, effort)[method](), none)


def _ways(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, effort: Effort
) -> dict[AttributionMethod, Callable[[], Scores]]:
    between = (explained, own, baseline, units)
    return {
        AttributionMethod.GRADIENT: lambda: gradients.gradient(explained, own, units),
        AttributionMethod.GRADIENT_X_INPUT: lambda: gradients.gradient_x_input(
            explained, own, units
        ),
        AttributionMethod.INTEGRATED_GRADIENTS: lambda: gradients.integrated_gradients(
            *between, effort.steps
        ),
        AttributionMethod.SEQUENTIAL_INTEGRATED_GRADIENTS: lambda: (
            gradients.sequential_integrated_gradients(*between, effort.steps)
        ),
        AttributionMethod.OCCLUSION: lambda: removals.occlusion(*between),
        AttributionMethod.DELETION: lambda: removals.deletion(explained, own, units),
    }
