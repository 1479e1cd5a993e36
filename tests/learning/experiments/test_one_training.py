"""From a way and a seed to a plan, and from the plan to numbers."""

from dataclasses import replace
from typing import Any

import pytest

from explorer.api.errors import UserMistake
from explorer.learning.experiments import one_training
from explorer.learning.experiments.definition import (
    Experiment,
    ExperimentForm,
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.measures import MEASURES
from explorer.learning.experiments.measuring import TrainedModel, begun, layer_steps, take, unmet
from explorer.learning.experiments.one_training import RunPace, pace_of, plan_of, planned, train
from explorer.learning.experiments.results import read_results
from explorer.learning.experiments.running import WantedRun
from explorer.learning.plan.choices import Corpus, Objective
from explorer.learning.plan.plan import TrainingPlan
from tests.made_experiments import experiment

TINY = {"layers": 1, "width": 16, "heads": 2, "batch": 4, "steps": 4}


def tried(**fields: Any) -> Experiment:
    made = experiment()
    form = ExperimentForm(3, {**TINY, **fields})
    return replace(made, full=form, short=form)


def test_a_plan_is_what_way_form_and_seed_say() -> None:
    made = experiment()
    plan = plan_of(made, made.way("new"), 4, short=True)
    assert (plan.layers, plan.steps, plan.seed) == (2, 300, 4)
    assert plan_of(made, made.way("old"), 0, short=False).steps == 1000
    assert planned(made, made.way("new"), 4, short=True, control=False)["seed"] == 4


def trained(plan: TrainingPlan) -> TrainedModel:
    one = begun(plan)
    one.run.train()
    return one.ended()


def test_students_are_tried_by_plans_of_their_own() -> None:
    made = replace(tried(teacher_steps=2, vocabulary=200), kind="distil", equal="tokens")
    ways = tuple(
        replace(way, plan={"temperature": at})
        for way, at in zip(made.ways, (1.0, 4.0), strict=True)
    )
    made = replace(made, ways=ways, measure="excess", also=("parameters",))
    wanted = WantedRun(
        "new", 0, planned(made, made.way("new"), 0, short=True, control=False), control=False
    )
    assert wanted.plan["temperature"] in (1.0, 4.0)
    run = train(made, wanted)
    assert run.measured["excess"] > 0
    assert run.steps == wanted.plan["steps"]
    with pytest.raises(UserMistake, match="no plan of training: fate"):
        plan_of(
            replace(made, full=ExperimentForm(3, {"fate": "mask"})), made.ways[0], 0, short=False
        )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"colour": 1}, "“old” of made is no plan of training: colour."),
        ({"objective": "none"}, "“old” of made is no plan of training: "),
        ({"width": 30, "heads": 4}, "4 heads can't share a width of 30"),
    ],
)
def test_what_is_no_plan_is_said(fields: dict[str, Any], said: str) -> None:
    made = tried(**fields)
    with pytest.raises(UserMistake) as refused:
        plan_of(made, made.way("old"), 0, short=True)
    assert said in refused.value.message


def test_steps_are_those_of_equal_tokens_or_work(monkeypatch: pytest.MonkeyPatch) -> None:
    paces = {1: RunPace(100.0, 1e9), 2: RunPace(400.0, 8e9)}
    monkeypatch.setattr(one_training, "pace_of", lambda plan: paces[plan.layers])
    made = experiment()
    new = made.way("new")
    for equal, steps in (("steps", 300), ("tokens", 75), ("multiply-adds", 38)):
        assert plan_of(replace(made, equal=equal), new, 0, short=True).steps == steps
    own = replace(made, ways=(made.ways[0], replace(new, equal="tokens")))
    assert plan_of(own, own.way("new"), 0, short=True).steps == 75
    assert plan_of(own, own.way("old"), 0, short=True).steps == 300


