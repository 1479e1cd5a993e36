"""Every bundled model and every question: offered and answered, or refused with a reason."""

import pytest

from explorer.api import Context, LoadOptions, Unavailable, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.runner import Runner
from explorer.questions import all_operations, answered_with
from tests.hf import tiny
from tests.questions.one_of_each import MODELS, NAMES, questions, request_for


def answer_or_mistake(runner, request, cast):
    try:
        return runner.ask(request, cast, Context())
    except UserMistake as mistake:
        return mistake


@pytest.mark.parametrize("name", NAMES)
def test_what_is_offered_is_answered_and_the_rest_says_why(name, tmp_path):
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, tmp_path))
    card = runner.load("A", str(MODELS / name), LoadOptions(device="cpu"), Context())
    model = runner.models["A"]
    before = host.family(card.stamp.family).offers(inspect_folder(MODELS / name))
    assert set(card.operations) == set(answered_with(before)), "said otherwise before loading"
    for question in questions():
        operation = all_operations()[question]
        request = request_for(question, card)
        cast = dict.fromkeys(operation.roles, "A")
        if question in card.operations:
            answer = answer_or_mistake(runner, request, cast)
            # Two roles may not fit each other; the ability itself is promised.
            is_promised = len(operation.roles) == 1
            assert isinstance(answer, operation.result) or not is_promised, (question, answer)
        else:
            why = card.unavailable[question]
            assert why.endswith("."), why
            assert "\n" not in why
            with pytest.raises(Unavailable) as refused:
                runner.ask(request, cast, Context())
            assert why in refused.value.message
    assert model.ports
