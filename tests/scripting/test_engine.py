"""Models in the engine's process: the same answers, stopped within a layer, back after a crash."""

import os
import signal
import time

import pytest

import explorer
from explorer.api.errors import Failure, MachineFault, NeedsConsent, Unavailable
from explorer.api.family import Context
from explorer.scripting.engine import error_of
from explorer.scripting.requests import known_question, request_of
from tests import warm_engine

CHEF = "the chef cooked the [MASK] ."
LONG = {"method": "shapley", "beside": "none", "samples": 1000}


@pytest.fixture
def bert(door, monkeypatch):
    warm_engine.use(monkeypatch)
    return door.open("bert-miniature", engine=True)


def test_it_answers_stops_and_comes_back(door, bert):
    here = door.ask("masked_tokens", CHEF, model="bert-miniature", logged=False)
    there = bert.masked_tokens(CHEF)
    assert there.table.columns == here.table.columns
    assert there.result.masks[0].predictions == here.result.masks[0].predictions
    assert "torch" in there._answered.run.versions
    assert door.log()[0].table == there.table
    both = door.ask("soft_targets", CHEF, teacher=bert, student="distilbert-miniature")
    assert len(both.models) == 2
    with pytest.raises(explorer.Mistake, match="no answer span head"):
        bert.answer_span("a meal", question="what ?")
    with pytest.raises(explorer.Mistake, match="another in this one"):
        door.ask("soft_targets", CHEF, teacher=bert, student=door.open("tinybert-miniature"))

    def pressed(*_how_far):
        raise KeyboardInterrupt

    runner, slot = bert.process.runner(in_engine=True), {"model": bert.slot}
    long, _document = request_of(known_question("attribution"), {"text": CHEF * 3, **LONG})
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        runner.ask(long, slot, Context(progress=pressed))
    assert time.monotonic() - started < 30
    assert runner.ask(here.request, slot, Context()).masks

    def killed(*_how_far):
        os.kill(runner._engine.pid, signal.SIGKILL)

    with pytest.raises(explorer.Trouble, match="process that runs models ended"):
        runner.ask(long, slot, Context(progress=killed))
    assert bert.masked_tokens(CHEF, logged=False).table == there.table
    bert.close()
    with pytest.raises(explorer.Mistake, match="was closed"):
        bert.surprisal("a meal")


def test_failures_are_the_errors_that_they_were():
    for error in (Unavailable("No {what}.", "Do {what}.", what="heads"), NeedsConsent("Pickle.")):
        again = error_of(Failure.of(error))
        assert type(again) is type(error)
        assert (again.said, again.advice) == (error.said, error.advice)
    bug = error_of(Failure.of(ValueError("odd")))
    assert "odd" in str(bug)
    assert "ValueError" in bug.__notes__[0]
    assert isinstance(error_of(Failure.of(MachineFault("No memory."))), MachineFault)
