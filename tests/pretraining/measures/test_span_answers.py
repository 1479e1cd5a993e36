"""How answers are judged, on a model that is known to say what it is made to say."""

from types import SimpleNamespace

import pytest
import torch

from explorer.pretraining.measures.span_answers import PredictedSpan, answer, measure, overlap
from explorer.world.tasks.questions import AnswerKind, PassageQuestion

PASSAGE = "The chef cooked the meal. He used a pan."


def question(text, *right):
    places = tuple((PASSAGE.index(one), PASSAGE.index(one) + len(one)) for one in right)
    return PassageQuestion(text, PASSAGE, AnswerKind.OBJECT, places)


@pytest.fixture
def pointing(tokenizer):
    """Makes a model that scores the passage's words "the meal", and no answer."""

    def make(none):
        def model(input_ids, attention_mask, token_type_ids):
            pieces = tokenizer.convert_ids_to_tokens(input_ids[0].tolist())
            starts = torch.full(input_ids.shape, -9.0)
            ends = starts.clone()
            at = max(i for i, piece in enumerate(pieces) if piece == "meal")
            starts[0, at - 1], ends[0, at] = 2.0, 3.0
            # A better one, that is no span of the passage: it stands in the question.
            starts[0, 1] = ends[0, 2] = 50.0
            starts[0, 0] = ends[0, 0] = none / 2
            return SimpleNamespace(start_logits=starts, end_logits=ends)

        def of(*args, **named):
            return model(*args, **named)

        of.config = SimpleNamespace(type_vocab_size=2)
        return of

    return make


def test_the_best_span_of_the_passage_is_compared_with_no_answer(pointing, tokenizer):
    said = answer(pointing(4.0), tokenizer, "What did the chef cook?", PASSAGE)
    assert said == PredictedSpan("the meal", -1.0)
    assert said.said == "the meal"
    assert answer(pointing(6.0), tokenizer, "What did the chef cook?", PASSAGE).said == ""


def test_question_and_passage_are_told_apart_though_the_tokenizer_leaves_it_out(
    pointing, tokenizer, monkeypatch
):
    seen = []

    def watched(input_ids, attention_mask, token_type_ids):
        seen.append(token_type_ids)
        return pointing(4.0)(input_ids, attention_mask, token_type_ids)

    watched.config = SimpleNamespace(type_vocab_size=2)
    answer_as = ("What did the chef cook?", PASSAGE)
    (expected,) = tokenizer(*answer_as, return_tensors="pt")["token_type_ids"].tolist()
    # As ALBERT's tokenizer has it.
    monkeypatch.setattr(tokenizer, "model_input_names", ["input_ids", "attention_mask"])
    assert answer(watched, tokenizer, *answer_as).said == "the meal"
    assert [one.tolist() for one in seen] == [[expected]]


def test_figures_are_shares_of_right_answers(pointing, tokenizer):
    asked = [
        question("What did the chef cook?", "the meal"),
        question("What did he cook?", "a pan", "the meal"),
        question("Who cooked?", "The chef"),
        question("When did the chef cook?"),
    ]
    found = measure(pointing(4.0), tokenizer, asked)
    assert (found.exact, found.answered, found.unanswerable) == (0.5, pytest.approx(2 / 3), 0.25)
    # "The chef" and "the meal" share one word of two.
    assert found.f1 == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert found.area == 0.5, "all have the same score"
    assert measure(pointing(6.0), tokenizer, asked).exact == 0.25


@pytest.mark.parametrize(
    ("said", "right", "f1"),
    [
        ("the meal", "the meal", 1.0),
        ("the meal", "meal", 2 / 3),
        ("a pan", "the meal", 0.0),
        ("", "", 1.0),
        ("", "the meal", 0.0),
        ("the meal", "", 0.0),
    ],
)
def test_overlap_is_f1_of_words(said, right, f1):
    assert overlap(said, right) == pytest.approx(f1)
