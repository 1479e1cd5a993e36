import dataclasses

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, MachineFault, UserMistake
from explorer.api.worker_context import ModelReplica, Parallelism, WorkerContext
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.runners import choice, cores, start_cost, worth
from explorer.files_of_sentences.runners.here import Here
from explorer.files_of_sentences.runners.processes import Processes
from explorer.files_of_sentences.runners.ray_actors import RayActors
from explorer.questions.tokenizers.tokens.question import QUESTION, TokensRequest
from tests.hf import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch):
    monkeypatch.setattr(cores, "threads", lambda: 8)


def asked(model, processes, weights=1000, runner="", cache=None):
    copied = ModelReplica("bert", LoadOptions("cpu"), "0" * 32, weights)
    elsewhere = WorkerContext(None, {"model": copied}, Parallelism(processes, runner))
    return Context(models={"model": model}, elsewhere=elsewhere, cache=cache)


def chosen(model, processes, left, weights=1000, runner=""):
    context = asked(model, processes, weights, runner)
    return choice.runner_of(Answering(model, QUESTION, TokensRequest("")), context, left)


def on_gpu(model):
    return dataclasses.replace(model, stamp=dataclasses.replace(model.stamp, device="cuda:0"))


def test_several_where_they_are_asked_for_or_may_be_quicker(model):
    assert isinstance(chosen(model, 2, 2), Processes)
    assert isinstance(chosen(model, 0, worth.LEAST), Processes)


def test_actors_of_ray_only_where_they_are_asked_for(model):
    assert isinstance(chosen(model, 2, 2, runner="ray"), RayActors)
    assert isinstance(chosen(model, 0, 1, runner="ray"), RayActors)
    assert isinstance(chosen(model, 0, 0, runner="ray"), Here)


def test_one_where_that_is_asked_for_or_several_cannot_be_quicker(model, monkeypatch):
    assert isinstance(chosen(model, 1, 100_000), Here)
    assert isinstance(chosen(model, 2, 1), Here)
    assert isinstance(chosen(model, 0, worth.LEAST - 1), Here)
    assert isinstance(chosen(on_gpu(model), 0, 100_000), Here)
    assert isinstance(chosen(model, 0, 100_000, weights=10**15), Here)
    alone = Answering(model, QUESTION, TokensRequest(""))
    assert isinstance(choice.runner_of(alone, Context(models={"model": model}), 100_000), Here)
    monkeypatch.setattr(cores, "threads", lambda: 1)
    assert isinstance(chosen(model, 0, 100_000), Here)


def test_what_more_processes_cost_is_told_before_they_are_started(model, tmp_path, monkeypatch):
    monkeypatch.setattr(choice, "_free", lambda: 2_000_000_000)
    monkeypatch.setattr(choice, "can_be_copied", lambda _threads: True)
    assert choice.cost_of_more(asked(model, 2)) == (
        "Each further process is a copy of this one: it is ready after about 0.5 s, and takes at "
        "most 600 MB of memory, for it shares the model."
    )
    monkeypatch.setattr(choice, "can_be_copied", lambda _threads: False)
    cost = "Each further process takes about 3 s of a core to start, and 600 MB of memory with its"
    share = "Where it takes longer than 15 s, up to 4 processes share in it."
    assert choice.sharing_told(asked(model, 0), worth.LEAST).startswith(f"{share} {cost}")
    assert choice.cost_of_more(asked(model, 2)).startswith(cost)
    # Once some were started here it is as long as they took; what can't be read counts for nothing.
    for seconds in (9.0, 100.0, 4.2, 4.0, 5.0, 4.8):
        start_cost.note_start(tmp_path, seconds)
    told = choice.cost_of_more(asked(model, 2, weights=440_000_000, cache=tmp_path))
    assert told == (
        "Each further process takes 4.8 s to start, as measured on this machine, and 1.04 GB of "
        "memory with its own copy of the model."
    )
    (tmp_path / "process_starts.json").write_text("[1, {}]", "utf-8")
    assert start_cost.seconds_here(tmp_path) is None
    # Nothing is told where this process answers alone, or somebody else does.
    for context, left in (
        (asked(model, 0), worth.LEAST - 1),
        (asked(model, 1), 100_000),
        (asked(model, 0, runner="ray"), 100_000),
        (asked(on_gpu(model), 0), 100_000),
        (Context(models={"model": model}), 100_000),
    ):
        assert choice.sharing_told(context, left) == ""
        assert choice.cost_of_more(context) == ""


def test_a_number_that_was_chosen_on_the_page_is_told_with_its_cost_and_answers(model, monkeypatch):
    monkeypatch.setattr(choice, "_free", lambda: 2_000_000_000)
    monkeypatch.setattr(choice, "can_be_copied", lambda _threads: False)
    usual = asked(model, 0)
    assert choice.with_processes(usual, 0) is usual
    wanted = choice.with_processes(usual, 3)
    cost = "Each further process takes about 3 s of a core to start, and 600 MB of memory"
    assert choice.sharing_told(wanted, 100).startswith(f"3 processes share in it. {cost}")
    answering = Answering(model, QUESTION, TokensRequest(""))
    assert isinstance(choice.runner_of(answering, wanted, 100), Processes)
    alone = choice.with_processes(usual, 1)
    assert choice.sharing_told(alone, 100_000) == ""
    assert isinstance(choice.runner_of(answering, alone, 100_000), Here)
    # What there is no room for is said when it is chosen, not when Run is pressed.
    with pytest.raises(MachineFault, match="no memory for 9 processes"):
        choice.sharing_told(choice.with_processes(usual, 9), 100)


def test_what_is_asked_for_and_cannot_be_is_refused(model):
    with pytest.raises(MachineFault, match="no memory for 2 processes: each takes 1 PB"):
        chosen(model, 2, 100, weights=10**15)
    with pytest.raises(UserMistake, match="can't share a GPU"):
        chosen(on_gpu(model), 2, 100)


@pytest.mark.parametrize(
    ("left", "done", "seconds", "pay"),
    [
        (10_000, 100, 1.0, True),
        (1_000, 100, 1.0, False),
        (worth.LEAST - 1, 1, 100.0, False),
        (10_000, 0, 0.0, False),
    ],
)
def test_they_are_started_where_enough_is_left_to_do(left, done, seconds, pay):
    assert worth.pays(left, done, seconds) is pay
