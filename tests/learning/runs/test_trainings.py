import dataclasses
import json
import shutil

import pytest

from explorer.api.question import MachineFault, UserMistake
from explorer.learning.runs import run_folder
from explorer.learning.runs.frame_steps import frame_steps
from explorer.learning.runs.json_rows import read_rows
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import write_state
from tests.learning.runs.small_runs import PLAN, idle, made, trainings_in


@pytest.fixture
def trainings(tmp_path):
    return trainings_in(tmp_path)


def test_there_are_no_runs_before_the_first(trainings):
    assert trainings.list() == ()
    assert trainings.of_plan(PLAN) is None
    assert not trainings.is_at_work
    trainings.work()
    assert not trainings.folder.exists()


def test_a_run_is_named_listed_and_found_by_its_plan(trainings):
    first = made(trainings, watched=("the [MASK] cooked",))
    second, third = made(trainings), made(trainings, name="검은 고양이 3")
    assert [one.name for one in trainings.list()] == ["masked", "masked-2", "검은 고양이 3"]
    assert first.plan == PLAN
    assert first.watched == ("the [MASK] cooked",)
    assert second.watched == ()
    assert trainings.named(third.name) == third
    assert trainings.of_plan(PLAN) in (first, second, third)
    assert trainings.of_plan(dataclasses.replace(PLAN, seed=9)) is None
    state = first.state
    assert (state.status, state.steps, state.seconds_left) == (RunStatus.WAITING, 40, None)
    trainings.watch(first, ["a [MASK]"])
    assert first.watched == ("a [MASK]",)


def test_nothing_is_written_over(trainings):
    made(trainings, name="one")
    (trainings.folder / "two").mkdir()
    for name in ("one", "two"):
        with pytest.raises(UserMistake, match="already"), idle(trainings):
            trainings.start(PLAN, name)
    one = made(trainings, name="three")
    with pytest.raises(UserMistake, match="already"):
        trainings.rename(one, "two")
    assert trainings.rename(one, "four").plan == PLAN
    assert [one.name for one in trainings.list()] == ["four", "one"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", " a", ".a", "a\0", "a" * 81])
def test_what_is_no_name_is_refused(trainings, name):
    one = made(trainings)
    with pytest.raises(UserMistake, match="no name"):
        trainings.rename(one, name)
    with pytest.raises(UserMistake, match="no run"):
        trainings.named(name)


def test_only_a_run_is_deleted(trainings, tmp_path):
    one = made(trainings)
    other = trainings.folder / "letters"
    other.mkdir()
    (other / "plan.json").write_text("{}")
    linked = trainings.folder / "linked"
    linked.symlink_to(one.place)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(one.place, elsewhere)
    for place in (other, linked, elsewhere, trainings.folder / "none"):
        with pytest.raises(UserMistake, match="no run"):
            trainings.delete(run_folder.RunFolder(place))
    assert trainings.list() == (one,)
    trainings.delete(one)
    assert trainings.list() == ()
    assert sorted(found.name for found in trainings.folder.iterdir()) == [
        ".worker.lock",
        "letters",
        "linked",
    ]
    assert elsewhere.is_dir()


def test_a_run_at_work_is_neither_deleted_nor_renamed(trainings):
    one = made(trainings)
    with one.lock().acquire(timeout=5):
        write_state(one, RunState(RunStatus.TRAINING, 3, 40))
        assert one.state.status is RunStatus.TRAINING
        for act in (trainings.delete, lambda one: trainings.rename(one, "two")):
            with pytest.raises(UserMistake, match="is being trained"):
                act(one)
        trainings.pause(one)
        assert (one.place / run_folder.ASKED).read_text() == "paused"
    assert one.state.status is RunStatus.STOPPED, "the lock of a dead process is none"
    trainings.cancel(one)
    assert one.state.status is RunStatus.CANCELLED
    trainings.pause(one)
    assert one.state.status is RunStatus.CANCELLED
    with idle(trainings):
        trainings.resume(one)
    assert one.state.status is RunStatus.WAITING
    assert one.state.step == 3
    assert not (one.place / run_folder.ASKED).exists()


def test_a_disk_without_room_is_said_before_anything_is_made(trainings, monkeypatch):
    usage = shutil.disk_usage(".")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(MachineFault, match=r"takes about [\d.]+ MB, and the disk has 1 MB left"):
        made(trainings)
    assert trainings.list() == ()


def test_a_plan_that_can_not_be_read_is_said_in_a_sentence(trainings):
    one = made(trainings)
    plan = one.place / run_folder.PLAN
    told = json.loads(plan.read_text())
    plan.write_text(json.dumps({**told, "format": 9, "program": "7.0"}))
    with pytest.raises(UserMistake, match=r"another version of the program \(7.0\)"):
        trainings.resume(one)
    assert trainings.of_plan(PLAN) is None
    plan.write_text(json.dumps({**told, "kind": "of later days", "program": "7.0"}))
    assert one.kind == "of later days"
    with pytest.raises(UserMistake, match=r"another version of the program \(7.0\)"):
        _ = one.plan
    del told["kind"]  # as programs before there were kinds wrote it
    plan.write_text(json.dumps(told))
    assert one.plan == PLAN
    plan.write_text(json.dumps({**told, "plan": '{"objective":"nothing"}'}))
    with pytest.raises(UserMistake, match="can't be read"):
        _ = one.plan
    one.place.rename(trainings.folder / "moved")
    with pytest.raises(UserMistake, match="There is no run masked here"):
        _ = one.plan
    for act in (trainings.pause, trainings.cancel, trainings.resume, trainings.delete):
        with pytest.raises(UserMistake, match="There is no run masked here"):
            act(one)


def test_a_broken_state_says_that_it_was_stopped(trainings):
    one = made(trainings)
    (one.place / run_folder.STATE).write_text('{"status":"trai')
    assert one.state == RunState(RunStatus.STOPPED)


def test_rows_are_read_as_far_as_they_are_whole(tmp_path):
    path = tmp_path / "curve.jsonl"
    assert read_rows(path) == []
    path.write_text('{"step":1}\n{"step":2}\n{"st')
    assert read_rows(path) == [{"step": 1}, {"step": 2}]
    path.write_text('{"step":1}\nnonsense\n{"step":2}\n')
    assert read_rows(path) == [{"step": 1}]


def test_frames_are_dense_at_first():
    assert frame_steps(1000) == (
        *(0, 1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1000),
    )
    assert frame_steps(1) == (0, 1)
    assert frame_steps(64) == (0, 1, 2, 4, 8, 16, 32, 64)
