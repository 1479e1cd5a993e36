import math

import numpy as np
import pytest

from explorer.numerics.distributions import comparing
from tests.numerics.distributions.test_temperature import TEMPERATURES, plainly

RANDOM = np.random.default_rng(8)
TEACHER = RANDOM.normal(0, 3, 40).astype(np.float32)
STUDENT = (TEACHER + RANDOM.normal(0, 2, 40)).astype(np.float32)


@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("only", [None, [7, 0, 31]])
def test_every_number_is_its_formula(temperature, only):
    found = comparing.compare(TEACHER, STUDENT, temperature, only)
    chosen = range(40) if only is None else only
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


def test_agreement_counts_classes_not_probabilities():
    teacher = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    assert comparing.same_first(teacher, teacher * 0.1)
    assert not comparing.same_first(teacher, -teacher)
    assert comparing.shared_top(teacher, -teacher, 3) == 1
    assert comparing.shared_top(teacher, np.array([0.0, 9.0, 8.0, 7.0, 1.0]), 3) == 2
