import math

import numpy as np
import pytest

from explorer.numerics.vectors import similarity

RANDOM = np.random.default_rng(11)
WIDE = RANDOM.normal(size=(9, 6)).astype(np.float32)
NARROW = RANDOM.normal(size=(9, 4)).astype(np.float32)


def test_mean_squared_and_cosine_are_plain_sums():
    other = WIDE[::-1]
    squares = [(float(a) - float(b)) ** 2 for a, b in zip(WIDE.flat, other.flat, strict=True)]
    assert similarity.mean_squared(WIDE, other) == pytest.approx(sum(squares) / 54)
    cosines = []
    for a, b in zip(WIDE.tolist(), other.tolist(), strict=True):
        product = sum(x * y for x, y in zip(a, b, strict=True))
        cosines.append(product / math.hypot(*a) / math.hypot(*b))
    assert similarity.mean_cosine(WIDE, other) == pytest.approx(sum(cosines) / 9, rel=1e-6)
    assert similarity.mean_cosine(WIDE, 3 * WIDE) == pytest.approx(1.0)
    assert similarity.mean_cosine(np.zeros((2, 3)), np.ones((2, 3))) == 0.0


def test_least_squares_leaves_what_no_matrix_explains():
    fitted = similarity.least_squares(NARROW, WIDE)
    rest = WIDE.astype(float) - fitted
    np.testing.assert_allclose(NARROW.astype(float).T @ rest, 0.0, atol=1e-9)
    inverse = np.linalg.inv(NARROW.T.astype(float) @ NARROW.astype(float))
    by_hand = NARROW @ (inverse @ NARROW.T.astype(float) @ WIDE.astype(float))
    np.testing.assert_allclose(fitted, by_hand, rtol=1e-5, atol=1e-6)


def test_least_squares_does_not_fit_rounding_errors():
    """States that were widened from three numbers have three directions, rounded to float32."""
    narrow = RANDOM.normal(size=(12, 3))
    widened = (narrow @ RANDOM.normal(size=(3, 8))).astype(np.float32)
    teacher = RANDOM.normal(size=(12, 5)).astype(np.float32)
    by_hand = narrow @ np.linalg.solve(narrow.T @ narrow, narrow.T @ teacher.astype(float))
    np.testing.assert_allclose(similarity.least_squares(widened, teacher), by_hand, atol=1e-5)


def test_least_squares_is_exact_with_few_tokens():
    assert similarity.mean_squared(similarity.least_squares(NARROW[:4], WIDE[:4]), WIDE[:4]) < 1e-10
