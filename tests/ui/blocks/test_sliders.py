"""Numbers to be changed: a slider each, which keeps nothing and tells what is to be set."""

import pytest

from explorer.api.question import Number
from explorer.ui.blocks.sliders import ONE_COLUMN, SetNumber, Sliders, number_sliders

RANGES = {
    "share": Number("Share", 0.5, "How much"),
    "size": Number("Size", 8, "How wide", low=8, high=64, decimals=0, step=8),
    "steps": Number("Steps", 1, "How often", low=1, high=9, decimals=0, step=1),
}


def numbers(fixed=(), **values):
    return [
        SetNumber(
            key,
            RANGES[key],
            value,
            lambda new, key=key: (key, new),
            "It follows from the others" if key in fixed else "",
        )
        for key, value in values.items()
    ]


@pytest.fixture
def told():
    return []


@pytest.fixture
def shown(qtbot, told):
    made = Sliders()
    qtbot.addWidget(made)
    made.acted.connect(told.append)
    made.resize(900, 200)
    made.show()
    return made


def test_they_show_what_they_are_given_and_tell_what_is_to_be_set(shown, told):
    shown.show_content(numbers(share=0.25, size=16))
    assert [one.value() for one in shown.sliders.values()] == [0.25, 16]
    assert told == []
    shown.sliders["size"].field.setValue(24)
    assert told == [("size", 24.0)]
    before = dict(shown.sliders)
    shown.show_content(numbers(share=0.75, size=16))
    assert [one.value() for one in shown.sliders.values()] == [0.75, 16]
    assert shown.sliders == before, "a slider in the hand is not taken from it"
    assert told == [("size", 24.0)]


def test_what_cannot_be_set_says_why(shown):
    shown.show_content(numbers(fixed=("size",), share=0.25, size=16))
    assert shown.sliders["share"].isEnabled()
    assert not shown.sliders["size"].isEnabled()
    assert shown.sliders["size"].toolTip() == "It follows from the others"
    shown.show_content(numbers(share=0.25, size=16))
    assert shown.sliders["size"].toolTip() == "How wide"


def test_others_take_their_places(shown, told, qtbot):
    shown.show_content(numbers(share=0.25, size=16))
    shown.show_content(numbers(steps=3))
    assert list(shown.sliders) == ["steps"]
    shown.sliders["steps"].field.setValue(4)
    assert told == [("steps", 4.0)]
    qtbot.waitUntil(
        lambda: sum(one.isVisible() for one in shown.children() if one.isWidgetType()) == 2
    )


def test_a_narrow_page_has_them_below_each_other():
    block = number_sliders(numbers(share=0.25, size=16, steps=3))
    wide, narrow = block.at(ONE_COLUMN).height, block.at(ONE_COLUMN - 1).height
    assert narrow > 1.4 * wide
