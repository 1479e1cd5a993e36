"""Weights drawn, and the contexts of a word, in the real window."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.questions.architecture.weights.question import DRAWN, Drawn
from tests.journeys.acting import SLOW, answered, click_spot, newest, pressing
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

TEXT = "the chef cooked the meal in the kitchen."
LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def test_weights_by_mouse(running, hands, press, paths, qtbot):
    window = running.window
    hands.type_text(TEXT)
    click_page(window, "weights")
    view = answered(running, qtbot, "weights")
    assert view.result.drawn is Drawn.POSITIONS
    assert "Position vectors" in words_on(view)
    for drawn, words in (
        (Drawn.HEAD, "Spectra"),
        (Drawn.CIRCUITS, "What the head writes"),
        (Drawn.NORMS, ""),
        (Drawn.RESIDUAL, "A norm follows each sum in this model"),
    ):
        view.bar.fields[DRAWN.key].chosen.emit(drawn.value)
        view = answered(
            running, qtbot, "weights", lambda one, drawn=drawn: one.result.drawn is drawn
        )
        assert words in words_on(view)
    # Undone, the drawing of before is back.
    press(Qt.Key.Key_Z, CTRL)
    view = answered(running, qtbot, "weights", lambda one: one.result.drawn is Drawn.NORMS)
    assert newest(paths, "weights").result.drawn in (Drawn.NORMS, Drawn.RESIDUAL)


def test_contexts_by_mouse(running, hands, press, paths, qtbot):
    window = running.window
    running.bench.edits.set_option("contexts.most", 300)
    hands.type_text(TEXT)
    click_page(window, "contexts")
    view = answered(running, qtbot, "contexts", lambda one: not one.result.is_ready)
    assert "There is no index of this model, layer and corpus yet." in words_on(view)
    click_spot(view, "run")
    view = answered(running, qtbot, "contexts", lambda one: one.result.is_ready)
    result = view.result
    assert result.searched >= 300
    assert newest(paths, "contexts").result.nearest == result.nearest
    # What is shown follows the token that is turned to, and nothing is asked for it.
    hands.click_token("kitchen")
    press(Qt.Key.Key_Escape)
    place = next(n for n, one in enumerate(result.tokens) if one.text == "kitchen")
    qtbot.waitUntil(lambda: "Nearest to “kitchen”" in words_on(view), timeout=SLOW)
    assert view.result is result
    own = result.at(place)
    assert np.all(np.diff(own.cosines) <= 0)
