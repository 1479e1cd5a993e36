"""Where a prediction is written: two words, a head opened, its tokens, by mouse and by keys."""

import pytest
from PySide6.QtCore import Qt

from explorer.questions.cause.logit_parts.question import OPENED, WORDS
from tests.journeys.acting import answered, click_spot, find, newest, pressing
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

PAGE = "logit_parts"
TEXT = "I will plant the flower, so I dug the ground. I used a hose."
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def test_a_head_is_opened_by_a_click_and_undone(running, hands, press, paths, qtbot):
    window = running.window
    hands.type_text(TEXT)
    click_page(window, PAGE)
    hands.click_token("hose")
    press(Qt.Key.Key_Escape)
    view = answered(running, qtbot, PAGE, lambda one: one.result.correlation is not None)
    result = view.result
    # What is hidden is what the model's own first word is compared with.
    assert result.words == ("trowel", "hose")
    assert abs(sum(one.value for one in result.parts) - result.difference) < 1e-4
    assert "Checked: the 36 parts add up" in words_on(view)
    first = result.opened
    head = next(
        one for one in result.parts if one.by == "head" and one.row == "3.1" and one.name != first
    )
    (key,) = [
        one.key
        for one in view.page.page.spots
        if one.act is not None and "Head 3.1" in f"{one.said} {one.words}"
    ]
    click_spot(view, key)
    view = answered(running, qtbot, PAGE, lambda one: one.result.opened == head.name)
    assert OPENED.of(view.now) == head.name
    assert newest(paths, PAGE).result.opened == head.name
    told = view.result.head
    assert float(told.values.sum()) == pytest.approx(head.value, abs=1e-4)
    assert told.tokens[int(told.values.argmax())].text == "plant"
    assert "Head 3.1 opened" in words_on(view)
    window.menus.action("undo").trigger()
    answered(running, qtbot, PAGE, lambda one: one.result.opened == first)


def test_two_words_are_typed_by_the_keyboard_alone(running, hands, press, paths, qtbot):
    window = running.window
    find(press, window, "direct logit attribution")
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press("I will plant the flower, so I dug the ground. I used a [MASK].")
    hands.settle()
    answered(running, qtbot, PAGE, lambda one: one.result.correlation is not None)
    press(Qt.Key.Key_G, CTRL)
    press("hose, trowel")
    press(Qt.Key.Key_Return)
    hands.settle()
    view = answered(running, qtbot, PAGE, lambda one: one.result.words == ("hose", "trowel"))
    assert WORDS.of(view.now) == ("hose", "trowel")
    assert view.result.difference < 0
    assert newest(paths, PAGE).request.words == ("hose", "trowel")
