"""About how long a claim takes to be tried here."""

import json
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.experiments.definition import bundled_experiments, experiment_names
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.duration import (
    TUNED_STEP,
    TUNED_WORK,
    USUAL_SECONDS,
    run_count,
    seconds_of,
    work_of,
)
from explorer.learning.experiments.one_training import plan_as_said
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.tuning.choices import Tuned
from explorer.learning.tuning.cost import tuning_cost
from explorer.learning.tuning.plan import TuningPlan
from explorer.learning.tuning.recipe import TuningRecipe
from tests.made_experiments import CONTROL, experiment

MOST = 300.0
"""Seconds of one idle core."""
CHEAP = 800
"""Steps that teach something, where they are cheap."""
OF_STUDENTS = 200
"""Steps of a student, next to those of its teacher and of the control's."""
OF_EXAMPLES = 64
"""That a bundled model learns a task from."""
FEWER = {"more_steps", "batch_size"}
"""Claims that are about the number of steps."""


def test_the_small_plan_is_the_unit_of_work() -> None:
    small = TrainingPlan()
    assert work_of(small) == pytest.approx(1.0, abs=0.1)
    assert work_of(replace(small, steps=500)) < 0.6 * work_of(small)
    assert work_of(replace(small, batch=128)) > 1.5 * work_of(small)
    replaced = replace(small, objective=Objective.REPLACED)
    assert work_of(replaced) > 1.3 * work_of(small)
    assert work_of(replace(small, adversarial=1.0)) > 1.5 * work_of(small)


def test_all_runs_are_counted_those_of_the_control_too() -> None:
    tried = experiment()
    assert run_count(tried, short=True) == 6
    assert run_count(tried, short=False) == 10
    controlled = replace(tried, control=CONTROL)
    assert run_count(controlled, short=True) == 12
    assert seconds_of(controlled, short=True) > seconds_of(tried, short=True)
    one = replace(TrainingPlan(), **json.loads('{"steps": 300, "layers": 1}'))
    two = replace(one, layers=2)
    expected = 3 * USUAL_SECONDS * (work_of(one) + work_of(two))
    assert seconds_of(tried, short=True) == pytest.approx(expected)


@pytest.mark.parametrize("name", experiment_names())
def test_a_short_form_takes_five_minutes_and_teaches_something(name: str) -> None:
    found = read_experiment(bundled_experiments() / f"{name}.toml")
    if not found.is_planned:
        return
    assert seconds_of(found, short=True) <= MOST
    assert found.short.seeds >= 3
    for way in found.ways if name not in FEWER else ():
        plan = plan_as_said(found, way, seed=0, short=True, control=False)
        if isinstance(plan, DistilPlan):
            assert plan.steps >= OF_STUDENTS
        elif isinstance(plan, TuningPlan):
            assert plan.examples >= OF_EXAMPLES
        else:
            assert plan.steps >= CHEAP or name == "adversarial"


def test_teachers_and_exact_answers_are_counted_too() -> None:
    found = read_experiment(bundled_experiments() / "dark_knowledge.toml")
    labels, teacher, exact = (
        plan_as_said(found, way, seed=0, short=True, control=False) for way in found.ways
    )
    assert work_of(labels) < work_of(teacher) < 2 * work_of(labels)
    assert work_of(exact) > 3 * work_of(labels)
    students = 3 * sum(map(work_of, (labels, teacher, exact)))
    alone = seconds_of(replace(found, control=None), short=True)
    assert alone == pytest.approx(USUAL_SECONDS * (students + 3 * work_of(teacher.teacher_plan)))


@pytest.mark.parametrize(
    ("base", "tuned"),
    [
        ("bert-miniature", "all"),
        ("bert-miniature", "features"),
        ("bert-miniature", "lora"),
        ("albert-miniature", "all"),
    ],
)
def test_a_step_of_fine_tuning_takes_about_what_is_told_of_it(base: str, tuned: str) -> None:
    plan = TuningPlan(base=base, tuned=Tuned(tuned), examples=160, epochs=2)
    one, other = TuningRecipe(plan).begin(), recipe_of(TrainingPlan()).begin()
    # In turns, so that what else the machine does weighs on both.
    paces = np.array([[_seconds(one), _seconds(other)] for _ in range(12)])[2:]
    taken = np.median(paces[:, 0]) / np.median(paces[:, 1])
    trained = tuning_cost(plan, plan.texts).multiply_adds / plan.steps
    usual = cost_of(TrainingPlan())
    share = trained / (usual.multiply_adds / TrainingPlan().steps)
    assert TUNED_STEP + TUNED_WORK * share == pytest.approx(taken, rel=0.5)


def _seconds(run: Any) -> float:
    """Processor time of a step."""
    began = time.process_time()
    run.advance()
    return time.process_time() - began
