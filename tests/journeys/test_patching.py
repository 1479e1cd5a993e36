"""Which state carries the difference: a swap, a state and its prediction, by mouse and by keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from explorer.questions.cause.patching.parts import place_of
from explorer.questions.cause.patching.question import CELL, COMPONENT, strongest
from explorer.questions.cause.patching.wording import share
from explorer.ui.blocks.widget.painted import PaintedPage
from tests.journeys.acting import SLOW, answered, click_spot, find, newest, pressing
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

PAGE = "patching"
TEXT = "I will plant the flower, so I dug the ground. I used a trowel."
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def is_whole(view):
    return view.result.found == view.result.total


def test_a_swap_and_a_state_by_mouse(running, hands, press, paths, qtbot):
    window, bench = running.window, running.bench
    hands.type_text(TEXT)
    click_page(window, PAGE)
    hands.click_token("trowel")
    press(Qt.Key.Key_Escape)
    # Without a second text the program swaps the word that moves the prediction most, and says so.
    view = answered(running, qtbot, PAGE, is_whole)
    assert view.result.is_chosen
    assert "There is no second text, so the program swapped" in words_on(view)
    offers = next(one for one in view.result.offers if one.word == "plant")
    # One's own swap: the word is clicked in the sentence, then what stands in its place.
    if ("swap", offers.others[0]) not in [one.key for one in view.page.page.spots]:
        window.sentence.selected.emit(offers.position)
        hands.settle()
    click_spot(view, ("swap", offers.others[0]))
    swap = f"plant > {offers.others[0]}"
    view = answered(running, qtbot, PAGE, lambda one: one.result.swap == (swap,) and is_whole(one))
    assert not view.result.is_chosen
    assert newest(paths, PAGE).result.swap == (swap,)
    # Every state's share follows from logits: nothing back is 0, everything back is 1.
    assert (view.result.nothing, view.result.everything) == pytest.approx((0, 1), abs=1e-4)
    stack, _row, column = strongest(view.result)
    other = (stack, len(view.result.grids[0].rows) - 1, column)
    click_spot(view, ("effect 0", *other[1:]))
    hands.settle()
    assert CELL.of(view.now) == other
    effect = float(view.result.grids[stack].effects[other[1:]])
    qtbot.waitUntil(lambda: "nats with the state put back" in words_on(view), timeout=SLOW)
    assert f"{share(effect)} of the difference" in words_on(view)
    # Two steps back: the state, then the swap.
    window.menus.action("undo").trigger()
    assert CELL.of(view.now) != other
    window.menus.action("undo").trigger()
    answered(running, qtbot, PAGE, lambda one: one.result.is_chosen and is_whole(one))
    assert bench.state.document.masks


def test_a_state_by_the_keyboard_alone(running, hands, press, paths, qtbot):
    window = running.window
    find(press, window, "causal tracing")
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(TEXT)
    hands.settle()
    press(Qt.Key.Key_T, CTRL | SHIFT)
    press(Qt.Key.Key_End)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Space)
    hands.settle()
    view = answered(running, qtbot, PAGE, is_whole)
    assert running.bench.state.document.masks
    stream = view.result.component
    # Into the page: what is put back is its first control.
    press(Qt.Key.Key_G, CTRL)
    assert view.isAncestorOf(QApplication.focusWidget())
    press(Qt.Key.Key_Down)
    hands.settle()
    view = answered(
        running, qtbot, PAGE, lambda one: one.result.component != stream and is_whole(one)
    )
    assert COMPONENT.of(view.now) == view.result.component == newest(paths, PAGE).request.component
    before = place_of(view.result, CELL.of(view.now))
    # On with Tab into the states, then from cell to cell; Enter looks at one.
    cells = view.findChild(PaintedPage, f"{PAGE}Page").widgets[0]
    for _step in range(8):
        if QApplication.focusWidget() is cells:
            break
        press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is cells
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Return)
    hands.settle()
    stack, row, column = place_of(view.result, CELL.of(view.now))
    assert (stack, row, column) != before
    qtbot.waitUntil(lambda: "nats with the state put back" in words_on(view), timeout=SLOW)
    press(Qt.Key.Key_P, CTRL | SHIFT)
    assert view.baseline is not None
