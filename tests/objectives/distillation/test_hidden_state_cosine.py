import math

import numpy as np
import pytest
import torch

from explorer.objectives.distillation.hidden_state_cosine import cosine_loss

RNG = np.random.default_rng(2)
STUDENT, TEACHER = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 3, 4))
REAL = np.array([[1, 1, 1], [1, 0, 0]])


def test_it_equals_a_plain_computation_over_real_tokens():
    angles = []
    for text, token in zip(*np.nonzero(REAL), strict=True):
        a, b = STUDENT[text, token], TEACHER[text, token]
        angles.append(a @ b / math.sqrt(a @ a) / math.sqrt(b @ b))
    found = cosine_loss(*map(torch.tensor, (STUDENT, TEACHER, REAL)))
    assert found.item() == pytest.approx(1 - np.mean(angles))


def test_same_direction_is_0_and_opposite_is_2():
    student, real = torch.tensor(STUDENT), torch.tensor(REAL)
    assert cosine_loss(student, 5 * student, real).item() == pytest.approx(0.0, abs=1e-12)
    assert cosine_loss(student, -student, real).item() == pytest.approx(2.0)
