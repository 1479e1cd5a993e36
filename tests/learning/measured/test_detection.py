from types import SimpleNamespace

import numpy as np
import pytest
import torch

from explorer.learning.measured.detection import (
    JudgedTokens,
    area_under_curve,
    judge,
    summarise,
    suspicion,
)
from explorer.world.corpus import held_out_documents


def test_area_is_how_often_a_replaced_token_scores_higher():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 6, size=40).astype(float)
    positive = rng.random(40) < 0.3
    wins = [
        1.0 if one > other else 0.5 if one == other else 0.0
        for one in scores[positive]
        for other in scores[~positive]
    ]
    assert area_under_curve(scores, positive) == pytest.approx(sum(wins) / len(wins))


@pytest.mark.parametrize(("sign", "area"), [(1.0, 1.0), (-1.0, 0.0)])
def test_area_of_a_perfect_detector_and_of_its_opposite(sign, area):
    positive = np.array([True, False, False, True])
    assert area_under_curve(sign * np.where(positive, 2.0, 1.0), positive) == area


def test_figures_at_one_half():
    judged = JudgedTokens(
        np.array([2.0, 1.0, -1.0, -3.0, -4.0]), np.array([True, False, True, False, False])
    )
    found = summarise(judged)
    assert (found.tokens, found.base_rate, found.accuracy) == (5, 0.4, 0.6)
    assert (found.precision, found.recall) == (0.5, 0.5)
    assert found.area == pytest.approx(5 / 6)


def test_a_detector_that_never_speaks_has_no_precision():
    found = summarise(JudgedTokens(np.array([-1.0, -1.0]), np.array([True, False])))
    assert (found.precision, found.recall, found.accuracy) == (0.0, 0.0, 0.5)


def test_figures_need_both_kinds():
    with pytest.raises(ValueError, match="replaced tokens and original"):
        summarise(JudgedTokens(np.zeros(3), np.zeros(3, dtype=bool)))


class Guesses:
    """A generator that always draws one token, and a detector that knows it."""

    def __init__(self, token, size):
        self.token, self.size, self.read = token, size, []

    def generator(self, input_ids):
        logits = torch.full((*input_ids.shape, self.size), -30.0)
        logits[..., self.token] = 30.0
        return SimpleNamespace(logits=logits)

    def discriminator(self, input_ids, attention_mask=None):
        self.read.append(input_ids)
        return SimpleNamespace(logits=torch.where(input_ids == self.token, 1.0, -1.0))


def test_judging_replaces_15_percent_and_leaves_special_tokens_out(tokenizer):
    documents = held_out_documents(40)
    rare = tokenizer.convert_tokens_to_ids(";")
    guesses = Guesses(rare, len(tokenizer))
    judged = judge(guesses.generator, guesses.discriminator, tokenizer, documents, seed=3)
    lengths = [len(tokenizer.tokenize(document.text)) for document in documents]
    assert len(judged.scores) == sum(lengths)
    assert judged.replaced.sum() == sum(max(1, round(0.15 * length)) for length in lengths)
    found = summarise(judged)
    assert (found.accuracy, found.precision, found.recall, found.area) == (1.0, 1.0, 1.0, 1.0)
    assert not any((tokens == tokenizer.mask_token_id).any() for tokens in guesses.read)


def test_suspicion_pairs_pieces_with_probabilities(tokenizer):
    number = tokenizer.convert_tokens_to_ids("a")
    guesses = Guesses(number, len(tokenizer))
    found = suspicion(guesses.discriminator, tokenizer, "A b, a.")
    assert [piece for piece, _ in found] == ["a", "b", ",", "a", "."]
    high, low = 1 / (1 + np.exp(-1.0)), 1 / (1 + np.exp(1.0))
    assert [chance for _, chance in found] == pytest.approx([high, low, low, high, low])
