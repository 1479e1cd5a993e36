"""The text that a plan names."""

from __future__ import annotations

from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.training_text import TrainingText
from explorer.learning.texts.worlds import WorldText


def text_of(plan: TrainingPlan) -> TrainingText:  # noqa: ARG001
    """The text that a plan names."""
    return WorldText()
