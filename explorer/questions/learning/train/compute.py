"""Has a plan trained by a process of its own, and follows what that leaves in the run's folder."""

from collections.abc import Sequence
from typing import Any

from explorer.api.question import Context
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.cost import expected
from explorer.questions.learning.followed import listed_runs, result_of, trained
from explorer.questions.learning.train.question import TrainRequest, TrainResult
from explorer.text import Phrase


def run(_model: Any, request: TrainRequest, context: Context) -> TrainResult:
    """Train, or look how far it is; follow it while it is at work.

    Raises:
        UserMistake: The plan contradicts itself, or the run can't be read.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    return trained(request, context, _looked)


def _looked(
    trainings: Trainings, request: TrainRequest, one: RunFolder | None, notes: Sequence[Phrase]
) -> TrainResult:
    plan = request.plan
    runs = listed_runs(trainings, TrainingPlan.kind)
    cost = expected(cost_of(plan), runs)
    return result_of(TrainResult, plan, one, runs, cost, notes)
