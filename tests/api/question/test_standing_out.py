import math

import numpy as np
import pytest

from explorer.api.question import (
    beyond,
    is_close,
    largest_cell,
    lead,
    outlying,
    stands_out,
    strongest_link,
    wavering,
)


def test_a_second_answer_of_half_the_probability_is_close():
    assert is_close(0.5, 0.25)
    assert not is_close(0.5, 0.24)


@pytest.mark.parametrize(
    ("share", "its", "said"),
    [
        (0.95, 0.03, "“soup” is nearly certain (95.0 %): the next, “tea”, has only 3.0 %."),
        (0.5, 0.24, "“soup” (50 %) leads clearly: the next, “tea”, has only 24 %."),
        (0.5, 0.25, "The model hesitates between “soup” (50 %) and “tea” (25 %)."),
        (0.09, 0.01, ""),
    ],
)
def test_a_lead_is_certain_clear_close_or_none(share, its, said):
    assert lead([("soup", share), ("tea", its)]) == said


def test_one_answer_alone_leads_nothing():
    assert not lead([("soup", 0.5)])


def test_what_was_written_least_surely_is_told_with_what_else_could_stand_there():
    assert not wavering("soup", 0.9), "it is sure"
    assert not wavering("soup", 0.7, ("tea", 0.2)), "nothing else could as well"
    assert wavering("soup", 0.4) == (
        "The model is least sure of “soup”: it has 40 % after all pieces before it."
    )
    assert wavering("soup", 0.4, ("tea", 0.3)) == (
        "The model is least sure of “soup” (40 %): “tea” could be there as well, with 30 %."
    )


def test_a_number_stands_out_from_others_by_how_far_these_scatter():
    rng = np.random.default_rng(3)
    heads = rng.normal(0.4, 0.05, (12, 12))
    at = largest_cell(heads)
    assert not stands_out(heads, at), "one of 144 is always the largest"
    heads[3, 7] = 0.9
    others = np.delete(heads.ravel(), 3 * 12 + 7)
    middle = np.median(others)
    known = 0.6745 * (0.9 - middle) / np.median(abs(others - middle))
    assert outlying(heads, (3, 7)) == pytest.approx(known)
    assert stands_out(heads, (3, 7))
    assert stands_out(np.array([1.0, 1.0, 1.5, np.nan]), (2,)), "the others are all the same"
    assert not stands_out(np.ones(5), (0,))
    assert not stands_out(np.array([0.0, 9.0]), (1,)), "of two numbers none is outlying"


@pytest.mark.parametrize("shape", [(6,), (3, 4), (2, 3, 5)])
def test_the_largest_cell_is_the_first_that_no_other_exceeds(shape):
    values = np.random.default_rng(7).integers(0, 9, shape).astype(float)
    values.flat[1] = np.nan
    known = [cell for cell in np.ndindex(shape) if not np.isnan(values[cell])]
    assert largest_cell(values) == max(known, key=lambda cell: values[cell])


def test_the_strongest_link_is_between_two_tokens():
    weights = np.array([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]], np.float32)
    assert strongest_link(weights, is_own=False) == (0, 0, 0)
    assert strongest_link(weights, is_own=True) == (0, 1, 0)
    assert weights[0, 0, 0] == np.float32(0.9), "they are left as they were"
    assert strongest_link(np.ones((1, 1)), is_own=True) == (0, 0)


def test_a_finding_is_as_strong_as_it_is_beyond_its_own_threshold():
    assert beyond(0.1, 0.1, 1.0) == 0.0, "a share at its threshold"
    assert beyond(0.55, 0.1, 1.0) == pytest.approx(0.5), "half of the way to all"
    assert beyond(1.0, 0.1, 1.0) == 1.0
    assert beyond(7.0, 3.5) == pytest.approx(0.5), "an outlier's score twice its threshold"
    assert beyond(math.inf, 3.5) == 1.0


@pytest.mark.parametrize("found", [0.0, -3.0, math.nan])
def test_what_is_below_the_threshold_or_no_number_has_no_strength(found):
    assert beyond(found, 0.5) == beyond(found, 0.5, 1.0) == 0.0


def test_units_do_not_count():
    assert beyond(7.0 * 1.44, 3.5 * 1.44) == pytest.approx(beyond(7.0, 3.5))
