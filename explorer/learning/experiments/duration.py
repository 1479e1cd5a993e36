"""About how long the runs of an experiment take, by what they are made of."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Final

from explorer.files.foreign import json_of
from explorer.learning.distilling.cost import distilling_cost, exact_seconds
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.experiments.definition import LEAST_SEEDS, Experiment, ExperimentWay
from explorer.learning.experiments.one_training import (
    RunPace,
    equalled,
    plan_as_said,
    plan_wanted,
)
from explorer.learning.experiments.running import wanted_runs
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning.cost import judging_cost, tuning_cost
from explorer.learning.tuning.plan import TuningPlan

USUAL_STEPS: Final = 1000
"""Of the small plan: the unit of work that runs are compared in."""
USUAL_SECONDS: Final = 35.0
"""That they take on one core of a usual machine."""
MEASURED: Final = 0.06
"""Units that a run takes besides its steps: its tokenizer, and what it is measured at."""
STEP: Final = 0.20
"""Of a step of the small plan, what every step takes. These shares were measured in one process,
step beside step: a step of small tensors is mostly overhead."""
LAYER: Final = 0.06
"""What a layer takes besides its multiply-adds."""
DRAWING: Final = 0.20
"""What it takes to draw replaced tokens."""
WORK: Final = 0.65
"""What as many multiply-adds take as the small plan has in a step."""
TUNED_STEP: Final = 0.08
"""Of a step of the small plan, what every step of fine-tuning takes."""
TUNED_WORK: Final = 0.85
"""What as many multiply-adds take in fine-tuning as the small plan has in a step: batches are
smaller. With BERT, whichever of its weights are trained, and with ALBERT a test holds that what
follows for a step is within half of what a step takes here."""
JUDGED_WORK: Final = 0.6
"""The same where texts are judged, many at a time."""
BEGUN: Final = 0.02
"""Units in which the model and the texts of a fine-tuning are read."""
ADVERSARIAL: Final = 2.0
"""What so often is taken of both in steps that also ask where embeddings mislead."""


def work_of(plan: RunPlan) -> float:
    """What a run takes, in trainings of the small plan; without that of its teacher."""
    if isinstance(plan, DistilPlan):
        whole, student = distilling_cost(plan), cost_of(plan.with_pieces)
        asked = (whole.multiply_adds - student.multiply_adds) / (_usual_work() * USUAL_STEPS)
        return work_of(plan.student_plan) + WORK * asked + exact_seconds(plan) / USUAL_SECONDS
    if isinstance(plan, TuningPlan):
        tuned, judged = (
            one(plan, plan.texts).multiply_adds / _usual_work()
            for one in (tuning_cost, judging_cost)
        )
        steps = TUNED_STEP * plan.steps + TUNED_WORK * tuned + JUDGED_WORK * judged
        return BEGUN + steps / USUAL_STEPS
    assert isinstance(plan, TrainingPlan)
    replaced = plan.objective is Objective.REPLACED
    layers = plan.layers * (2 if replaced else 1)
    work = (cost_of(plan).multiply_adds / plan.steps) / _usual_work()
    often = ADVERSARIAL if plan.settled().adversarial else 1.0
    step = often * (STEP + LAYER * layers) + (DRAWING if replaced else 0.0) + WORK * work
    return MEASURED + step * plan.steps / USUAL_STEPS


@functools.cache
def _usual_work() -> float:
    usual = TrainingPlan()
    return cost_of(usual).multiply_adds / usual.steps


def seconds_of(experiment: Experiment, *, short: bool) -> float:
    """About how long all runs take, one after the other, those of the control and teachers too."""
    wanted = wanted_runs(experiment, _about, short=short)
    plans = [plan_wanted(experiment, one) for one in wanted]
    teachers = {one for plan in plans for one in plan.needs}
    return USUAL_SECONDS * sum(map(work_of, (*plans, *teachers)))


def run_count(experiment: Experiment, *, short: bool) -> int:
    """How many runs a form has, those of the control too."""
    seeds = experiment.form(short=short).seeds
    controls = LEAST_SEEDS if experiment.control is not None else 0
    return len(experiment.ways) * (seeds + controls)


def _about(
    experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool, control: bool
) -> Mapping[str, Any]:
    """About the plan of a run: what is equal is reckoned, and no batch is counted."""
    said = functools.partial(plan_as_said, experiment, seed=seed, short=short, control=control)
    plan = equalled(experiment, way, said(experiment.ways[0]), said(way), _reckoned)
    found: Mapping[str, Any] = json_of(plan.to_json())
    return found


def _reckoned(plan: TrainingPlan) -> RunPace:
    cost = cost_of(plan)
    return RunPace(cost.tokens / plan.steps, cost.multiply_adds / plan.steps)
