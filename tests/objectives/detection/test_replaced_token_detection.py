import math

import numpy as np
import pytest
import torch

from explorer.objectives import IGNORED
from explorer.objectives.detection.replaced_token_detection import (
    corrupt,
    detection_loss,
    detection_rates,
    draw,
)

MASK = 4
MASKED = torch.tensor([[2, MASK, 11, MASK, 3], [2, 20, MASK, 3, 0]])
LABELS = torch.tensor(
    [[IGNORED, 10, IGNORED, 12, IGNORED], [IGNORED, IGNORED, 21, IGNORED, IGNORED]]
)
REAL = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]])


def test_drawn_tokens_stand_where_masks_stood():
    corrupted = corrupt(MASKED, LABELS, torch.tensor([30, 12, 31]))
    assert corrupted.inputs.tolist() == [[2, 30, 11, 12, 3], [2, 20, 31, 3, 0]]
    assert MASKED[0, 1] == MASK, "the generator's inputs are left alone"


def test_a_token_that_was_guessed_right_counts_as_original():
    corrupted = corrupt(MASKED, LABELS, torch.tensor([30, 12, 31]))
    assert corrupted.replaced.tolist() == [
        [False, True, False, False, False],
        [False, False, True, False, False],
    ]


def test_draws_follow_the_softmax_at_temperature_one():
    logits = torch.tensor([[0.0, 1.0, 2.0, -1.0]])
    source = torch.Generator().manual_seed(0)
    drawn = draw(logits.expand(40_000, 4), source)
    shares = np.bincount(drawn.numpy(), minlength=4) / 40_000
    weights = np.exp([0.0, 1.0, 2.0, -1.0])
    assert shares == pytest.approx(weights / weights.sum(), abs=0.01)


def test_draws_carry_no_gradient():
    logits = torch.zeros(3, 5, requires_grad=True)
    assert not draw(logits).requires_grad


def test_loss_is_the_binary_cross_entropy_over_all_real_tokens():
    logits = torch.linspace(-2.0, 2.0, 10).reshape(2, 5)
    replaced = corrupt(MASKED, LABELS, torch.tensor([30, 12, 31])).replaced
    losses = []
    for row in range(2):
        for place in range(5):
            if REAL[row, place]:
                chance = 1.0 / (1.0 + math.exp(-float(logits[row, place])))
                losses.append(-math.log(chance if replaced[row, place] else 1.0 - chance))
    assert len(losses) == 9
    assert float(detection_loss(logits, replaced, REAL)) == pytest.approx(sum(losses) / 9)


def test_rates_at_one_half():
    logits = torch.tensor([[3.0, 1.0, -1.0, -2.0, 5.0]])
    replaced = torch.tensor([[True, False, True, False, True]])
    real = torch.tensor([[1, 1, 1, 1, 0]])
    rates = {name: float(rate) for name, rate in detection_rates(logits, replaced, real).items()}
    assert rates == {
        "rtd_accuracy": 0.5, "replaced": 0.5, "rtd_recall": 0.5, "rtd_precision": 0.5
    }  # fmt: skip


def test_rates_that_are_not_defined_are_left_out():
    logits, none = torch.tensor([[-1.0, -1.0]]), torch.zeros(1, 2, dtype=torch.bool)
    assert set(detection_rates(logits, none, torch.ones(1, 2))) == {"rtd_accuracy", "replaced"}
