"""From a plan to the recipe that trains it."""

from __future__ import annotations

from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.plan.plan import TrainingPlan


def recipe_of(plan: TrainingPlan) -> PlannedRecipe:
    """How a plan's model is trained.

    Raises:
        UserMistake: It can't be trained as it stands.
    """
    from explorer.learning.objectives.masked import MaskedRecipe

    plan.check()
    return MaskedRecipe(plan)
