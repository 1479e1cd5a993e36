"""A claim tried from its page, and from a script: begun, followed, paused, deleted."""

from dataclasses import replace

import pytest

from explorer.api.errors import UserMistake
from explorer.api.question import Context
from explorer.learning.experiments.claim_folder import claims_in
from explorer.learning.runs.trainings import Trainings, begun
from explorer.learning.runs.worker import serve
from explorer.questions.learning.experiments import compute
from explorer.questions.learning.experiments.parts import parts
from explorer.questions.learning.experiments.question import (
    QUESTION,
    ExperimentsRequest,
    is_passing,
    only_look,
)
from tests.learning.experiments.small_claims import written
from tests.learning.runs.small_runs import idle, trainings_in

ASKED = ExperimentsRequest("made")


@pytest.fixture
def trainings(tmp_path, monkeypatch):
    written(tmp_path)
    monkeypatch.setattr(compute, "bundled_experiments", lambda: tmp_path)
    found = trainings_in(tmp_path)
    yield found
    for one in begun.pop(found.folder, ()):
        one.process.wait(30)


def asked(trainings, context=None, /, **changes):
    request = replace(ASKED, **changes)
    return compute.run(None, request, context or Context(training=trainings.folder))


def said(result):
    return " ".join(getattr(one, "text", "") for one in parts(result))


def test_one_that_was_never_tried_says_how_long_it_takes(trainings):
    result = asked(trainings)
    assert result.here is None
    assert not is_passing(result)
    assert result.seconds > 0
    assert "The short form takes about" in said(result)
    assert only_look(replace(ASKED, train=True)) == ASKED


def test_it_is_tried_and_followed_to_its_end(trainings, monkeypatch):
    """This process trains at the first look, in place of one that is begun for it."""
    monkeypatch.setattr(Trainings, "work", lambda _self: None)
    shown, far = [], []

    def show(result):
        shown.append(result())
        serve(trainings.folder)

    context = Context(training=trainings.folder, show=show, progress=lambda *told: far.append(told))
    result = asked(trainings, context, train=True)
    assert result.here.status == "done"
    assert (result.here.runs, result.here.of) == (6, 6)
    assert is_passing(shown[0])
    assert not is_passing(result)
    assert far[0][0] == "waiting to train"
    (row,) = [one for one in result.here.measured if one.way == "old"]
    assert row.seeds == (0, 1, 2)
    assert "The short form was run here" in said(result)
    cards = next(one for one in parts(result) if hasattr(one, "cards")).cards
    assert [card.title for card in cards] == ["Runs made here"]
    assert {one[0] for one in QUESTION.table(result).rows} == {"here"}
    assert QUESTION.summary(result)["runs_here"] == 6
    # Whoever asks again finds it done.
    assert asked(trainings).here == result.here


def test_it_waits_is_paused_and_deleted(trainings):
    with idle(trainings):
        waits = Context(training=trainings.folder, show=lambda result: 1 / (result() is None))
        with pytest.raises(ZeroDivisionError):
            asked(trainings, waits, train=True)
        paused = asked(trainings, act="pause")
    assert paused.here.status == "paused"
    assert "The short form is paused here after 0 of 6 runs." in said(paused)
    assert asked(trainings, act="delete").here is None
    assert not claims_in(trainings.folder)
    with pytest.raises(UserMistake, match="was not tried here"):
        asked(trainings, act="pause")


def test_runs_of_another_definition_are_told(trainings, tmp_path):
    with idle(trainings):
        asked_once = Context(training=trainings.folder, show=lambda result: 1 / (result() is None))
        with pytest.raises(ZeroDivisionError):
            asked(trainings, asked_once, train=True)
        asked(trainings, act="cancel")
    written(tmp_path, steps="3")
    result = asked(trainings)
    assert result.here.is_former
    assert "of a definition that is another one now" in said(result)


def test_what_another_command_makes_is_not_tried(tmp_path):
    formats = replace(ASKED, claim="input_formats")
    context = Context(training=tmp_path / "training")
    assert compute.run(None, formats, context).seconds is None
    with pytest.raises(UserMistake, match="are made by another command"):
        compute.run(None, replace(formats, train=True), context)
