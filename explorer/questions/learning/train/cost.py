"""What a plan will cost: reckoned from its sizes, and from how fast runs went here before."""

from collections.abc import Sequence

from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.disk_room import weights_of
from explorer.learning.runs.run_folder import RunFolder
from explorer.questions.learning.train.question import PlanCost

PASSES = 3
"""Forwards once; backwards each product is made twice, for its weights and for what came in."""
LOOKED_AT = 8
"""Runs that are looked at for how fast they went."""


def cost_of(plan: TrainingPlan, runs: Sequence[RunFolder]) -> PlanCost:
    """The cost of a plan, about.

    Args:
        plan: What is to be trained.
        runs: Those there are, the newest first.
    """
    tokens = plan.steps * plan.batch * plan.length
    weights = weights_of(plan)
    # A token is multiplied by the weights of all layers, by those of the head, and by the others.
    products = weights - plan.length * plan.width + 2 * plan.layers * plan.length * plan.width
    spent = float(PASSES * products * tokens)
    speed = _speed(runs)
    return PlanCost(weights, tokens, spent, None if speed is None else spent / speed)


def _speed(runs: Sequence[RunFolder]) -> float | None:
    """Multiply-adds a second of the newest run that counted them."""
    for one in runs[:LOOKED_AT]:
        last = next(iter(one.curve()[-1:]), {})
        seconds, spent = last.get("seconds"), last.get("multiply_adds")
        if isinstance(seconds, int | float) and isinstance(spent, int | float) and seconds > 0:
            return float(spent) / float(seconds)
    return None