def test_a_pace_grows_with_the_batch_and_the_model() -> None:
    plan = TrainingPlan(**TINY)
    usual, larger, deeper = map(pace_of, (plan, replace(plan, batch=8), replace(plan, layers=2)))
    assert larger.tokens == pytest.approx(2 * usual.tokens, rel=0.15)
    assert deeper.tokens == usual.tokens
    assert deeper.multiply_adds > usual.multiply_adds > usual.tokens


def test_a_run_keeps_its_plan_and_what_was_measured() -> None:
    made = tried()
    wanted = WantedRun("old", 1, planned(made, made.way("old"), 1, short=True, control=False))
    found = train(made, wanted)
    assert (found.way, found.seed, found.plan, found.steps) == ("old", 1, wanted.plan, 4)
    assert {*found.measured} == {"excess", "accuracy"}
    assert 0.0 < found.measured["accuracy"] < found.measured["excess"]
    assert found.tokens > 4 * 4
    assert found.multiply_adds > found.tokens
    # The same plan comes to the same numbers.
    assert train(made, wanted) == found


@pytest.mark.parametrize("objective", [Objective.MASKED, Objective.REPLACED, Objective.CAUSAL])
def test_every_measure_is_taken_of_whom_it_means_something_to(objective: Objective) -> None:
    one = trained(replace(TrainingPlan(**TINY), objective=objective))
    names = {
        Objective.MASKED: {
            *(name for name in MEASURES if not name.startswith("examples_")),
        }
        - {"generator_right", "replaced_found", "labels_right"},
        Objective.REPLACED: {"order_read", "mention_read", "generator_right", "replaced_found"},
        Objective.CAUSAL: {"excess", "accuracy", "growth", "parameters"},
    }[objective]
    found = take(one, sorted(names))
    assert {*found} == names
    for name, value in found.items():
        assert value >= 0.0 or name.startswith("bias_"), name  # which has a direction
        assert value <= 1.0 or not MEASURES[name].is_share


def test_what_examples_help_is_taken_of_who_reads_them() -> None:
    prompts = {"corpus": Corpus.PROMPTS, "objective": Objective.CAUSAL, "length": 48}
    one = trained(TrainingPlan(**{**TINY, **prompts}))
    found = take(one, ["examples_0", "examples_8", "examples_help"])
    assert found["examples_help"] == pytest.approx(found["examples_8"] - found["examples_0"])
    assert one.growth == 0.0


def test_steps_from_layer_to_layer_are_angles_and_distances() -> None:
    one: TrainedModel = trained(TrainingPlan(**{**TINY, "layers": 3}))
    angles, distances = layer_steps(one.model, one.tokenizer, unmet(one.recipe))
    assert len(angles) == len(distances) == 3
    assert ((angles > 0) & (angles < 180)).all()
    assert (distances > 0).all()


@pytest.mark.parametrize("name", experiment_names())
def test_each_way_of_a_bundled_definition_is_a_plan(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ways that are set against each other come to different plans once all is settled."""
    monkeypatch.setattr(one_training, "pace_of", lambda plan: RunPace(plan.batch, 2.0 * plan.batch))
    found = read_experiment(bundled_experiments() / f"{name}.toml")
    for short in (True, False) if not found.measured_in else ():
        plans = {way.name: plan_of(found, way, 0, short=short).settled() for way in found.ways}
        for one in found.foretold:
            assert plans[one.way] != plans[one.than]


@pytest.mark.parametrize("name", experiment_names())
def test_what_comes_with_the_program_was_trained_by_the_plans_of_today(name: str) -> None:
    found = read_experiment(bundled_experiments() / f"{name}.toml")
    kept = (bundled_experiments() / f"{name}.toml").with_suffix(".json")
    if not kept.is_file() or found.equal != "steps" or any(way.equal for way in found.ways):
        return
    results = read_results(kept)
    for run in results.runs:
        way = found.way(run.way)
        options = {"short": results.short, "control": run.control}
        assert run.plan == planned(found, way, run.seed, **options)
