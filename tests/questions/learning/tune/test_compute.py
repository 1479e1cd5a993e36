"""Fine-tuning asked for: its cost, what a finished run says of held-out texts, ways compared."""

import dataclasses

import numpy as np
import pytest

from explorer.api.question import Context, UserMistake
from explorer.learning.plan.choices import TrainedOn
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import begun, write_state
from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.cost import LIBRARIES
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.labelled import labelled_table
from explorer.learning.tuning.plan import TuningPlan
from explorer.questions.learning.tune.headline import headline
from explorer.questions.learning.tune.question import (
    QUESTION,
    TuneRequest,
    is_passing,
    only_look,
    summary,
)
from explorer.serialise import from_json, to_json
from explorer.text import said
from tests.hf import tiny
from tests.learning.runs.small_runs import idle, trained_here, trainings_in
from tests.simulated_gpu import simulated_gpu

PLAN = TuningPlan(examples=48, epochs=1, batch=16, length=32, rate=0.002)
ASKED = TuneRequest(**{one.name: getattr(PLAN, one.name) for one in dataclasses.fields(PLAN)})


@pytest.fixture
def trainings(tmp_path):
    found = trainings_in(tmp_path)
    yield found
    for one in begun.pop(found.folder, ()):
        one.process.wait(30)


def asked(trainings, **changes):
    request = dataclasses.replace(ASKED, **{"train": False, **changes})
    return tiny.ask(None, request, Context(training=trainings.folder))


def finished(trainings, **changes):
    with idle(trainings):
        one = trainings.start(dataclasses.replace(PLAN, **changes))
    status, work = trained_here(one)
    assert status is RunStatus.DONE
    with one.lock().acquire(timeout=5):
        write_state(one, work.state.with_status(status))
    return one


def test_the_request_is_the_plan_and_what_is_asked_beside_it():
    assert ASKED.plan == PLAN
    assert dataclasses.replace(ASKED, name="mine", moment="1").plan == PLAN
    assert not only_look(ASKED).train


def test_a_plan_that_was_never_begun_says_what_it_costs_and_who_can_learn(trainings):
    result = asked(trainings)
    assert result.run is None
    assert is_passing(result)
    names = {one.name for one in result.models}
    assert {"bert-miniature", "gpt2-miniature", "t5-miniature"} <= names
    assert not names & {"bert-labels-miniature", "gpt3-175b", "electra-miniature-generator"}
    assert not names & {"bert-sentiment-miniature", "bert-endings-miniature"}
    bert = next(one for one in result.models if one.name == "bert-miniature")
    assert result.cost.parameters == bert.parameters
    # The weights, their gradients and two means of them, and more for states and libraries.
    assert 16 * bert.parameters + LIBRARIES < result.memory < 250_000_000
    frozen = asked(trainings, tuned=Tuned.FEATURES)
    assert frozen.cost.multiply_adds == pytest.approx(result.cost.multiply_adds / 3)
    assert frozen.memory < result.memory - 12 * bert.parameters
    assert 0.9 < result.best < 1
    with pytest.raises(UserMistake, match="There is no model nobody"):
        asked(trainings, base="nobody")
    assert trainings.list() == ()


def test_a_step_is_measured_on_demand_and_nothing_is_kept(trainings):
    result = asked(trainings, act="measure", moment="1")
    step = result.step
    assert trainings.list() == ()
    assert result.run is None
    assert (step.device, step.steps) == ("cpu", 3)
    assert step.seconds > 0
    assert step.whole == pytest.approx(3 * step.seconds + step.frames * step.judging)
    assert from_json(QUESTION.result, to_json(result)) is not None
    finished(trainings)
    with pytest.raises(UserMistake, match="whose speed is known"):
        asked(trainings, act="measure", moment="2")


def test_long_texts_are_said_before_training_begins(trainings, tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"{'fun ' * (2000 if n % 5 == 0 else 3)}{n},{n % 2}" for n in range(40)]
    path.write_text("text,label\n" + "\n".join(rows), "utf-8")
    texts = labelled_table(str(path))
    long = sum(len(one.text) > 2000 for one in texts.training)
    notes = [said(one) for one in asked(trainings, path=str(path), examples=0).notes]
    assert notes == [f"{long} texts are longer than 32 tokens: the rest of each is not read."]


def test_what_has_no_head_is_refused_before_a_run_is_made(trainings):
    for base, told in (("gpt1-miniature", "can’t be fine-tuned"), ("xlm-miniature", "tell which")):
        with pytest.raises(UserMistake, match=told):
            asked(trainings, base=base, task=LabelledTask.ROLES, train=True)
    assert trainings.list() == ()


def test_a_table_that_teaches_nothing_is_refused_before_anything_is_made(trainings, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("text,label\n" + "".join(f"film {n},good\n" for n in range(40)), "utf-8")
    with pytest.raises(UserMistake, match="there is nothing to learn"):
        asked(trainings, path=str(path), train=True)
    assert trainings.list() == ()


def test_a_finished_run_says_what_is_taken_for_what_and_where_it_errs(trainings):
    one = finished(trainings)
    result = asked(trainings)
    assert result.former == str(former_folder(one.model))
    assert not is_passing(result)
    judged = result.judged
    told = np.array(judged.confusion)
    last = one.measured()[-1]
    assert told.sum() == last["texts"] == result.held_out
    assert np.trace(told) / told.sum() == pytest.approx(last["accuracy"])
    assert judged.wrong == told.sum() - np.trace(told)
    shares = [each.share for each in judged.errors]
    assert shares == sorted(shares, reverse=True)
    assert all(each.right != each.said for each in judged.errors)
    assert len({each.text for each in judged.errors}) == len(judged.errors)
    assert judged.sure.accuracy == pytest.approx(last["accuracy"])
    assert summary(result)["accuracy"] == last["accuracy"]
    assert "held-out texts are judged correctly" in str(headline(result).sentence)
    assert from_json(QUESTION.result, to_json(result)) is not None


def test_runs_of_a_task_are_compared_by_what_was_trained(trainings):
    for seed in (1, 2):
        finished(trainings, seed=seed)
    finished(trainings, tuned=Tuned.FEATURES)
    finished(trainings, base="gpt2-miniature")
    ways = {(one.tuned, one.examples): one for one in asked(trainings).ways}
    assert set(ways) == {("all", 48), ("features", 48)}
    assert len(ways["all", 48].accuracies) == 2
    assert len(ways["features", 48].accuracies) == 1


def test_a_finished_run_learns_another_task_by_its_name(trainings):
    one = finished(trainings)
    other = asked(trainings, base=one.name, examples=20)
    assert other.run is None
    assert other.cost.parameters > 0


def test_what_a_gpu_has_no_room_for_is_said(trainings):
    with simulated_gpu(memory=1000):
        notes = [said(one) for one in asked(trainings, trained_on=TrainedOn.GPU).notes]
    assert len(notes) == 1
    assert "are free" in notes[0]
    assert not asked(trainings).notes
