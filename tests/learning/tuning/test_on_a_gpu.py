"""Fine-tuning on a GPU comes to what it comes to on the CPU."""

import dataclasses

import pytest
import torch

from explorer.learning.plan.choices import TrainedOn
from explorer.learning.runs.beginning import begun
from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.measured_step import measured_step
from explorer.learning.tuning.plan import TuningPlan
from tests.simulated_gpu import simulated_gpu

PLAN = TuningPlan(examples=16, epochs=1, batch=8, length=64)


def ran(plan):
    run = begun(plan)
    losses = []
    while run.step < run.steps:
        losses.append(next(value for name, value in run.advance().items() if "loss" in name))
    return run, losses


@pytest.mark.parametrize("task", [LabelledTask.SENTIMENT, *list(LabelledTask)[3:]])
def test_a_run_on_a_gpu_loses_what_one_on_the_cpu_loses(task, tmp_path):
    plan = dataclasses.replace(PLAN, task=task, tuned=Tuned.LAST)
    on_cpu, losses = ran(plan)
    on_gpu = dataclasses.replace(plan, trained_on=TrainedOn.GPU)
    with simulated_gpu() as gpu:
        run, found = ran(on_gpu)
        assert {one.device.type for one in run.model.parameters()} == {"cuda"}
        assert gpu.peak > 0
        told = run.recipe.judged(run.model, run.tokenizer)
        # Its state is taken up again where it was.
        run.checkpoint = tmp_path / "state.pt"
        state = run.optimizer.state_dict()["state"]
        assert {one["exp_avg"].device.type for one in state.values()} == {"cuda"}
    assert found == pytest.approx(losses, abs=1e-4)
    assert told.loss == pytest.approx(
        on_cpu.recipe.judged(on_cpu.model, on_cpu.tokenizer).loss, abs=1e-4
    )


def test_without_a_gpu_it_is_trained_on_the_cpu():
    plan = dataclasses.replace(PLAN, trained_on=TrainedOn.GPU)
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        assert measured_step(plan).device == "cpu"


def test_a_plan_of_before_there_was_a_choice_is_the_same_one():
    assert "trained_on" not in PLAN.to_json()
    assert TuningPlan.from_json(PLAN.to_json()).trained_on is TrainedOn.CPU
    assert dataclasses.replace(PLAN, trained_on=TrainedOn.GPU).fingerprint != PLAN.fingerprint
