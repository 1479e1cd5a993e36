"""Exact answers to questions about a passage, beside the spans of models that answer."""

import math
import random

import numpy as np
import pytest

from explorer.api.question import UserMistake
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from explorer.world.corpus import documents
from explorer.world.tasks.questions import QuestionWriter
from tests.hf import tiny
from tests.hf.kept import miniature

pytest.importorskip("torch")

NAME = "bert-answers-miniature"
PASSAGE = "Ten minus four is six. The chef cooked the soup in the kitchen. He used a pan."
WHERE = "Where did the chef cook the soup?"


def ask(question=WHERE, passage=PASSAGE, name=NAME, **fields):
    request = ExactAnswersRequest(passage, about=About.ANSWER, question=question, **fields)
    return tiny.ask(miniature(name), request)


def test_the_exact_answer_is_the_derivations_and_the_models_is_a_softmax_over_spans():
    result = ask()
    (place,) = result.places
    (right,) = [one for one in place.words if one.exact]
    assert (right.token, right.exact, place.entropy) == ("in the kitchen", 1.0, 0.0)
    assert right.id == PASSAGE.index("in the kitchen")
    (window,) = tiny.ask(miniature(NAME), AnswerSpanRequest(PASSAGE, WHERE)).windows
    starts, ends = window.starts.astype(np.float64), window.ends.astype(np.float64)
    scores = {
        (first, last): starts[first] + ends[last]
        for first in range(len(starts))
        for last in range(first, len(ends))
    }
    whole = math.log(sum(map(math.exp, [*scores.values(), window.null_logit])))
    pieces = miniature(NAME).tokenizer.tokenize(PASSAGE)
    first = pieces.index("in")
    assert place.divergence == pytest.approx(whole - scores[first, first + 2], abs=1e-6)
    (none,) = [one for one in place.words if one.token == ""]
    assert (none.id, none.exact) == (-1, 0.0)
    assert none.model == pytest.approx(math.exp(window.null_logit - whole), abs=1e-9)


@pytest.mark.parametrize(
    "name",
    [f"{one}-answers-miniature" for one in ("bert", "electra", "distilbert", "albert")],
)
def test_every_question_that_is_drawn_has_its_answer(name):
    """The posterior is the training's own target: the first right span, or none."""
    stream = documents(4711)
    asker, rng = QuestionWriter([next(stream) for _ in range(300)]), random.Random(8)
    nats = []
    for _ in range(12):
        drawn = asker.draw(rng)
        result = ask(drawn.text, drawn.passage, name)
        (place,) = result.places
        (right,) = [one for one in place.words if one.exact]
        expected = drawn.passage[slice(*drawn.answers[0])] if drawn.answers else ""
        assert right.token == expected
        assert result.also == tuple(drawn.passage[slice(*one)] for one in drawn.answers[1:])
        nats.append(place.divergence)
    assert np.mean(nats) < 0.5


def test_what_the_passage_leaves_out_has_no_answer():
    (place,) = ask("When did the chef cook the soup?").places
    assert {one.token: one.exact for one in place.words}[""] == 1.0


def test_typing_says_nothing():
    (place,) = ask("where did the chef cook the soup ?", PASSAGE.lower()).places
    assert [one.token for one in place.words if one.exact] == ["in the kitchen"]


@pytest.mark.parametrize(
    ("question", "passage", "said"),
    [
        (WHERE, PASSAGE.replace("soup in", "soup at"), "can't read “at” there."),
        (WHERE, PASSAGE.removesuffix("pan."), "ends where no text"),
        (WHERE, f"{PASSAGE} Tom Harvey is a farmer. He often uses a tractor.", "is neither"),
        ("Who are you?", PASSAGE, "has no such question"),
    ],
)
def test_what_is_not_of_the_world_says_why(question, passage, said):
    result = ask(question, passage)
    assert not result.places
    assert said in str(result.note)


def test_beside_an_answer_that_is_written_there_is_none():
    assert "writes its answer" in str(ask(name="t5-miniature").note)


def test_a_model_that_only_answers_is_asked_for_answers():
    found = tiny.ask(miniature(NAME), ExactAnswersRequest(PASSAGE, WHERE))
    assert found.places == ask().places
    with pytest.raises(UserMistake, match="no question"):
        tiny.ask(miniature(NAME), ExactAnswersRequest(PASSAGE))
