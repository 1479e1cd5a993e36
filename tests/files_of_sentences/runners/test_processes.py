"""Sentences shared by two processes: a real one is started."""

import signal
import sys
import threading

import psutil
import pytest
import torch

from explorer.api.family import LoadOptions
from explorer.api.question import CheckpointFault, Context
from explorer.api.worker_context import Parallelism
from explorer.engine.configuration import EngineConfiguration, build_parts
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.runners import forked, processes
from explorer.files_of_sentences.runners.blocks import Pending, SentenceBlock
from explorer.files_of_sentences.runners.copied import Copy, portable
from explorer.files_of_sentences.runners.here import Here
from explorer.files_of_sentences.runners.other_process import WORKER
from explorer.files_of_sentences.runners.processes import Processes
from explorer.files_of_sentences.runners.start_cost import seconds_here
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.masking.surprisal.question import QUESTION, SurprisalRequest
from explorer.serialise import to_json
from tests import users_python
from tests.hf import tiny

WORDS = [word for word in tiny.VOCABULARY if word.isalpha() and len(word) > 1][:16]
BLOCKS = [
    SentenceBlock(
        8 * number,
        tuple(
            FileSentence(
                8 * number + n + 1,
                " ".join(WORDS[(number * 5 + n * 3 + k) % 16] for k in range(3 + n)),
            )
            for n in range(8)
        ),
    )
    for number in range(8)
]


@pytest.fixture
def context(paths, tmp_path):
    folder = tiny.save_bert(tmp_path / "bert")
    runner = build_parts(EngineConfiguration.of(paths, sharing=Parallelism(2))).runner
    runner.load("A", str(folder), LoadOptions(device="cpu"), Context())
    return runner.with_models({"model": "A"}, Context(cache=tmp_path / "cache"))


@pytest.fixture
def answering(context):
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield Answering(context.models["model"], QUESTION, SurprisalRequest(""))
    torch.set_num_threads(threads)


def others():
    """The processes that help this one: copies of it, and those that were started anew."""
    me = psutil.Process()
    mine = me.children()
    return [one for one in mine if one.cmdline() == me.cmdline() or WORKER in one.cmdline()]


@pytest.mark.parametrize(
    "copies",
    [
        pytest.param(
            True, marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies")
        ),
        False,
    ],
)
def test_a_process_that_is_killed_costs_no_row_and_doubles_none(
    copies, context, answering, expect_log, request, monkeypatch
):
    monkeypatch.setattr(processes, "can_be_copied", lambda _threads: copies)
    expect_log("a process that answered sentences is gone: exit=-9")
    here = dict(
        row for some in Here(answering).rows(Pending(iter(BLOCKS)), context) for row in some
    )
    takers, other_has_answered, killed = [], threading.Event(), threading.Event()

    def read():
        """Blocks; the fifth one that the other process is given is never answered by it."""
        for block in BLOCKS:
            name = threading.current_thread().name
            if name == "process 2" and takers.count(name) == 4 and not killed.is_set():
                other_has_answered.set()
                killed.wait(60)
            takers.append(name)
            yield block

    rows = Processes(answering, context.elsewhere, 2).rows(Pending(read()), context)
    found = [*next(rows)]
    request.addfinalizer(rows.close)
    # Whoever asks for the rows lets another question be answered, say: the other process works.
    assert other_has_answered.wait(100)
    (child,) = others()
    child.kill()
    killed.set()
    for some in rows:
        found += some
    assert takers.count("process 2") == 5
    assert sorted(place for place, _ in found) == list(range(64))
    assert dict(found) == here
    assert not others()
    # How long its start took is kept, to be told before the next one.
    took = seconds_here(context.cache)
    assert took is not None
    assert 0.001 < took < 100


def test_what_the_user_told_another_python_does_not_keep_others_from_answering(
    context, answering, monkeypatch, tmp_path, request
):
    users_python.tell(monkeypatch, tmp_path)
    # A copy of this process that comes to nothing costs a moment: one is started anew.
    monkeypatch.setattr(processes, "COPY_READY", 0.1)
    monkeypatch.setattr(forked, "answer_blocks", lambda *_: signal.pause())
    other_answers = threading.Event()

    def read():
        for block in BLOCKS:
            if threading.current_thread().name == "process 2":
                other_answers.set()
            yield block

    rows = Processes(answering, context.elsewhere, 2).rows(Pending(read()), context)
    found = [*next(rows)]
    request.addfinalizer(rows.close)
    assert other_answers.wait(100)
    for some in rows:
        found += some
    assert sorted(place for place, _ in found) == list(range(64))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies")
def test_a_copy_answers_alike_and_says_so_where_it_gives_no_gradients(
    context, answering, monkeypatch
):
    process = forked.copied(answering, context)
    assert process is not None
    try:
        assert process.is_ready(), process.problem
        process.give(BLOCKS[1])
        told = process.next()
    finally:
        process.end()
    (own,) = answering.steps(BLOCKS[1].sentences, context)
    assert told.outcomes == own

    def refuse(*_):
        """As torch does in a copy where threads of a GPU gave gradients before."""
        raise RuntimeError("no gradients after a fork")

    monkeypatch.setattr(torch.autograd, "grad", refuse)
    process = forked.copied(answering, context)
    assert process is not None
    assert not process.is_ready()
    assert process.problem == "no gradients after a fork"
    process.end()
    assert not others()


def test_another_ones_files_are_refused_before_the_first_row(context, tmp_path):
    tiny.save_bert(tmp_path / "bert", seed=1)
    copy = Copy(context.elsewhere, "surprisal", to_json(SurprisalRequest("")))
    with pytest.raises(CheckpointFault, match="not the same everywhere"):
        copy.load()


def test_a_copy_answers_as_the_model_it_is_a_copy_of(context, answering):
    copy = Copy(context.elsewhere, "surprisal", to_json(SurprisalRequest("")))
    copy.load(1)
    for block in BLOCKS[:2]:
        (mine,), (own,) = copy.steps(block.sentences), answering.steps(block.sentences, context)
        assert mine == own


def test_an_error_arrives_as_what_it_was():
    class OfAPlugin(Exception):
        def __init__(self, one, two):
            super().__init__(one)

    fault = portable(CheckpointFault("{title} is damaged.", "Load it again.", title="x"))
    assert (type(fault), fault.message) == (CheckpointFault, "x is damaged.")
    assert isinstance(portable(ValueError("CUDA error: gone")), ValueError)
    told = portable(OfAPlugin("odd", 1))
    assert (type(told), str(told)) == (RuntimeError, "OfAPlugin: odd")
    assert "OfAPlugin" in told.__notes__[0]
