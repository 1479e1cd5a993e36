"""Rényi efficiency against values worked out by hand."""

import pytest

from explorer.numerics.distributions.efficiency import renyi_efficiency


def test_pieces_that_are_all_as_frequent_are_fully_efficient():
    assert renyi_efficiency([3, 3, 3, 3]) == pytest.approx(1.0)
    assert renyi_efficiency([1] * 1000) == pytest.approx(1.0)


def test_order_two_is_the_collision_entropy():
    # The logarithm of 3/8 to the base of two, and of 3.
    assert renyi_efficiency([2, 1, 1], order=2.0) == pytest.approx(1.415037499 / 1.584962501)


def test_order_two_and_a_half():
    # pick @@ed pick @@l @@ed pick @@les: (3/7)^2.5 + (2/7)^2.5 + 2 (1/7)^2.5 = 0.17930
    assert renyi_efficiency([3, 2, 1, 1]) == pytest.approx(0.8265065, abs=1e-6)


def test_one_kind_of_piece_has_none():
    assert renyi_efficiency([5]) is None
    assert renyi_efficiency([0, 5, 0]) is None
    assert renyi_efficiency([]) is None
