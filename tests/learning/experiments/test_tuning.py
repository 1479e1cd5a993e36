"""Claims about fine-tuning: plans of their own, measured by how often models are right."""

from dataclasses import replace

import pytest

from explorer.learning.experiments.definition import ExperimentForm, bundled_experiments
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import ClaimVerdict, of_control, verdict
from explorer.learning.experiments.one_training import plan_of, planned, train
from explorer.learning.experiments.results import read_results
from explorer.learning.experiments.running import WantedRun, wanted_runs
from explorer.learning.runs.beginning import begun
from explorer.learning.tuning.choices import Tuned

PATH = bundled_experiments() / "feature_based.toml"


def test_a_way_is_a_plan_of_fine_tuning_and_its_measure_is_the_judges() -> None:
    experiment = read_experiment(PATH)
    small = replace(experiment, full=ExperimentForm(3, {"task": "inference", "epochs": 1}))
    way = replace(small.way("features"), plan={"tuned": "features", "examples": 16})
    small = replace(small, ways=(way, *small.ways[1:]))
    wanted = WantedRun("features", 1, planned(small, way, 1, short=False, control=False))
    found = train(small, wanted)
    run = begun(plan_of(small, way, 1, short=False))
    while run.step < run.steps:
        run.advance()
    assert found.measured["labels_right"] == pytest.approx(
        run.recipe.judged(run.model, run.tokenizer).accuracy, abs=1e-6
    )


def test_in_the_control_the_body_hardly_learns_and_the_claim_fails() -> None:
    experiment = read_experiment(PATH)
    plan = plan_of(experiment, experiment.way("all"), 0, short=False, control=True)
    assert plan.tuned is Tuned.ALL
    assert plan.head_rate == 1000.0
    alone = plan_of(experiment, experiment.way("features"), 0, short=False, control=True)
    assert plan.rate * plan.head_rate == pytest.approx(alone.rate)
    results = read_results(PATH.with_suffix(".json"))
    found = of_control(experiment, results)
    assert found is not None
    assert verdict(found) is not ClaimVerdict.BORNE_OUT


@pytest.mark.parametrize("name", ["feature_based", "layer_read"])
def test_the_kept_results_are_of_the_plans_that_the_definition_asks_for(name: str) -> None:
    path = bundled_experiments() / f"{name}.toml"
    experiment = read_experiment(path)
    wanted = wanted_runs(experiment, planned, short=False)
    kept = read_results(path.with_suffix(".json")).runs
    assert {one.key: one.plan for one in wanted} == {
        (one.way, one.seed, one.control): one.plan for one in kept
    }
