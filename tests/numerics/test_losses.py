import math

import numpy as np
import pytest

from explorer.numerics import losses
from tests.numerics.distributions.test_temperature import TEMPERATURES, plainly

RANDOM = np.random.default_rng(5)
TEACHER = RANDOM.normal(0, 3, (4, 30))
STUDENT = TEACHER + RANDOM.normal(0, 1, (4, 30))


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_each_loss_is_its_formula(temperature):
    forth = losses.kl(TEACHER, STUDENT, temperature)
    back = losses.kl(STUDENT, TEACHER, temperature)
    crossed = losses.cross_entropy(TEACHER, STUDENT, temperature)
    for row in range(4):
        p, q = plainly(TEACHER[row], temperature), plainly(STUDENT[row], temperature)
        pairs = list(zip(p, q, strict=True))
        assert forth[row] == pytest.approx(sum(a * math.log(a / b) for a, b in pairs), rel=1e-9)
        assert back[row] == pytest.approx(sum(b * math.log(b / a) for a, b in pairs), rel=1e-9)
        assert crossed[row] == pytest.approx(-sum(a * math.log(b) for a, b in pairs), rel=1e-9)
        unsure = -sum(a * math.log(a) for a in p)
        assert crossed[row] == pytest.approx(forth[row] + unsure, rel=1e-9)


def test_a_divergence_from_itself_is_zero():
    assert losses.kl(TEACHER, TEACHER + 100.0, 3.0).max() < 1e-12


def test_the_student_loss_knows_the_hard_label_only():
    labels = [3, 0, 29, 7]
    found = losses.student_loss(STUDENT, labels)
    expected = [-math.log(plainly(STUDENT[i], 1.0)[y]) for i, y in enumerate(labels)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_the_gradient_is_what_finite_differences_give(temperature):
    row, step = 1, 1e-5
    found = losses.gradient(TEACHER[row], STUDENT[row], temperature)
    for index in (0, 4, 29):
        moved = [STUDENT[row].copy(), STUDENT[row].copy()]
        moved[0][index] += step
        moved[1][index] -= step
        up, down = (float(losses.kl(TEACHER[row], one, temperature)) for one in moved)
        assert found[index] == pytest.approx((up - down) / (2 * step), rel=1e-4, abs=1e-7)
    length = math.sqrt(sum(float(g) ** 2 for g in found))
    assert losses.gradient_norm(TEACHER[row], STUDENT[row], temperature) == pytest.approx(length)


def test_the_gradient_shrinks_with_the_square_of_a_high_temperature():
    hot, hotter = (losses.gradient_norm(TEACHER, STUDENT, t) for t in (200.0, 400.0))
    np.testing.assert_allclose(hot / hotter, 4.0, rtol=0.02)
    np.testing.assert_allclose(hot * 200.0**2, hotter * 400.0**2, rtol=0.02)


def test_torch_agrees():
    torch = pytest.importorskip("torch")
    from explorer.objectives.distillation.soft_targets import soft_cross_entropy, soft_target_loss

    teacher, student = torch.tensor(TEACHER), torch.tensor(STUDENT)
    for temperature in TEMPERATURES:
        trained = float(soft_target_loss(student, teacher, temperature))
        own = float(losses.kl(TEACHER, STUDENT, temperature).mean()) * temperature**2
        assert own == pytest.approx(trained, rel=1e-9)
        trained = float(soft_cross_entropy(student, teacher, temperature))
        own = float(losses.cross_entropy(TEACHER, STUDENT, temperature).mean())
        assert own == pytest.approx(trained, rel=1e-9)


def test_the_weighted_sum_leaves_out_what_is_not_there():
    assert losses.weighted_sum((0.5, 0.25, 0.125), (5, 2, 1), (4, 1, 1)) == 10.625
    assert losses.weighted_sum((0.5, None, 0.125), (5, 2, 1), (1, 1, 1)) == 2.625
