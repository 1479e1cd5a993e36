"""Areas under curves by hand."""

import pytest

from explorer.numerics.evaluation.mean_height import mean_height


def test_heights_count_from_the_low_end_to_the_high_one():
    assert mean_height([1.0, 1.0, 1.0], 0.0, 1.0) == 1.0
    assert mean_height([3.0, 5.0], 3.0, 5.0) == 0.5
    assert mean_height([0.0, 2.0, 2.0], 0.0, 2.0) == pytest.approx(0.75)
    assert mean_height([0.0, 1.0], 0.0, -1.0) == -0.5


def test_without_a_scale_or_a_step_there_is_none():
    assert mean_height([2.0, 2.0], 2.0, 2.0) is None
    assert mean_height([2.0], 0.0, 1.0) is None
