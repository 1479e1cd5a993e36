"""What two plans came to over their seeds, by a second computation of the intervals."""

import numpy as np
import pytest

from explorer.learning.curves.differences import SeedCurve, difference_of, welch
from explorer.numerics.evaluation.student_t import t_quantile


def curves(values, seeds=(1, 2, 3), end=100.0):
    at = np.linspace(1.0, end, 100)
    return [
        SeedCurve(seed, at, np.full(100, value)) for seed, value in zip(seeds, values, strict=True)
    ]


def test_of_equal_seeds_what_they_have_in_common_falls_out():
    some, others = curves((1.0, 2.0, 3.0)), curves((0.5, 1.6, 2.4))
    found = difference_of(some, others)
    differences = np.array([0.5, 0.4, 0.6])
    reach = t_quantile(0.975, 2) * differences.std(ddof=1) / np.sqrt(3)
    assert found.interval.mean == pytest.approx(0.5)
    assert found.interval.low == pytest.approx(0.5 - reach)
    assert found.sign == 1
    assert difference_of(others, some).sign == -1
    apart = difference_of(some, curves((0.5, 1.6, 2.4), seeds=(4, 5, 6)))
    assert apart.interval.mean == pytest.approx(0.5)
    assert apart.sign == 0, "between seeds they scatter more than they differ"


def test_welchs_interval_is_that_of_his_formula():
    some, others = (3.1, 2.9, 3.3, 3.0), (2.0, 2.6, 2.3)
    found = welch(some, others)
    parts = np.var(some, ddof=1) / 4, np.var(others, ddof=1) / 3
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 2)
    reach = t_quantile(0.975, int(freedom)) * np.sqrt(sum(parts))
    assert (found.low, found.high) == pytest.approx(
        (np.mean(some) - np.mean(others) - reach, np.mean(some) - np.mean(others) + reach)
    )


def test_runs_are_compared_where_all_of_them_were():
    falling = [
        SeedCurve(seed, np.arange(1.0, 201.0), 200.0 - np.arange(1.0, 201.0)) for seed in (1, 2, 3)
    ]
    short = curves((0.0, 0.0, 0.0), end=100.0)
    found = difference_of(falling, short)
    assert found.at == 100.0
    assert found.interval.mean == pytest.approx(102.0), "the mean of steps 96 to 100"


def test_fewer_than_three_seeds_say_nothing():
    assert difference_of(curves((1.0, 2.0), (1, 2)), curves((0.0, 0.0, 0.0))) is None
