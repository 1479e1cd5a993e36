import math

import numpy as np
import pytest

from explorer.numerics import losses
from explorer.numerics.distributions import comparing
from tests.numerics.distributions.test_temperature import TEMPERATURES, plainly

RANDOM = np.random.default_rng(8)
TEACHER = RANDOM.normal(0, 3, 40).astype(np.float32)
STUDENT = (TEACHER + RANDOM.normal(0, 2, 40)).astype(np.float32)


@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("chosen", [list(range(40)), [7, 0, 31]])
def test_every_number_is_its_formula(temperature, chosen):
    found = comparing.compare(TEACHER[chosen], STUDENT[chosen], temperature)
    p = plainly([TEACHER[i] for i in chosen], temperature)
    q = plainly([STUDENT[i] for i in chosen], temperature)
    np.testing.assert_allclose(found.teacher, p, rtol=1e-9)
    np.testing.assert_allclose(found.student, q, rtol=1e-9)
    assert found.teacher_entropy == pytest.approx(-sum(a * math.log(a) for a in p), rel=1e-9)
    assert found.student_entropy == pytest.approx(-sum(a * math.log(a) for a in q), rel=1e-9)
    pairs = list(zip(p, q, strict=True))
    forth = sum(a * math.log(a / b) for a, b in pairs)
    back = sum(b * math.log(b / a) for a, b in pairs)
    assert found.kl_teacher_student == pytest.approx(forth, rel=1e-9, abs=1e-12)
    assert found.kl_student_teacher == pytest.approx(back, rel=1e-9, abs=1e-12)
    crossed = -sum(a * math.log(b) for a, b in pairs)
    assert found.cross_entropy == pytest.approx(crossed, rel=1e-9)
    assert (found.teacher_top, found.student_top) == (max(found.teacher), max(found.student))


def test_a_class_that_is_impossible_adds_nothing_and_hides_nothing():
    inf = float("inf")
    one, other = np.array([2.0, 1.0, -inf]), np.array([0.0, 3.0, -inf])
    found, known = comparing.compare(one, other), comparing.compare(one[:2], other[:2])
    assert known.kl_teacher_student > 1
    for name in (
        "teacher_entropy",
        "student_entropy",
        "kl_teacher_student",
        "kl_student_teacher",
        "cross_entropy",
        "total_variation",
    ):
        assert getattr(found, name) == pytest.approx(getattr(known, name)), name
    assert found.kl_teacher_student == pytest.approx(float(losses.kl(one, other)))
    assert found.cross_entropy == pytest.approx(float(losses.cross_entropy(one, other)))
    p, q = found.teacher, found.student
    assert comparing.kl_of(p, q) == pytest.approx(found.kl_teacher_student)
    certain = np.array([0.0, -inf])
    assert comparing.compare(certain, certain).kl_teacher_student == 0.0
    ruled_out = comparing.compare(np.zeros(2), certain)
    assert ruled_out.kl_teacher_student == ruled_out.cross_entropy == inf
    assert ruled_out.kl_student_teacher == pytest.approx(math.log(2))


def test_agreement_counts_classes_not_probabilities():
    teacher = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    assert comparing.same_first(teacher, teacher * 0.1)
    assert not comparing.same_first(teacher, -teacher)
    assert comparing.shared_top(teacher, -teacher, 3) == 1
    assert comparing.shared_top(teacher, np.array([0.0, 9.0, 8.0, 7.0, 1.0]), 3) == 2
