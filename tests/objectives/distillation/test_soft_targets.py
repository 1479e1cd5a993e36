import math

import numpy as np
import pytest
import torch

from explorer.objectives.distillation.soft_targets import soft_cross_entropy, soft_target_loss

RNG = np.random.default_rng(1)
TEACHER = RNG.normal(0, 3, (5, 7))
STUDENT = RNG.normal(0, 3, (5, 7))


def softened(logits, temperature):
    """exp(z/T) / sum exp(z/T), one number after the other."""
    rows = []
    for row in logits:
        powers = [math.exp(z / temperature) for z in row]
        rows.append([power / math.fsum(powers) for power in powers])
    return rows


def entropy_between(p, q):
    return np.mean(
        [
            -math.fsum(a * math.log(b) for a, b in zip(*r, strict=True))
            for r in zip(p, q, strict=True)
        ]
    )


@pytest.mark.parametrize("temperature", [1.0, 2.0, 5.0])
def test_both_forms_equal_a_plain_computation(temperature):
    p, q = softened(TEACHER, temperature), softened(STUDENT, temperature)
    student, teacher = torch.tensor(STUDENT), torch.tensor(TEACHER)
    crossed = entropy_between(p, q)
    assert soft_cross_entropy(student, teacher, temperature).item() == pytest.approx(crossed)
    divergence = temperature**2 * (crossed - entropy_between(p, p))
    assert soft_target_loss(student, teacher, temperature).item() == pytest.approx(divergence)


def test_a_student_that_is_its_teacher_loses_nothing():
    teacher = torch.tensor(TEACHER)
    assert soft_target_loss(teacher + 3.0, teacher, 2.0).item() == pytest.approx(0.0, abs=1e-12)


def test_gradients_are_those_of_hinton_section_2():
    # dC/dz_i = T (q_i - p_i) once the loss is multiplied by T^2, averaged over the rows.
    student = torch.tensor(STUDENT, requires_grad=True)
    soft_target_loss(student, torch.tensor(TEACHER), 2.0).backward()
    expected = 2.0 * (np.array(softened(STUDENT, 2.0)) - np.array(softened(TEACHER, 2.0))) / 5
    assert student.grad.numpy() == pytest.approx(expected)
