"""The number that is explained is what its name says, and a probability one among what is told."""

import math

import pytest

from explorer.api.question import Context
from explorer.hf.text.questions import encode_question
from explorer.questions.cause.attribution.options import (
    ExplainedMeasure,
    ExplainedTarget,
    NormalisedOver,
    Quantity,
)
from explorer.questions.cause.attribution.question import QUESTION, AttributionRequest
from explorer.serialise import to_builtins
from tests.hf.kept import miniature

TEXT = "the chef cooked the meal in the kitchen ."
KINDS = {
    "masked": (
        "bert-miniature",
        "the chef cooked the [MASK] .",
        None,
        ExplainedTarget.WORD,
        "vocabulary",
    ),
    "next": ("gpt2-miniature", "The chef cooked the", None, ExplainedTarget.WORD, "vocabulary"),
    "replaced": ("electra-miniature-discriminator", TEXT, None, ExplainedTarget.REPLACED, None),
    "label": ("bert-miniature", TEXT, "the meal was good .", ExplainedTarget.LABEL, "labels"),
    "token_label": ("bert-labels-miniature", TEXT, None, ExplainedTarget.TOKEN_LABEL, "labels"),
    "start": ("bert-answers-miniature", TEXT, "who cooked the meal ?", ExplainedTarget.START, None),
    "end": ("bert-answers-miniature", TEXT, "who cooked the meal ?", ExplainedTarget.END, None),
}


def ask(kind, **more):
    name, text, pair, target, over = KINDS[kind]
    request = AttributionRequest(text, pair, target=target, method="occlusion", beside=None, **more)
    result = QUESTION.run(miniature(name), request, Context())
    return result, over


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_and_the_probability_are_of_one_another(kind):
    result, over = ask(kind)
    told = to_builtins(result)["explained"]
    assert told["kind"] == kind
    if kind == "replaced":
        assert (told["measure"], told["over"]) == ("log_odds", None)
        p = told["probability"]
        assert result.value == pytest.approx(math.log(p / (1 - p)), abs=1e-4)
    else:
        assert told["measure"] == "log_probability"
        assert told["over"] == (over or "passage_and_null")
        assert result.value == pytest.approx(math.log(told["probability"]), abs=1e-4)


def test_an_answers_start_is_one_of_the_text_s_tokens_and_not_of_the_questions():
    """Against the model itself: a softmax over [CLS] and the text, and one over all tokens."""
    import torch

    result, _ = ask("start")
    model = miniature("bert-answers-miniature")
    encoded = encode_question(model, TEXT, "who cooked the meal ?")
    with torch.no_grad():
        scores = model.module(**encoded.inputs).start_logits[0].double()
    own = [0, *(n for n, one in enumerate(encoded.tokens) if one.part == 0 and not one.special)]
    assert result.explained.place in own
    told = float(scores[own].log_softmax(-1)[own.index(result.explained.place)])
    everywhere = float(scores.log_softmax(-1)[result.explained.place])
    assert result.value == pytest.approx(told, abs=1e-5)
    assert result.explained.over is NormalisedOver.PASSAGE_AND_NULL
    assert abs(told - everywhere) > 1e-6


@pytest.mark.parametrize("kind", ["masked", "label"])
def test_a_difference_is_of_logits_and_no_probability(kind):
    result, _ = ask(kind, measure=ExplainedMeasure.DIFFERENCE)
    assert (result.explained.measure, result.explained.over) == (Quantity.DIFFERENCE, None)


def test_the_old_name_of_log_odds_is_read_as_the_new_one():
    stored = to_builtins(ask("replaced")[0])
    stored["explained"]["measure"] = "log_probability"
    for upgrade in QUESTION.upgrades:
        upgrade({}, stored)
    assert stored["explained"]["measure"] == "log_odds"
