"""Every bundled family and its questions on a simulated GPU: the answers are the CPU's.

Each question is asked of one model, and each family one question at least; with `--all` every model
is asked everything, with Apple's GPU and bfloat16 as well.
"""

import re
from functools import cache

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, UserMistake
from explorer.engine import runner
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions import all_questions
from explorer.questions.attention.bertviz.question import BertvizResult
from explorer.serialise import to_builtins
from tests.hf import tiny
from tests.questions.one_of_each import (
    MODELS,
    NAMES,
    difference,
    offered,
    questions,
    request_for,
)
from tests.simulated_gpu import simulated_gpu

LONG = {"attribution_benchmark"}
"""Asks what attribution asks, of many texts."""
TRIED = {"bert-miniature", "t5-miniature"}
SOME = (
    "albert-miniature",
    "bert-labels-miniature",
    "bert-miniature",
    "deberta-v1-miniature",
    "distilbert-answers-miniature",
    "electra-miniature-discriminator",
    "ernie-miniature",
    "ernie-thu-miniature",
    "gpt1-choice-miniature",
    "gpt2-miniature",
    "kagnet-miniature",
    "mobilebert-miniature",
    "roberta-miniature",
    "spanbert-miniature",
    "t5-miniature",
    "tinybert-miniature",
    "xlm-miniature",
)


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        every = metafunc.config.option.all
        few = SOME[:1] if "apples" in metafunc.function.__name__ else SOME
        metafunc.parametrize("name", NAMES if every else few)


@cache
def shared_out():
    """The questions, each asked of one of some models; those of few models first."""
    found = {name: [] for name in SOME}
    takers = {one: [n for n in SOME if one in offered()[n][1]] for one in questions()}
    for question in sorted(takers, key=lambda one: len(takers[one])):
        if takers[question] and question not in LONG:
            found[min(takers[question], key=lambda name: len(found[name]))].append(question)
    return found


def asked(name, config):
    return offered()[name][1] if config.option.all else shared_out()[name]


def test_some_models_are_of_every_family_and_are_asked_everything():
    assert {offered()[name][0] for name in SOME} == {family for family, _ in offered().values()}
    assert all(shared_out().values())
    assert set().union(*shared_out().values()) == set(questions()) - LONG


def runner_on(device, name, folder, dtype="auto"):
    host = tiny.families()
    made = Runner(host, Catalogue(host, MODELS, folder))
    made.load("A", str(MODELS / name), LoadOptions(device=device, dtype=dtype), Context())
    return made


def answer_of(asked_of, question):
    """Its answer as plain lists and numbers, or the sentence that refuses one."""
    request = request_for(question, asked_of.cards["A"])
    cast = dict.fromkeys(all_questions()[question].roles, "A")
    try:
        answer = asked_of.ask(request, cast, Context())
        if isinstance(answer, BertvizResult):  # a page; its numbers are in its script
            return [float(one) for one in re.findall(r"\d+\.\d+(?:e-?\d+)?", answer.html)]
        return to_builtins(answer)
    except UserMistake as mistake:
        return mistake.message


@pytest.fixture
def little_tried(name, request, monkeypatch):
    """What a load tries of a model is tried on the GPU of two, one of either kind of stack."""
    if name not in TRIED and not request.config.option.all:
        monkeypatch.setattr(runner, "keep_proved", lambda *_, **__: ())


@pytest.mark.usefixtures("little_tried")
def test_the_answers_on_a_gpu_are_the_cpus(name, tmp_path, request):
    cpu = runner_on("cpu", name, tmp_path)
    with simulated_gpu() as gpu:
        there = runner_on("cuda", name, tmp_path)
        assert there.cards["A"].stamp.device == "cuda:0"
        assert gpu.allocated >= there.cards["A"].weights_bytes, "the weights lie there"
        for question in asked(name, request.config):
            found = answer_of(there, question)
            assert difference(found, answer_of(cpu, question)) is None, question
        there.unload("A")
        assert gpu.allocated == 0, "all of it is given back"


def test_apples_gpus_and_bfloat16_answer_too(name, tmp_path, request):
    """NumPy knows no bfloat16."""
    with simulated_gpu("mps"):
        there = runner_on("mps", name, tmp_path, "bfloat16")
        for question in asked(name, request.config):
            assert answer_of(there, question), question
