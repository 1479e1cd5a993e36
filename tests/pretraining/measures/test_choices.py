"""Choices: how they are drawn and laid out, and what could be known of them at best."""

import math
import random
import re

import pytest

from explorer.learning.batches.choices import ChoiceBatches
from explorer.pretraining.measures.choices import (
    MARKS,
    ChoiceItem,
    best_shares,
    draw_question,
    lay_out,
    unseen_questions,
)
from explorer.pretraining.recipes.writers.gpt1_choice import RECIPE
from explorer.world.corpus import is_withheld, sentence_words
from explorer.world.exact.pairs import follows
from explorer.world.exact.truth import Truth


@pytest.fixture(scope="module")
def pieces():
    """GPT-1's pieces with the three special ones."""
    return RECIPE.make_tokenizer([])


@pytest.fixture(scope="module")
def truth(pieces):
    return Truth(pieces.tokenize)


def test_a_text_is_cut_behind_a_sentence_and_other_ends_stand_beside_its_own():
    document, other = ("A.", "B.", "C."), ("X.", "Y.")
    found = {draw_question(document, [other], random.Random(seed)) for seed in range(60)}
    assert {(one.context, one.choices[0]) for one in found} == {("A.", "B. C."), ("A. B.", "C.")}
    assert {one.choices[1] for one in found} == {"X. Y.", "Y."}


def test_sequences_are_start_text_delimiter_choice_extract(pieces):
    ids = lay_out(pieces, "The chef cooked.", "He was tired.")
    start, delimiter, extract = pieces.convert_tokens_to_ids(list(MARKS))
    assert (ids[0], ids[-1]) == (start, extract)
    at = ids.index(delimiter)
    assert ids[1:at] == pieces("The chef cooked.")["input_ids"]
    assert ids[at + 1 : -1] == pieces("He was tired.")["input_ids"]
    # They come behind all pieces that were there.
    assert min(start, delimiter, extract) == len(pieces) - 3


def test_batches_hold_the_right_choice_first(pieces, texts):
    batches = ChoiceBatches(pieces, texts, 4, 3, seed=2, length=64)
    batch = batches.batch(1)
    ids, last, labels = batch["input_ids"], batch["last"], batch["labels"]
    assert ids.shape[:2] == last.shape == (len(ids), 3)
    extract = pieces.convert_tokens_to_ids(MARKS[2])
    assert (ids.gather(2, last[..., None]) == extract).all()
    assert ids.shape[2] <= 64
    for row, told in zip(ids[:, 0], labels, strict=True):
        read = told[told >= 0]
        assert read.tolist() == row[: len(read)].tolist()
    again = ChoiceBatches(pieces, texts, 4, 3, seed=2, length=64).batch(1)
    assert (again["input_ids"] == ids).all()
    right = {one.text.lower() for one in texts}
    delimiter = pieces.convert_tokens_to_ids(MARKS[1])
    for row, place in zip(ids[:, 0].tolist(), last[:, 0].tolist(), strict=True):
        at = row.index(delimiter)
        text = pieces.decode([*row[1:at], *row[at + 1 : place]])
        assert any(_letters(text) == _letters(one) for one in right)


def _letters(text):
    return "".join(text.split())


def test_the_best_possible_weighs_each_choice_by_its_odds(pieces, truth):
    question = ChoiceItem(
        "Tom ate the meal.", ("It was delicious.", "He was tired.", "The lake is deep.")
    )
    shares = best_shares(truth, pieces, question)
    assert math.fsum(shares) == pytest.approx(1.0)
    first = pieces.tokenize(question.context)
    told = [follows(truth, first, pieces.tokenize(one)).probability for one in question.choices]
    odds = [0.0 if one is None else one / (1 - one) for one in told]
    assert shares == pytest.approx([one / sum(odds) for one in odds])
    assert shares[0] > 0.5
    assert shares[2] == 0.0


def test_unseen_questions_have_a_sentence_that_was_kept_from_training():
    questions = unseen_questions(8, 4, seed=3)
    assert len({one.context + one.choices[0] for one in questions}) == 8
    for one in questions:
        text = f"{one.context} {one.choices[0]}"
        words = tuple(re.findall(r"\w+|[^\w\s]", text))
        assert any(map(is_withheld, sentence_words(words)))
        assert len(one.choices) == 4


@pytest.mark.usefixtures("quiet_loading")
def test_one_step_learns_the_choice_and_half_of_the_next_tokens(pieces, texts):
    import torch

    model = RECIPE.make_model(pieces)
    batches = ChoiceBatches(pieces, texts, 3, 4, seed=1, length=128)
    batch = batches.batch(0)
    losses = RECIPE.losses(model, batch)
    with torch.no_grad():
        said = model(input_ids=batch["input_ids"], mc_token_ids=batch["last"])
    expected = -said.mc_logits.log_softmax(-1)[:, 0].mean()
    assert losses["loss_choice"].item() == pytest.approx(expected.item(), abs=1e-5)
    assert set(losses) == {"loss_choice", "loss_next_halved", "choice_accuracy"}
    logs = said.logits[:, 0, : batch["labels"].shape[1] - 1].log_softmax(-1)
    following = batch["labels"][:, 1:]
    kept = following >= 0
    told = logs.gather(2, following.clamp(min=0)[..., None])[..., 0][kept]
    assert losses["loss_next_halved"].item() == pytest.approx(-told.mean().item() / 2, abs=1e-5)
