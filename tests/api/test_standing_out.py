import numpy as np
import pytest

from explorer.api.question.standing_out import (
    hesitation,
    is_close,
    largest_cell,
    strongest_link,
)


def test_a_second_answer_of_half_the_probability_is_close():
    assert is_close(0.5, 0.25)
    assert not is_close(0.5, 0.24)
    assert hesitation("soup", 0.5, "tea", 0.25) == (
        "The model hesitates between “soup” (50 %) and “tea” (25 %)."
    )


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
