"""Models in the engine's process: the same answers, stopped within a layer, back after a crash."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import explorer
from explorer.api.errors import (
    Cancelled,
    Failure,
    MachineFault,
    NeedsConsent,
    Unavailable,
    error_of,
)
from explorer.api.family import Context
from explorer.scripting.engine import EngineRunner
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


@pytest.fixture
def beside():
    """Another thread, which is left alone until what it waits for is let go."""
    with ThreadPoolExecutor(1) as thread:
        yield thread


@pytest.mark.parametrize("apart", [True, False])
def test_nobody_waits_for_a_model_that_is_loaded_elsewhere(door, bert, beside, monkeypatch, apart):
    """The engine loads while this process answers, and this process while the engine does."""
    begun, enough = threading.Event(), threading.Event()
    runner = bert.process.runner(in_engine=apart)
    load = type(runner).load

    def slowly(*args):
        begun.set()
        assert enough.wait(60)
        return load(*args)

    asks = door.open("bert-miniature") if apart else bert
    monkeypatch.setattr(type(runner), "load", slowly)
    opened = beside.submit(door.open, "tinybert-miniature", engine=apart)
    try:
        assert begun.wait(60)
        assert asks.masked_tokens(CHEF).result.masks
        assert not opened.done()
    finally:
        enough.set()
    assert opened.result(60).surprisal("a meal").result


def test_a_long_answer_of_the_engine_gives_way_to_another_thread(bert, beside, tmp_path):
    runner, slot = bert.process.runner(in_engine=True), {"model": bert.slot}
    file = tmp_path / "many.txt"
    file.write_text("".join(f"the chef cooked {n} meals .\n" for n in range(1000)), "utf-8")
    asked = {"path": str(file), "operation": "surprisal"}
    long, _document = request_of(known_question("file_of_sentences"), asked)
    begun, enough = threading.Event(), threading.Event()

    def heard(*_how_far):
        begun.set()
        if enough.is_set():
            raise Cancelled

    answer = beside.submit(runner.ask, long, slot, Context(progress=heard))
    try:
        assert begun.wait(60)
        assert bert.masked_tokens(CHEF).result.masks
        assert not answer.done()
    finally:
        enough.set()
    with pytest.raises(Cancelled):
        answer.result(60)


def test_one_model_that_two_threads_open_is_loaded_once(door, bert, beside, monkeypatch):
    loads, begun, enough = [], threading.Event(), threading.Event()
    load = EngineRunner.load

    def slowly(runner, slot, *args):
        loads.append(slot)
        begun.set()
        assert enough.wait(60)
        return load(runner, slot, *args)

    monkeypatch.setattr(EngineRunner, "load", slowly)
    first = beside.submit(door.open, "tinybert-miniature", engine=True)
    with ThreadPoolExecutor(1) as another:
        assert begun.wait(60)
        second = another.submit(door.open, "tinybert-miniature", engine=True)
        assert bert.surprisal("a meal").result
        enough.set()
        assert first.result(60).slot == second.result(60).slot
    assert len(loads) == 1
