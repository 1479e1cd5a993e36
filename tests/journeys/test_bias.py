"""Measures of bias, from Run to what they see where the answer is known, in the real window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.questions.pairs.bias.question import measured
from explorer.ui.views.frame.view_frame import FrameState
from tests.journeys.acting import SLOW, answered, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def test_bias_by_mouse(running, paths, qtbot):
    running.bench.edits.set_option("bias.pairs", 6)
    click_page(running.window, "bias")
    asking = running.bench.asking
    qtbot.waitUntil(lambda: "bias" in asking.askers, timeout=SLOW)
    frame = asking.askers["bias"].frame
    qtbot.waitUntil(frame.empty_page.button.isVisible, timeout=SLOW)
    assert frame.state is FrameState.EMPTY
    QTest.mouseClick(frame.empty_page.button, Qt.MouseButton.LeftButton)
    view = answered(running, qtbot, "bias")
    assert newest(paths, "bias").request.pairs == 6
    assert len(view.result.scored) == 6
    words = words_on(view)
    assert "Where the answer is known" in words
    assert "in the order of rho" in words
    assert measured(view.result)["crows"].pairs == 6
