"""Every bundled model and every question: offered and answered, or refused with a reason."""

import dataclasses
from pathlib import Path

import pytest

from explorer.api import Context, LoadOptions, Unavailable, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.runner import Runner
from explorer.questions import all_operations, answered_with
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"
NAMES = sorted(path.parent.name for path in MODELS.glob("*/model.safetensors"))
TEXT = "the chef cooked the [MASK] in the kitchen ."
OWN = {
    "candidate_words": {"words": ("meal",)},
    "cost": {"text": TEXT, "seconds": 0.01},
    "prompt": {"text": "chef"},
    "surprisal": {"text": TEXT.replace("[MASK]", "meal")},
}
"""What a question needs besides a text with a mask, and how short a while is enough here."""
ASKED = {"pair": "what did the chef cook ?"}
"""The second text, of a model that looks for answers."""
NOT_ASKED = {"file_of_sentences"}
"""Asks another question about a file: tests of its own."""


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
    points = any(head.name == "span_extractor" for head in card.heads)
    texts = {"text": TEXT, **(ASKED if points else {})}
    for question, operation in all_operations().items():
        if question in NOT_ASKED or not operation.needs_model:
            continue
        takes = {field.name for field in dataclasses.fields(operation.request)}
        given = {**texts, **(ASKED if question == "answer_span" else {}), **OWN.get(question, {})}
        request = operation.request(**{key: given[key] for key in given if key in takes})
        request = request if operation.quick is None else operation.quick(request)
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
