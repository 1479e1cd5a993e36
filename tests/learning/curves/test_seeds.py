"""Runs of one plan with different seeds."""

import numpy as np
import pytest

from explorer.learning.curves.half_way import half_way
from explorer.learning.curves.record import record_of
from explorer.learning.curves.seeds import band_of, groups_of, smoothed


def run(seed, plan="one", **measured):
    return record_of(f"run-{seed}", f"run {seed}", measured, seed=seed, plan=plan)


def test_runs_of_one_plan_are_a_group_and_a_seed_twice_is_not():
    runs = [run(1), run(2), run(1), run(3, "two"), run(None), run(3)]
    groups = groups_of(runs)
    assert [[one.seed for one in each.records] for each in groups] == [
        [1, 2, 3],
        [1],
        [3],
        [None],
    ]
    assert [each.has_interval for each in groups] == [True, False, False, False]


def test_a_band_is_of_the_steps_that_all_have():
    steps = np.array([10.0, 20.0, 30.0])
    band = band_of(
        [
            (steps, np.array([3.0, 2.0, 1.0])),
            (steps, np.array([5.0, 4.0, 3.0])),
            (np.array([10.0, 15.0, 20.0, 25.0]), np.array([4.0, 3.5, 3.0, 2.5])),
        ]
    )
    assert band.steps.tolist() == [10, 20]
    assert band.mean == pytest.approx([4.0, 3.0])
    wide = 4.302653 * 1.0 / np.sqrt(3)
    assert band.high - band.mean == pytest.approx([wide, wide])
    assert band.mean - band.low == pytest.approx([wide, wide])


def test_smoothing_keeps_a_constant_and_begins_with_the_first_value():
    assert smoothed(np.full(5, 2.0), 0.9) == pytest.approx(np.full(5, 2.0))
    assert smoothed(np.array([1.0, 3.0]), 0.5) == pytest.approx([1.0, (0.25 * 1 + 0.5 * 3) / 0.75])


def test_half_way_is_where_the_middle_is_passed():
    steps = np.arange(1.0, 6.0)
    assert half_way(steps, np.array([4.0, 3.0, 2.0, 1.0, 0.0])) == 2
    assert half_way(steps, np.array([0.0, 0.9, 0.9, 1.0, 1.0])) == 1
    assert half_way(steps, np.ones(5)) is None
    assert half_way(steps[:2], np.ones(2)) is None
