import math

import numpy as np
import pytest
import torch

from explorer.objectives.distillation.feature_map_transfer import (
    attention_transfer,
    distillation_loss,
    feature_map_loss,
)

RNG = np.random.default_rng(4)
REAL = np.array([[1, 1, 1, 1], [1, 1, 1, 0]])
STUDENT, TEACHER = RNG.normal(0, 2, (2, 3, 4, 4)), RNG.normal(0, 2, (2, 3, 4, 4))


def attention(scores, keys):
    powers = [math.exp(score) if key else 0.0 for score, key in zip(scores, keys, strict=True)]
    return [power / math.fsum(powers) for power in powers]


def test_feature_maps_equal_the_papers_mean():
    student, teacher = RNG.normal(size=(2, 4, 5)), RNG.normal(size=(2, 4, 5))
    total = sum(
        (teacher[text, token, n] - student[text, token, n]) ** 2
        for text, token in zip(*np.nonzero(REAL), strict=True)
        for n in range(5)
    )
    found = feature_map_loss(*map(torch.tensor, (student, teacher, REAL)))
    assert found.item() == pytest.approx(total / (REAL.sum() * 5))


def test_attention_equals_the_papers_divergence():
    divergences = []
    for text, token in zip(*np.nonzero(REAL), strict=True):
        for head in range(3):
            p = attention(TEACHER[text, head, token], REAL[text])
            q = attention(STUDENT[text, head, token], REAL[text])
            divergences.append(
                math.fsum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a)
            )
    found = attention_transfer(*map(torch.tensor, (STUDENT, TEACHER, REAL)))
    assert len(divergences) == 3 * REAL.sum()
    assert found.item() == pytest.approx(np.mean(divergences))


def test_attention_that_is_the_teachers_costs_nothing_and_has_a_gradient_of_0():
    student = torch.tensor(TEACHER, requires_grad=True)
    loss = attention_transfer(student, torch.tensor(TEACHER), torch.tensor(REAL))
    loss.backward()
    assert loss.item() == pytest.approx(0.0, abs=1e-12)
    assert student.grad.abs().max().item() < 1e-12


def test_predictions_are_weighed_as_in_the_paper():
    assert distillation_loss(2.0, 4.0, 0.5, alpha=0.25) == pytest.approx(0.25 * 2 + 0.75 * 4 + 0.5)
