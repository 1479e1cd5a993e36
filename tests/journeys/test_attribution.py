"""Which words matter: asked for by mouse, and by the keyboard alone, as a person goes about it."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.questions.cause.attribution.options import BESIDE, METHOD
from explorer.tour.hands import wait_until
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.export.picture_dialog import PictureDialog
from explorer.ui.window.menus.command_finder import CommandFinder
from tests.journeys.acting import SLOW, answered, newest, pressing
from tests.ui.page_tree import click_page

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

PAGE = "attribution"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def test_words_that_matter_by_mouse(running, hands, paths, qtbot):
    window, bench = running.window, running.bench
    hands.type_text("the chef cooked the meal in the kitchen.")
    click_page(window, PAGE)
    # Without a mask the page says what it lacks; a click on the strip gives it.
    hands.click_token("meal")
    view = answered(running, qtbot, PAGE, lambda one: one.result.explained.place is not None)
    first, second = view.result.methods
    assert (first.method, second.method) == (
        "integrated_gradients",
        "occlusion",
    )
    # What adds up does: the scores are what all words together change.
    whole = view.result.value - view.result.baseline_value
    assert np.sum(first.scores) == pytest.approx(whole, rel=0.02)
    # The word that matters most is turned to in the sentence above.
    told = view.findChild(PaintedPage, f"{PAGE}Page").page.spots
    assert any("“" in one.words for one in told)
    box = view.bar.fields[BESIDE.key]
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    wait_until(lambda: box.view().isVisible(), "the list of methods")
    QTest.keyClick(box.view(), Qt.Key.Key_Home)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    view = answered(running, qtbot, PAGE, lambda one: len(one.result.methods) == 1)
    assert newest(paths, PAGE).request.beside is None
    # One step back and both methods are there again.
    window.menus.action("undo").trigger()
    view = answered(running, qtbot, PAGE, lambda one: len(one.result.methods) == 2)
    assert bench.state.document.masks


def test_words_that_matter_by_the_keyboard_alone(running, hands, press, paths, qtbot):
    window = running.window
    press(Qt.Key.Key_K, CTRL)
    press("saliency")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None, timeout=SLOW)
    answered(running, qtbot, PAGE)
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press("the nurse helped the patients")
    hands.settle()
    press(Qt.Key.Key_T, CTRL | SHIFT)
    press(Qt.Key.Key_End)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Space)
    hands.settle()
    view = answered(running, qtbot, PAGE, lambda one: one.result.explained.place is not None)
    assert METHOD.of(view.now) == "integrated_gradients"
    press(Qt.Key.Key_G, CTRL)
    assert view.isAncestorOf(QApplication.focusWidget())
    press(Qt.Key.Key_Down)
    hands.settle()
    assert METHOD.of(view.now) != "integrated_gradients"
    view = answered(
        running, qtbot, PAGE, lambda one: one.result.methods[0].method == METHOD.of(one.now)
    )
    assert newest(paths, PAGE).request.method == METHOD.of(view.now)
    # On with Tab into the blocks, where words are gone through and one is told.
    page = view.findChild(PaintedPage, f"{PAGE}Page")
    for _step in range(4):
        if QApplication.focusWidget() is page:
            break
        press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is page
    press(Qt.Key.Key_Right)
    assert page.current is not None
    press(Qt.Key.Key_P, CTRL | SHIFT)
    assert view.baseline is not None
    press(Qt.Key.Key_E, CTRL)
    wait_until(lambda: isinstance(QApplication.activeWindow(), PictureDialog), "the dialog")
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None, timeout=SLOW)
