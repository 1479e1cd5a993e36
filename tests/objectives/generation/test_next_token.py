import math

import numpy as np
import pytest
import torch

from explorer.objectives import IGNORED
from explorer.objectives.generation.next_token import next_token_losses


def test_losses_equal_a_plain_sum_over_tokens():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 5, 7))
    labels = rng.integers(7, size=(3, 5))
    labels[1, 3:] = IGNORED
    labels[2, 2:] = IGNORED
    losses, right = [], []
    for row in range(3):
        for place in range(1, 5):
            if labels[row, place] == IGNORED:
                continue
            before = scores[row, place - 1]
            total = math.log(math.fsum(math.exp(score) for score in before))
            losses.append(total - before[labels[row, place]])
            right.append(float(max(range(7), key=before.__getitem__) == labels[row, place]))
    found = next_token_losses(torch.from_numpy(scores), torch.from_numpy(labels))
    assert len(losses) == 4 + 2 + 1
    assert float(found["loss_next"]) == pytest.approx(sum(losses) / len(losses))
    assert float(found["next_accuracy"]) == pytest.approx(sum(right) / len(right))


def test_the_first_token_is_not_asked_for():
    scores = torch.zeros(1, 2, 4)
    scores[0, 0, 3] = 50.0
    for first in range(4):
        found = next_token_losses(scores, torch.tensor([[first, 3]]))
        assert float(found["loss_next"]) == pytest.approx(0.0, abs=1e-6)
