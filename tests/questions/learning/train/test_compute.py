"""A plan is trained by a process of its own, followed, paused, renamed, deleted."""

import dataclasses
import json
from functools import partial

import pytest

from explorer.api.question import Context, UserMistake
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings, begun, write_state
from explorer.questions.learning.cost import USUAL
from explorer.questions.learning.train.question import (
    QUESTION,
    TrainRequest,
    is_passing,
    only_look,
    table,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.learning.runs.small_runs import PLAN, idle, made, trained_here, trainings_in

ASKED = TrainRequest(**{one.name: getattr(PLAN, one.name) for one in dataclasses.fields(PLAN)})


@pytest.fixture
def trainings(tmp_path):
    found = trainings_in(tmp_path)
    yield found
    for one in begun.pop(found.folder, ()):
        one.process.wait(30)


def asked(trainings, context=None, /, **changes):
    request = dataclasses.replace(ASKED, **{"train": False, **changes})
    return tiny.ask(None, request, context or Context(training=trainings.folder))


def test_the_request_is_the_plan_and_what_is_asked_beside_it():
    assert ASKED.plan == PLAN
    assert ASKED.plan.fingerprint == PLAN.fingerprint
    other = dataclasses.replace(ASKED, name="mine", watched="a [MASK]", moment="1")
    assert other.plan == PLAN
    assert not only_look(ASKED).train
    assert dataclasses.replace(ASKED, watched="a [MASK]; no mask; the [MASK]").sentences == (
        "a [MASK]",
        "the [MASK]",
    )


def test_a_plan_that_was_never_begun_says_what_it_will_cost(trainings):
    result = asked(trainings)
    assert result.run is None
    assert is_passing(result)
    assert result.cost.tokens == pytest.approx(cost_of(PLAN).tokens)
    assert result.cost.seconds == pytest.approx(result.cost.multiply_adds / USUAL)
    assert not trainings.folder.exists()


def test_a_contradiction_is_refused_and_nothing_is_begun(trainings):
    with pytest.raises(UserMistake):
        asked(trainings, train=True, width=18, heads=4)
    assert trainings.list() == ()


def test_what_a_run_came_to_is_what_its_folder_says(trainings):
    one = made(trainings)
    trained_here(one)
    with one.lock().acquire(timeout=5):
        write_state(one, dataclasses.replace(one.state, status=RunStatus.DONE))
    result = asked(trainings)
    assert not is_passing(result)
    assert result.run.listed.status == "done"
    assert result.run.model == str(one.frame(PLAN.steps))
    rows = table(result)
    at = {name: rows.columns.index(name) for name in rows.columns}
    (written,) = [
        json.loads(line) for line in (one.place / "curve.jsonl").read_text().splitlines()
    ][-1:]
    told = {row[at["measured"]]: row[at["value"]] for row in rows.rows if row[at["step"]] == 40}
    assert told["rate"] == written["rate"]
    assert told["gradient_norm"] == written["gradient_norm"]
    assert from_json(QUESTION.result, to_json(result)).run.listed == result.run.listed
    # Another plan of the same sizes is asked how long it will take: as fast as this one went.
    other = asked(trainings, seed=9)
    assert other.run is None
    speed = written["multiply_adds"] / written["seconds"]
    assert other.cost.seconds == pytest.approx(other.cost.multiply_adds / speed)


def test_a_run_is_paused_renamed_and_deleted(trainings):
    one = made(trainings)
    paused = asked(trainings, act="pause")
    assert paused.run.listed.status == "paused"
    assert one.state.status is RunStatus.PAUSED
    renamed = asked(trainings, name="mine")
    assert renamed.run.listed.name == "mine"
    assert [each.name for each in trainings.list()] == ["mine"]
    gone = asked(trainings, act="delete")
    assert gone.run is None
    assert trainings.list() == ()
    with pytest.raises(UserMistake, match="no run"):
        asked(trainings, act="pause")


def test_of_two_runs_of_one_plan_the_named_one_is_shown(trainings):
    made(trainings, name="first")
    made(trainings, name="second")
    for one in trainings.list():
        trainings.cancel(one)
    assert asked(trainings, name="first").run.listed.name == "first"
    assert asked(trainings, name="second").run.listed.name == "second"


def test_a_name_that_is_taken_is_no_rename(trainings):
    made(trainings, dataclasses.replace(PLAN, seed=5), name="other")
    one = made(trainings, name="mine")
    for each in trainings.list():
        trainings.cancel(each)
    result = asked(trainings, name="other")
    assert result.run.listed.name == "mine"
    assert "already" in result.notes[0]
    assert one.is_one


def test_it_is_followed_to_its_end_by_a_process_of_its_own(trainings, monkeypatch):
    # Whoever is at work besides does not go before it.
    eager = partial(Trainings, engine=trainings.engine, nice=0)
    monkeypatch.setattr(Trainings, "beside", staticmethod(eager))
    seen, stages = [], []
    context = Context(
        training=trainings.folder,
        show=lambda make: seen.append(make()),
        progress=lambda stage, done, total: stages.append((str(stage), done, total)),
    )
    result = asked(trainings, context, train=True, watched="the [MASK] cooked")
    assert result.run.listed.status == "done", result.run.why
    (one,) = trainings.list()
    assert one.watched == ("the [MASK] cooked",)
    assert seen
    assert all(is_passing(each) for each in seen if each.run.listed.status != "done")
    assert {total for _stage, _done, total in stages} == {float(PLAN.steps)}
    # Asked again, it is there.
    assert asked(trainings, train=True).run.record.steps == PLAN.steps


def test_who_waits_is_followed_until_it_is_cancelled(trainings):
    made(trainings)
    calls = []

    def is_cancelled():
        calls.append(1)
        if len(calls) == 5:
            trainings.cancel(trainings.list()[0])
        return False

    with idle(trainings):
        context = Context(training=trainings.folder, is_cancelled=is_cancelled)
        result = asked(trainings, context)
    assert result.run.listed.status == "cancelled"


def test_plan_fields_are_all_there():
    names = {one.name for one in dataclasses.fields(TrainRequest)}
    assert {one.name for one in dataclasses.fields(TrainingPlan)} < names


def test_a_plan_is_trained_with_more_seeds_whose_curves_are_laid_together(trainings):
    one = made(trainings, name="mine")
    trained_here(one)
    with one.lock().acquire(timeout=5):
        write_state(one, dataclasses.replace(one.state, status=RunStatus.DONE))
    with idle(trainings):
        told = asked(trainings, act="seeds", moment="1")
        assert {run.name: run.seed for run in told.runs} == {
            "mine": 1, "mine-seed-2": 2, "mine-seed-3": 3
        }  # fmt: skip
        assert told.others == ()
        second = trainings.named("mine-seed-2")
        assert second.plan == dataclasses.replace(PLAN, seed=2)
        told = asked(trainings, act="seeds", moment="2")
        assert sorted(run.seed for run in told.runs) == [1, 2, 3, 4]
    trained_here(second)
    with second.lock().acquire(timeout=5):
        write_state(second, dataclasses.replace(second.state, status=RunStatus.DONE))
    (other,) = asked(trainings).others
    assert (other.title, other.seed) == ("mine-seed-2", 2)
    assert other.plan == asked(trainings).run.record.plan
    made(trainings, dataclasses.replace(PLAN, steps=9, seed=2))
    assert len(asked(trainings).others) == 1
