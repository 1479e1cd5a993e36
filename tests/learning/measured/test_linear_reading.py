"""A ridge regression of frozen states, against scikit-learn's."""

import numpy as np
import pytest

from explorer.learning.measured.linear_reading import linear_reading, ridge_scores

RNG = np.random.default_rng(4)
STATES, UNSEEN = RNG.normal(2, 3, (60, 7)), RNG.normal(2, 3, (25, 7))
WEIGHTS = RNG.normal(0, 1, (7, 3))


def test_scores_are_those_of_another_ridge_regression() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    targets = STATES @ WEIGHTS + RNG.normal(0, 0.1, (60, 3))
    mean, spread = STATES.mean(axis=0), STATES.std(axis=0)
    known, other = ((one - mean) / spread for one in (STATES, UNSEEN))
    # The constant is penalised, too, as one more column.
    model = linear.Ridge(alpha=5.0, fit_intercept=False)
    model.fit(np.column_stack((known, np.ones(60))), targets)
    expected = model.predict(np.column_stack((other, np.ones(25))))
    assert ridge_scores(STATES, targets, UNSEEN, 5.0) == pytest.approx(expected)


def test_what_is_linear_is_read_and_what_is_random_is_not() -> None:
    truth, unseen = STATES[:, 0] > 2, UNSEEN[:, 0] > 2
    assert linear_reading(STATES, truth, UNSEEN, unseen) > 0.85
    guessed = [
        linear_reading(STATES, RNG.random(60) < 0.5, UNSEEN, RNG.random(25) < 0.5)
        for _ in range(20)
    ]
    assert abs(float(np.mean(guessed)) - 0.5) < 0.1
