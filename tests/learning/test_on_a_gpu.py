"""Training and distilling on a GPU come to what they come to on the CPU."""

import dataclasses
import json

import pytest

from explorer.learning.distilling.choices import NamedLosses, TaughtBy
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.plan.choices import Objective, PairObjective, TrainedOn
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.beginning import begun
from explorer.learning.runs.step_work import StepWork
from tests.simulated_gpu import simulated_gpu

SMALL = {"layers": 1, "width": 16, "heads": 2, "batch": 4, "length": 32, "steps": 2}
PLANS = {
    one.value: TrainingPlan(objective=one, documents=8, vocabulary=300, **SMALL)
    for one in Objective
} | {
    "pairs": TrainingPlan(
        pairs=PairObjective.NEXT, adversarial=1.0, documents=8, vocabulary=300, **SMALL
    ),
    "teacher": DistilPlan(
        teacher="bert-miniature", losses=NamedLosses.TINYBERT, **SMALL | {"heads": 4}
    ),
    "ported": DistilPlan(teacher="deberta-v1-miniature", **SMALL),
    "exact": DistilPlan(targets=TaughtBy.EXACT, vocabulary=300, **SMALL),
}

MEASURED = {"pairs", "teacher"}
"""Of which a frame is measured too: beside the exact answers, and beside a teacher."""


def ran(plan, *, measured):
    """A run of two steps, what each lost, and its measures where they are wanted."""
    run = begun(plan)
    work = StepWork.of(run)
    assert work.multiply_adds(run.batches.batch(0)) > 0
    lost = []
    while run.step < run.steps:
        run.advance()
        lost.append(run.loss)
    row = run.recipe.measures(run).row(["the [MASK] chopped the onion ."]) if measured else {}
    return run, lost, row


@pytest.mark.parametrize("name", PLANS)
def test_a_run_on_a_gpu_loses_what_one_on_the_cpu_loses(name):
    plan = PLANS[name]
    _, losses, row = ran(plan, measured=name in MEASURED)
    on_gpu = dataclasses.replace(plan, trained_on=TrainedOn.GPU)
    with simulated_gpu() as gpu:
        run, found, told = ran(on_gpu, measured=name in MEASURED)
        assert {one.device.type for one in run.model.parameters()} == {"cuda"}
        assert gpu.peak > 0
        state = run.optimizer.state_dict()["state"]
        assert {one["exp_avg"].device.type for one in state.values()} == {"cuda"}
    assert found == pytest.approx(losses, abs=1e-4)
    assert numbers(told) == pytest.approx(numbers(row), abs=1e-3)


def numbers(row):
    """All numbers in a row of measures, in order."""
    found = []
    json.loads(json.dumps(row), parse_float=lambda one: found.append(float(one)))
    return found


@pytest.mark.parametrize("kind", [TrainingPlan, DistilPlan])
def test_a_plan_of_before_there_was_a_choice_is_the_same_one(kind):
    assert "trained_on" not in kind().to_json()
    assert kind.from_json(kind().to_json()).trained_on is TrainedOn.CPU
