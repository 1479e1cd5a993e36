"""Nearness to all rows of a table that is read in parts."""

import numpy as np
import pytest

from explorer.numerics.vectors.nearest import highest, to_all


def test_parts_are_as_the_whole():
    table = np.random.default_rng(3).normal(size=(25, 6)).astype(np.float32)
    cosines, products = to_all(table[4], (table[:10], table[10:11], table[11:]))
    wide = table.astype(np.float64)
    assert products == pytest.approx(wide @ wide[4])
    lengths = np.linalg.norm(wide, axis=1)
    assert cosines == pytest.approx(wide @ wide[4] / lengths / lengths[4])
    assert cosines[4] == pytest.approx(1.0)


def test_a_row_that_is_zero_is_near_to_nothing():
    cosines, _products = to_all(np.array([1.0, 0.0]), [np.array([[0.0, 0.0], [2.0, 0.0]])])
    assert cosines.tolist() == [0.0, 1.0]
    assert to_all(np.zeros(2), [np.ones((3, 2))])[0].tolist() == [0.0, 0.0, 0.0]
    assert to_all(np.ones(2), [])[0].size == 0


def test_the_greatest_come_first_and_equal_ones_as_they_stand():
    values = np.array([1.0, 3.0, np.nan, 3.0, 2.0])
    assert highest(values, 4) == [1, 3, 4, 0]
    assert highest(values, 9)[-1] == 2
