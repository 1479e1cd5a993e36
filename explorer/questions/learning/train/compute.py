"""Has a plan trained by a process of its own, and follows what that leaves in the run's folder."""

import time
from collections.abc import Sequence
from typing import Any

from explorer.api.question import Context, ModelStamp
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.cost import expected
from explorer.questions.learning.followed import (
    followed_of,
    listed_of,
    listed_runs,
    other_seeds,
    trained,
)
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
    return TrainResult(
        ModelStamp(plan.stem if one is None else one.name, "", plan.fingerprint, "meta", ""),
        expected(cost_of(plan), runs),
        None if one is None or not one.is_one else followed_of(one),
        tuple(map(listed_of, runs)),
        time.time_ns(),
        tuple(notes),
        other_seeds(runs, one),
    )
