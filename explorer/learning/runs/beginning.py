"""How a run of each kind of plan begins, and how many numbers it has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.plan.cost import parameters_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning.plan import TuningPlan

if TYPE_CHECKING:
    from explorer.learning.training import Between, TrainingRun


def begun(
    plan: RunPlan, runs: Path | None = None, meanwhile: Between | None = None
) -> TrainingRun[Any]:
    """A run before its first step; its recipe has `measures(run)`, which measures its frames.

    Args:
        plan: Of any kind.
        runs: Where the runs of what it needs lie; None where it is to do without them.
        meanwhile: What is done after each step of a teacher that is trained for it here.

    Raises:
        UserMistake: It can't be trained as it is.
    """
    if isinstance(plan, DistilPlan):
        from explorer.learning.distilling.recipes import begin

        return begin(plan, runs) if meanwhile is None else begin(plan, runs, meanwhile)
    if isinstance(plan, TuningPlan):
        from explorer.learning.tuning.recipe import TuningRecipe

        return TuningRecipe(plan).begin()
    from explorer.learning.objectives.recipes import recipe_of

    assert isinstance(plan, TrainingPlan)
    return recipe_of(plan).begin()


def numbers_of(plan: RunPlan) -> int:
    """How many numbers a frame of its run holds, about."""
    if isinstance(plan, DistilPlan):
        return parameters_of(plan.with_pieces)
    if isinstance(plan, TuningPlan):
        from explorer.learning.tuning.models import files_of, numbers_in

        return numbers_in(files_of(plan.model_folder))
    assert isinstance(plan, TrainingPlan)
    return parameters_of(plan)
