"""`train`: a run that is trained, listed, named, gone on with, and asked as a model."""

import json

import pytest

from explorer.learning.runs import following, worker
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings

TINY = ("--steps", "4", "--layers", "1", "--width", "16", "--heads", "1", "--batch", "4")


@pytest.fixture
def trainings(profile, monkeypatch):
    """The runs of the profile, which are trained in this process once somebody waits for them."""
    found = Trainings(profile / "data/training", profile / "data/engine")

    def follow(trainings, one, tell):
        tell(one.state, None)
        worker.serve(trainings.folder)
        tell(one.state, one.curve()[-1])
        return one.state

    monkeypatch.setattr(Trainings, "work", lambda _self: None)
    monkeypatch.setattr(following, "follow", follow)
    return found


def test_a_run_becomes_a_model_that_is_asked_by_its_name(trainings, told, run):
    out = told("train", "first", *TINY, "--watched", "the [MASK] slept .", "--json")
    found = json.loads(out)
    assert found["name"] == "first"
    assert (found["status"], found["step"], found["steps"]) == ("done", 4, 4)
    assert found["plan"]["batch"] == 4
    assert found["frames"] == [0, 1, 2, 4]
    assert found["curve"]["step"] == found["measured"]["step"] == 4
    assert found["measured"]["excess"] > 0
    ((word, share), *_) = found["measured"]["watched"]["the [MASK] slept ."][0]
    assert isinstance(word, str)
    assert 0 < share < 1
    (row,) = json.loads(told("models", "--where", "folder", "--json"))
    assert (row["title"], row["id"]) == ("first@4", found["model"])

    answered = told("ask", "masked_tokens", "the [MASK] slept .", "--model", "first", "--json")
    assert found["model"] in answered

    told("train", "--rename", "first", "둘째")
    assert told("train", "--list").splitlines()[1].split()[:4] == ["둘째", "done", "4", "4"]
    assert json.loads(told("train", "--list", "--json"))[0]["frames"] == [0, 1, 2, 4]
    assert "no run first" in told("train", "--delete", "first", status=2)
    told("train", "--delete", "둘째")
    assert trainings.list() == ()
    assert told("train", "--list") == ""
    assert run("ask", "tokens", "a", "--model", "둘째")[0] == 2


def test_a_run_that_is_under_way_is_no_model(trainings, told):
    told("train", "small", *TINY, "--leave")
    (one,) = trainings.list()
    assert one.name == "masked"
    assert one.state.status is RunStatus.WAITING
    assert json.loads(told("models", "--where", "folder", "--json")) == []
    complaint = told("train", "masked", *TINY, status=2)
    assert "There is a run masked already" in complaint
    assert "--resume masked" in complaint
    told("train", "--cancel", "masked")
    assert "No run waits" in told("train", "--resume", status=2)
    assert "masked: 4 steps in" in told("train", "--resume", "masked")


def test_ctrl_c_pauses_it_and_says_how_it_goes_on(trainings, run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(following, "follow", interrupted)
        status, _out, complaint = run("train", "my run", *TINY)
    assert status == 130
    assert complaint == (
        "my run is paused. Continue it with: plm-explorer train --resume 'my run'\n"
    )
    (one,) = trainings.list()
    assert one.state.status is RunStatus.PAUSED
    assert run("train", "--resume", "my run")[0] == 0
    assert one.state.status is RunStatus.DONE


def test_a_failure_is_told_in_a_sentence(trainings, told, monkeypatch):
    monkeypatch.setattr(RunFolder, "asked_for", property(lambda _self: 1 / 0))
    assert "Something went wrong" in told("train", *TINY, status=1)
    monkeypatch.undo()


def test_a_plan_that_contradicts_itself_is_refused(trainings, told):
    assert "multiple of 3" in told("train", "--heads", "3", status=2)
    assert "--steps" in told("train", "--steps", "0", status=2)
    assert trainings.list() == ()
