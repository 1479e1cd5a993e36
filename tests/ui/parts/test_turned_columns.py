"""Columns of words have all their names, turned where they have no room side by side."""

import numpy as np
import pytest

from explorer.api.question import Score, Scores
from explorer.ui.matrices.heat_layout import HeatContent, fit, height_for

NAMES = ("integrated gradients", "occlusion", "rollout", "Shapley values")
VALUES = np.full((2, 4), 0.5)


def laid(turns, width):
    content = HeatContent(
        VALUES, ("bert", "xlm"), NAMES, cell=(width, 14.0), turns_columns=turns, with_bar=False
    )
    high = height_for(content, 400.0)
    return content, fit(content, 400.0, high), high


@pytest.mark.usefixtures("qapp")
def test_they_are_turned_only_without_room():
    _content, narrow, high = laid(True, 30.0)
    assert narrow.upright
    assert not laid(True, 200.0)[1].upright
    _same, level, lower = laid(False, 30.0)
    assert not level.upright
    # Names have their room above the cells, which keep their size.
    assert high - lower == pytest.approx(narrow.plane.top() - level.plane.top())
    assert high > lower
    assert (narrow.cell_width, narrow.cell_height) == (level.cell_width, level.cell_height)


@pytest.mark.parametrize(
    ("largest", "digits"), [(0.7, 2), (0.1, 2), (0.05, 3), (0.005, 4), (0.00016, 5), (1e-9, 6)]
)
def test_small_scores_are_written_so_that_the_largest_has_two_digits(largest, digits):
    assert Scores((), (Score(0, largest), Score(1, 0.0)), "").digits == digits
