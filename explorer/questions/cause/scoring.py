"""Every method by its name: scores of what is explained, for the page and for the benchmark."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.questions.cause import gradients, removals
from explorer.questions.cause.explained import Explained, Units
from explorer.questions.cause.gradients import Scores
from explorer.questions.cause.looking import attention
from explorer.questions.cause.method import Method


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
class Scored:
    """What a method found.

    Attributes:
        scores: One a unit.
        errors: Standard errors of sampled scores, one a unit; empty where nothing is sampled.
    """

    scores: Scores
    errors: Scores


def scored(
    explained: Explained, method: Method, own: Any, baseline: Any, units: Units, effort: Effort
) -> Scored:
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
        return Scored(attention(explained, method, units), none)
    if method is Method.SHAPLEY:
        some = effort.samples, effort.seed
        return Scored(*removals.shapley(explained, own, baseline, units, *some))
    return Scored(_ways(explained, own, baseline, units, effort)[method](), none)


def _ways(
    explained: Explained, own: Any, baseline: Any, units: Units, effort: Effort
) -> dict[Method, Callable[[], Scores]]:
    between = (explained, own, baseline, units)
    return {
        Method.GRADIENT: lambda: gradients.gradient(explained, own, units),
        Method.GRADIENT_X_INPUT: lambda: gradients.gradient_x_input(explained, own, units),
        Method.INTEGRATED_GRADIENTS: lambda: gradients.integrated_gradients(*between, effort.steps),
        Method.SEQUENTIAL_INTEGRATED_GRADIENTS: lambda: gradients.sequential_integrated_gradients(
            *between, effort.steps
        ),
        Method.OCCLUSION: lambda: removals.occlusion(*between),
        Method.DELETION: lambda: removals.deletion(explained, own, units),
    }
