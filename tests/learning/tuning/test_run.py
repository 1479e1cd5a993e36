"""A fine-tuned model as a run: a folder that transformers, the library and the curves read."""

import dataclasses
import hashlib
from pathlib import Path

import pytest

from explorer.api.question import UserMistake
from explorer.learning.runs.one_run import OneRun
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings, write_state
from explorer.learning.tuning.choices import Tuned
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.plan import TuningPlan
from explorer.paths import own_resources

BERT = str(own_resources() / "models" / "bert-miniature")
PLAN = TuningPlan(base=BERT, examples=24, epochs=1, batch=8, length=32, tuned=Tuned.LORA)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A run that was trained here, in this process."""
    trainings = Trainings(tmp_path_factory.mktemp("training"), tmp_path_factory.mktemp("engine"))
    one = trainings.made(PLAN, "films")
    before = written(Path(BERT))
    with one.lock():
        assert OneRun(one).train() is RunStatus.DONE
    assert written(Path(BERT)) == before, "nothing is written over what learns"
    return one


def written(folder):
    """The files of a folder by their names, as digests."""
    return {one.name: hashlib.sha256(one.read_bytes()).digest() for one in folder.iterdir()}


def test_its_plan_is_read_back_with_the_folder_of_its_model(done):
    assert done.kind == "tune"
    assert done.plan == PLAN
    assert dataclasses.replace(PLAN, seed=2).fingerprint != PLAN.fingerprint


def test_its_model_is_one_of_transformers_without_anything_of_lora(done):
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(done.frame(3))
    assert model.config.id2label == {0: "negative", 1: "positive"}
    assert not any("lora" in name for name, _ in model.named_parameters())


def test_its_frames_are_judged_and_the_last_one_says_what_it_said(done):
    first, *_, last = done.measured()
    assert first["step"] == 0
    assert last["step"] == 3
    assert len(last["said"]) == last["texts"]
    told = [max(range(2), key=shares.__getitem__) for shares in last["said"]]
    assert set(told) <= {0, 1}
    assert last["floor"] <= last["loss"]
    assert "said" in first, "the best frame yet says what it says of each text"


def test_training_that_ends_early_leaves_its_best_frame_as_the_model(tmp_path):
    trainings = Trainings(tmp_path / "training", tmp_path / "engine")
    plan = dataclasses.replace(PLAN, tuned=Tuned.ALL, epochs=9, patience=2, rate=0.02)
    one = trainings.made(plan, "early")
    with one.lock():
        work = OneRun(one)
        status = work.train()
        write_state(one, work.state.with_status(status))
    assert status is RunStatus.DONE
    assert one.state.step < one.state.steps
    rows = {row["step"]: row for row in one.measured()}
    ends = {step: row["loss"] for step, row in rows.items() if step and step % 3 == 0}
    best = min(ends, key=ends.__getitem__)
    assert best == one.state.step - 2 * 3
    assert one.model == one.frame(best)
    assert len(rows[best]["said"]) == rows[best]["texts"]
    assert "the best on held-out texts" in (one.model / "README.md").read_text("utf-8")


def test_a_run_that_diverges_says_so_and_its_model_is_its_best_frame(tmp_path, monkeypatch):
    trainings = Trainings(tmp_path / "training", tmp_path / "engine")
    plan = dataclasses.replace(PLAN, tuned=Tuned.ALL, epochs=4)
    one = trainings.made(plan, "diverges")
    with one.lock():
        work = OneRun(one)
        recipe = work.run.recipe
        losses = recipe.losses

        def break_off(model, batch):
            # A number that is none, as one comes of a rate that is too high.
            found = losses(model, batch)
            return {**found, "loss_classes": found["loss_classes"] * float("nan")}

        def until_step_nine(run, row):
            if run.step == 9:
                monkeypatch.setattr(type(recipe), "losses", lambda _self, *two: break_off(*two))
            return between(run, row)

        between = work._between
        monkeypatch.setattr(work, "_between", until_step_nine)
        with pytest.raises(UserMistake, match="no number any more after step 10") as raised:
            work.train()
    lost = {row["step"]: row["loss"] for row in one.measured()}
    best = min(lost, key=lost.get)
    assert raised.value.values["best"] == best == work.state.best
    assert one.frame(best).is_dir()
    assert former_folder(one.frame(best)).is_dir()


def test_a_disk_without_room_for_the_former_heads_fails_no_run(tmp_path, monkeypatch):
    def full(*_any):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("explorer.learning.tuning.recipe.write_former_heads", full)
    trainings = Trainings(tmp_path / "training", tmp_path / "engine")
    one = trainings.made(dataclasses.replace(PLAN, examples=8), "full")
    with one.lock():
        assert OneRun(one).train() is RunStatus.DONE
    assert not former_folder(one.frame(1)).exists()
