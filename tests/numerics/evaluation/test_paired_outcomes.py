"""McNemar's exact test against a sum over coin throws."""

import itertools

import pytest

from explorer.numerics.evaluation.paired_outcomes import mcnemar


@pytest.mark.parametrize(("first", "second"), [(0, 1), (3, 3), (1, 7), (9, 2), (0, 10)])
def test_it_is_the_share_of_throws_that_are_as_far_from_half(first, second):
    trials = first + second
    throws = [sum(one) for one in itertools.product((0, 1), repeat=trials)]
    far = sum(abs(heads - trials / 2) >= abs(first - trials / 2) for heads in throws)
    assert mcnemar(first, second) == pytest.approx(far / 2**trials)


def test_judges_that_never_differ_are_as_good_as_each_other():
    assert mcnemar(0, 0) == 1.0


def test_a_table_of_the_literature():
    # Agresti 2002: 86 and 150 discordant pairs, far below 0.001.
    assert mcnemar(86, 150) == pytest.approx(3.7e-5, rel=0.05)
