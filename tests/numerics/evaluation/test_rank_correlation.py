"""Spearman's correlation by hand."""

import pytest

from explorer.numerics.evaluation.rank_correlation import mid_ranks, rank_correlation


def test_ranks_of_equal_numbers_are_the_mean_of_their_places():
    assert mid_ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_orders_that_are_the_same_opposite_and_in_between():
    assert rank_correlation([1, 2, 3], [10, 20, 400]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    # Two of four are one place off: six times two, over four times fifteen, from one.
    assert rank_correlation([1, 2, 3, 4], [2, 1, 3, 4]) == pytest.approx(0.8)


def test_without_an_order_there_is_none():
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None
    assert rank_correlation([1], [2]) is None
