"""From a sentence to a pinned answer and its export by the keyboard alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from explorer.questions.masking.masked_tokens.question import TOP_K
from explorer.tour.hands import wait_until
from explorer.ui.export.picture_dialog import PictureDialog
from explorer.ui.window.menus.command_finder import CommandFinder
from tests.journeys.acting import SLOW, answered, pressing

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def press(running):
    """Press a key where the focus is, or type a text."""
    return pressing(running.window)


def test_a_sentence_is_masked_asked_pinned_and_exported_without_a_mouse(
    running, hands, press, qtbot
):
    window = running.window
    press(Qt.Key.Key_K, CTRL)
    press("fill mask")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None, timeout=SLOW)
    view = answered(running, qtbot, "masked_tokens")
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press("the chef cooked the meal")
    hands.settle()
    # On to the tokens: the last word is masked.
    press(Qt.Key.Key_T, CTRL | SHIFT)
    press(Qt.Key.Key_End)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Space)
    hands.settle()
    [mask] = running.bench.state.document.masks
    assert running.bench.state.document.text[mask.start : mask.end] == "meal"
    view = answered(running, qtbot, "masked_tokens", lambda view: len(view.result.masks) == 1)
    assert TOP_K.of(view.now) == 10
    # Into the page: its first control is how many words there are.
    press(Qt.Key.Key_G, CTRL)
    assert view.isAncestorOf(QApplication.focusWidget())
    press(Qt.Key.Key_Right)  # from 5, over 10
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Space)
    hands.settle()
    assert TOP_K.of(view.now) == 20
    press(Qt.Key.Key_P, CTRL | SHIFT)
    assert view.baseline is not None
    press(Qt.Key.Key_P, CTRL | SHIFT)
    assert view.baseline is None
    press(Qt.Key.Key_E, CTRL)
    wait_until(lambda: isinstance(QApplication.activeWindow(), PictureDialog), "the dialog")
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None, timeout=SLOW)
    press(Qt.Key.Key_F, CTRL | SHIFT)
    assert window.log.isAncestorOf(QApplication.focusWidget())
