"""What layers hold, read by a probe and by a tuned lens, from the click to the numbers."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.questions.layers.probe.question import LABEL
from explorer.tour.hands import wait_until
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.window.pages.page_tabs import PageTabs
from tests.journeys.acting import SLOW, answered, click_spot, find, load, newest, pressing
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

TEXT = "the chef cooked the meal in the kitchen."
LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def few_texts(running):
    """What a probe is trained on takes seconds: a tenth of it is enough to be led through."""
    running.bench.edits.set_option("probe.texts", 40)


def waits_for_run(running, qtbot, page):
    """The button of a page that waits for it."""
    asking = running.bench.asking
    qtbot.waitUntil(lambda: page in asking.askers, timeout=SLOW)
    frame = asking.askers[page].frame
    qtbot.waitUntil(frame.empty_page.button.isVisible, timeout=SLOW)
    assert frame.state is FrameState.EMPTY
    return frame.empty_page.button


def holds(view, result):
    """What is said of a probe follows from its numbers."""
    accuracy = result.scores.accuracy
    assert accuracy.shape == (len(result.layers), 5)
    assert result.best == int(np.argmax(accuracy.mean(axis=1)))
    assert [one.word for one in result.read] == [*TEXT.removesuffix(".").split(" "), "."]
    for one in result.read:
        assert one.label in result.labels
    assert "Layer by layer" in words_on(view)


def test_a_probe_by_mouse(running, hands, paths, qtbot):
    few_texts(running)
    hands.type_text(TEXT)
    click_page(running.window, "probe")
    button = waits_for_run(running, qtbot, "probe")
    QTest.mouseClick(button, LEFT)
    view = answered(running, qtbot, "probe")
    holds(view, view.result)
    first = view.result
    # Another label is asked for in the list; the answer of before stays until Run is pressed.
    box = view.bar.fields[LABEL.key]
    QTest.mouseClick(box, LEFT)
    wait_until(lambda: box.view().isVisible(), "the list of labels")
    QTest.keyClick(box.view(), Qt.Key.Key_End)
    QTest.keyClick(box.view(), Qt.Key.Key_Up)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    hands.settle()
    chosen = LABEL.of(view.now)
    assert chosen != newest(paths, "probe").request.label
    assert view.result is first
    again = running.bench.asking.askers["probe"].frame.bar.again
    qtbot.waitUntil(again.isVisible, timeout=SLOW)
    QTest.mouseClick(again, LEFT)
    view = answered(running, qtbot, "probe", lambda one: one.result is not first)
    assert newest(paths, "probe").request.label == chosen
    holds(view, view.result)


def test_a_probe_by_the_keyboard_alone(running, hands, press, paths, qtbot):
    window = running.window
    few_texts(running)
    find(press, window, "diagnostic classifier")
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(TEXT)
    hands.settle()
    button = waits_for_run(running, qtbot, "probe")
    press(Qt.Key.Key_G, CTRL)
    for _step in range(8):
        if QApplication.focusWidget() is button:
            break
        press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is button
    press(Qt.Key.Key_Space)
    view = answered(running, qtbot, "probe")
    holds(view, view.result)


def lens_tab(window, qtbot):
    """The tab of the tuned lens, on the page of the logit lens."""
    (tabs,) = (one for one in window.findChildren(PageTabs) if "tuned_lens" in one.names)
    return tabs, tabs.names.index("tuned_lens")


def test_a_tuned_lens_by_mouse(running, hands, press, paths, qtbot):
    window = running.window
    hands.type_text(TEXT)
    hands.click_token("meal")
    press(Qt.Key.Key_Escape)
    click_page(window, "logit_lens")
    plain = answered(running, qtbot, "logit_lens", lambda one: one.result is not None)
    tabs, place = lens_tab(window, qtbot)
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(place).center())
    view = answered(running, qtbot, "tuned_lens", lambda one: one.result.grid is not None)
    # The last layer is read as it is, and the others better than without a map of their own.
    assert view.result.tokens == plain.result.tokens
    tuned, logit = view.result.grid, plain.result.grid
    np.testing.assert_array_equal(tuned.ids[-1, :, 0], logit.ids[-1, :, 0])
    np.testing.assert_allclose(
        tuned.probabilities[-1, :, 0], logit.probabilities[-1, :, 0], atol=1e-5
    )
    trained = view.result.training
    assert all(
        one < other for one, other in zip(trained.tuned[:-1], trained.logit[:-1], strict=True)
    )
    assert newest(paths, "tuned_lens").result.training == trained
    # A model without a lens says so, and what it takes to have one.
    load(running, qtbot, A="distilbert-miniature")
    view = answered(running, qtbot, "tuned_lens", lambda one: one.result.grid is None)
    assert "There is no tuned lens of this model yet." in words_on(view)
    click_spot(view, "run")
    frame = running.bench.asking.askers["tuned_lens"].frame
    qtbot.waitUntil(frame.bar.cancel.isVisible, timeout=SLOW)
    QTest.mouseClick(frame.bar.cancel, LEFT)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle, timeout=SLOW)
    assert view.result is None or view.result.grid is None


def test_a_tuned_lens_by_the_keyboard_alone(running, hands, press, paths, qtbot):
    window = running.window
    find(press, window, "tuned lens")
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(TEXT)
    hands.settle()
    view = answered(running, qtbot, "tuned_lens", lambda one: one.result.grid is not None)
    # Into the page, and through its cells: Enter looks at a word layer by layer.
    press(Qt.Key.Key_G, CTRL)
    cells = view.findChild(PaintedPage, "tuned_lensPage").widgets[0]
    for _step in range(12):
        if QApplication.focusWidget() is cells:
            break
        press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is cells
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        press(key)
    hands.settle()
    (place,) = view.now.option("tuned_lens.at")
    word = view.result.tokens[place].text
    assert f"At “{word}”, layer by layer" in words_on(view)


def test_neurons_by_mouse(running, hands, paths, qtbot):
    """Run once; then a click on a row looks at that row's neuron, and nothing waits."""
    running.bench.edits.set_option("neurons.texts", 40)
    hands.type_text(TEXT)
    click_page(running.window, "neurons")
    QTest.mouseClick(waits_for_run(running, qtbot, "neurons"), LEFT)
    view = answered(running, qtbot, "neurons")
    first = view.result
    assert first.own.label in [one.label for one in first.best]
    other = next(one for one in first.best if one.number != first.number)
    page = view.findChild(PaintedPage, "neuronsPage").page
    words = f"Look at number {other.number}"
    click_spot(view, next(one.key for one in page.spots if one.words == words))
    view = answered(running, qtbot, "neurons", lambda one: one.result.number == other.number)
    assert newest(paths, "neurons").request.number == other.number
    assert view.result.best == first.best
