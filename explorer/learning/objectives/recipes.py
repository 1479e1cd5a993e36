"""From a plan to the recipe that trains it."""

from __future__ import annotations

from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.plan import TrainingPlan


def recipe_of(plan: TrainingPlan) -> PlannedRecipe:
    """How a plan's model is trained.

    Raises:
        UserMistake: It can't be trained as it stands.
    """
    from explorer.learning.objectives.boundary import BoundaryRecipe
    from explorer.learning.objectives.causal import CausalRecipe
    from explorer.learning.objectives.dropped import DroppedRecipe
    from explorer.learning.objectives.masked import MaskedRecipe
    from explorer.learning.objectives.replaced import ReplacedRecipe

    recipes: dict[Objective, type[PlannedRecipe]] = {
        Objective.MASKED: MaskedRecipe,
        Objective.REPLACED: ReplacedRecipe,
        Objective.BOUNDARY: BoundaryRecipe,
        Objective.CAUSAL: CausalRecipe,
        Objective.DROPPED: DroppedRecipe,
    }
    plan.check()
    return recipes[plan.objective](plan)
