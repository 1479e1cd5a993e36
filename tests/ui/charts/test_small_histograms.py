"""Many histograms side by side."""

import numpy as np

from explorer.ui.charts.small_histograms import SmallHistogram, SmallHistograms


def test_histograms_stand_in_as_many_columns_as_fit_and_say_what_they_are_of(qapp):
    one = SmallHistogram("key", np.array([1, 4, 2]), -1.0, 2.0, "-1 … 2", "key: mean 0.3")
    silent = SmallHistogram("query", np.array([0, 0]), 0.0, 0.0, "0 … 0")
    laid = SmallHistograms((one, silent, one, one)).at(630.0)
    assert [spot.words for spot in laid.spots] == ["key: mean 0.3"] * 3
    assert [spot.box.left() for spot in laid.spots] == [0.0, 420.0, 0.0]
    assert laid.spots[-1].box.bottom() <= laid.height
    assert SmallHistograms((one, silent, one, one)).at(200.0).height == 2 * laid.height
