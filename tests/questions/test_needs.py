"""Every bundled model and every question: offered and answered, or refused with a reason.

By default each question is answered by a few models of different families; that each family answers
whatever it offers is tried with a tiny model of it (tests/engine/test_conformance.py). With `--all`
every model answers everything.
"""

from functools import cache

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Unavailable, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.runner import Runner
from explorer.questions import all_questions, answered_with
from tests.hf import tiny
from tests.hf.kept import lend_to_commands
from tests.questions.one_of_each import MODELS, NAMES, offered, questions, request_for


def answer_or_mistake(runner, request, cast):
    try:
        return runner.ask(request, cast, Context())
    except UserMistake as mistake:
        return mistake


def is_of_no_world(answer):
    """Whether a model's pieces are those of no small world, which only asking it shows."""
    return isinstance(answer, Unavailable) and "none of the small worlds" in answer.message


FEW = 3
"""Models that answer each question."""


@cache
def shared_out():
    """The questions that each model answers; those of few models first."""
    found = {name: set() for name in NAMES}
    takers = {one: [name for name in NAMES if one in offered()[name][1]] for one in questions()}
    for question in sorted(takers, key=lambda one: len(takers[one])):
        families = set()
        for name in sorted(takers[question], key=lambda name: len(found[name])):
            if len(families) < FEW and offered()[name][0] not in families:
                families.add(offered()[name][0])
                found[name].add(question)
    return found


def test_every_model_answers_something_and_every_question_is_answered():
    assert all(shared_out().values())
    assert set().union(*shared_out().values()) == set(questions())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_offered_is_answered_and_the_rest_says_why(name, tmp_path, request, monkeypatch):
    lend_to_commands(monkeypatch)
    answered = offered()[name][1] if request.config.option.all else shared_out()[name]
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, tmp_path))
    card = runner.load("A", str(MODELS / name), LoadOptions(device="cpu"), Context())
    model = runner.models["A"]
    before = host.family(card.stamp.family).offers(inspect_folder(MODELS / name))
    assert set(card.operations) == set(answered_with(before)), "said otherwise before loading"
    for asks in questions():
        question = all_questions()[asks]
        asked = request_for(asks, card)
        cast = dict.fromkeys(question.roles, "A")
        if asks in card.operations:
            if asks not in answered:
                continue
            answer = answer_or_mistake(runner, asked, cast)
            # Two roles may not fit each other; the ability itself is promised.
            is_promised = len(question.roles) == 1 and not is_of_no_world(answer)
            assert isinstance(answer, question.result) or not is_promised, (asks, answer)
        else:
            why = card.unavailable[asks]
            assert why.endswith("."), why
            assert "\n" not in why
            with pytest.raises(Unavailable) as refused:
                runner.ask(asked, cast, Context())
            assert why in refused.value.message
    assert model.ports
