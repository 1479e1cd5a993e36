"""What of a distillation's plan says which losses there are, and between whom."""

from __future__ import annotations

from typing import Protocol

from explorer.learning.distilling.choices import (
    LayerMapping,
    NamedLosses,
    StudentStart,
    TaughtBy,
)
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.plan import TrainingPlan


class Distillation(Protocol):
    """A plan, as far as its losses and its contradictions look at it."""

    @property
    def targets(self) -> TaughtBy:
        """What the student is told."""

    @property
    def losses(self) -> NamedLosses:
        """Whose losses."""

    @property
    def alpha(self) -> float:
        """Share of the soft targets."""

    @property
    def temperature(self) -> float:
        """T."""

    @property
    def squared(self) -> bool:
        """The soft loss is multiplied by T squared."""

    @property
    def hidden(self) -> float:
        """Weight of the states."""

    @property
    def attention(self) -> float:
        """Weight of attention."""

    @property
    def projected(self) -> bool:
        """The student's states are mapped to the teacher's width."""

    @property
    def layer_map(self) -> LayerMapping:
        """Which of the teacher's layers each learns from."""

    @property
    def own_map(self) -> str:
        """Those that were typed."""

    @property
    def start(self) -> StudentStart:
        """What weights the student begins with."""

    @property
    def objective(self) -> Objective:
        """What it predicts."""

    @property
    def layers(self) -> int:
        """The student's."""

    @property
    def width(self) -> int:
        """Of the student's states."""

    @property
    def heads(self) -> int:
        """In a layer of the student."""

    @property
    def length(self) -> int:
        """Tokens of the longest text."""

    @property
    def path(self) -> str:
        """A text file; "" for none."""

    @property
    def student_plan(self) -> TrainingPlan:
        """How the student would be trained alone."""
