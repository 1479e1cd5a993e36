"""Questions and passages as tokens, with the tokens of the answer."""

import random

import pytest

from explorer.learning.batches.answers import AnswerBatches, read
from explorer.world.tasks.questions import AnswerKind, PassageQuestion, QuestionWriter

LENGTH = 128


@pytest.fixture(scope="module")
def batches(tokenizer, texts):
    return AnswerBatches(tokenizer, texts, 4, 3, LENGTH)


def said(tokenizer, row):
    first, last = row.span
    return tokenizer.decode(row.tokens[first : last + 1])


def test_spans_are_the_pieces_of_the_answer(tokenizer, texts):
    asker, rng = QuestionWriter(texts), random.Random(2)
    for _ in range(300):
        question = asker.draw(rng)
        row = read(tokenizer, question, LENGTH)
        if question.answers:
            start, end = question.answers[0]
            # Uncased.
            assert said(tokenizer, row) == question.passage[start:end].lower()
            assert set(row.segments[row.span[0] : row.span[1] + 1]) == {1}
        else:
            assert row.span == (0, 0)
            assert row.tokens[0] == tokenizer.cls_token_id
        separators = [at for at, t in enumerate(row.tokens) if t == tokenizer.sep_token_id]
        assert [row.segments.index(1), len(row.tokens) - 1] == [separators[0] + 1, separators[1]]


def test_an_answer_that_is_cut_off_is_none(tokenizer):
    passage = "The chef cooked the meal in the kitchen."
    end = passage.index("the meal"), passage.index("the meal") + len("the meal")
    question = PassageQuestion("What did the chef cook?", passage, AnswerKind.OBJECT, (end,))
    whole = read(tokenizer, question, LENGTH)
    assert said(tokenizer, whole) == "the meal"
    cut = read(tokenizer, question, len(whole.tokens) - 5)
    assert cut.span == (0, 0)
    assert len(cut.tokens) == len(whole.tokens) - 5


def test_batches_are_padded_and_the_same_for_a_seed(batches, tokenizer, texts):
    batch = batches.batch(5)
    again = AnswerBatches(tokenizer, texts, 4, 3, LENGTH).batch(5)
    assert all(value.equal(again[name]) for name, value in batch.items())
    count, longest = batch["input_ids"].shape
    for name in ("attention_mask", "token_type_ids"):
        assert batch[name].shape == (count, longest)
    assert batch["attention_mask"].sum(1).max() == longest
    for name in ("starts", "ends"):
        assert batch[name].shape == (count,)
    assert (batch["starts"] <= batch["ends"]).all()
    assert (batch["ends"] < batch["attention_mask"].sum(1)).all()


def test_some_passages_are_long(batches):
    lengths = {batches.batch(step)["input_ids"].shape[1] for step in range(64)}
    assert max(lengths) > 75
    assert max(lengths) <= LENGTH
