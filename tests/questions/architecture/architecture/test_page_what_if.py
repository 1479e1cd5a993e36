"""What can be changed of an architecture, within its ranges."""

import pytest

from explorer.document import Document
from explorer.questions.architecture.architecture.what_if.options import CHANGES, SIZES
from explorer.ui.controls.options.number_slider import NumberSlider


@pytest.mark.parametrize("name", SIZES)
def test_a_slider_reaches_both_ends_and_comes_back(name, qtbot):
    slider = NumberSlider(SIZES[name])
    qtbot.addWidget(slider)
    low, high, step = SIZES[name].low, SIZES[name].high, SIZES[name].step
    assert (slider.value_at(0), slider.value_at(1000)) == (low, high)
    middle = slider.value_at(500)
    assert abs(slider.value_at(slider.step_of(middle)) - middle) <= max(step, middle * 0.02)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({"layers": 24, "sharing": "all", "base": "notes"}, True),
        ({"layers": 0}, False),
        ({"layers": 129}, False),
        ({"vocabulary": True}, False),
        ({"sharing": "some"}, False),
        ({"depth": 3}, False),
    ],
)
def test_numbers_out_of_their_ranges_change_nothing(changes, counts):
    document = Document().with_option(CHANGES.key, changes)
    assert CHANGES.of(document) == (changes if counts else {})
