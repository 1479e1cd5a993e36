"""One text through every tokenizer, by mouse and by the keyboard alone, and in Korean."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.questions.tokenizers.side_by_side.question import ENGLISH, TOKENIZERS
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.window.menus.command_finder import CommandFinder
from tests.journeys.acting import SLOW, answered, newest, pressing
from tests.ui.page_tree import click_page

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

PAGE = "side_by_side"
KOREAN = "요리사가 수프를 만들었다."
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def names(view):
    return [one.checkpoint for one in view.result.cuttings]


def test_a_tokenizer_is_laid_beside_the_others_by_mouse(running, hands, paths, qtbot):
    hands.type_text("the chef baked a strudel")
    click_page(running.window, "tokens")
    answered(running, qtbot, "tokens")
    tabs = running.window.view_area.place_of("tokens").tabs
    place = tabs.tabRect(tabs.names.index(PAGE)).center()
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
    view = answered(running, qtbot, PAGE, lambda one: len(one.result.cuttings) > 1)
    # Every one cuts the whole text, and says what it lost.
    for one in view.result.cuttings:
        assert one.pieces >= 5
        assert one.starts[0] == 0
    running.bench.edits.set_option(TOKENIZERS.key, TOKENIZERS.written(names(view)[:2]))
    view = answered(running, qtbot, PAGE, lambda one: len(one.result.cuttings) == 2)
    page = view.findChild(PaintedPage, f"{PAGE}Page")
    qtbot.waitUntil(lambda: bool(added(page)), timeout=SLOW)
    chip = added(page)[0]
    at = chip.box.center().toPoint()
    view.area.ensureVisible(at.x(), at.y())
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=at)
    view = answered(running, qtbot, PAGE, lambda one: len(one.result.cuttings) == 3)
    assert names(view)[-1] == chip.key[1]
    assert newest(paths, PAGE).request.tokenizers == tuple(names(view))
    running.window.menus.action("undo").trigger()
    answered(running, qtbot, PAGE, lambda one: len(one.result.cuttings) == 2)


def added(page):
    """The chips that put one more tokenizer into the rows."""
    if page.page is None:
        return []
    return [one for one in page.page.spots if one.key and one.key[0] == "add"]


def test_a_korean_text_and_the_same_in_english_by_the_keyboard_alone(
    running, hands, press, paths, qtbot
):
    press(Qt.Key.Key_K, CTRL)
    press("compare tokenizers")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: running.window.findChild(CommandFinder) is None, timeout=SLOW)
    answered(running, qtbot, PAGE)
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    # What an input method commits.
    QApplication.focusWidget().insertPlainText(KOREAN)
    hands.settle()
    view = answered(running, qtbot, PAGE, lambda one: one.result.text == KOREAN)
    assert all(one.premium is None for one in view.result.cuttings)
    press(Qt.Key.Key_G, CTRL)
    field = view.bar.fields[ENGLISH.key]
    for _step in range(8):
        if field is QApplication.focusWidget() or field.isAncestorOf(QApplication.focusWidget()):
            break
        press(Qt.Key.Key_Tab)
    press("the chef made a soup.")
    press(Qt.Key.Key_Return)
    view = answered(running, qtbot, PAGE, lambda one: all(c.premium for c in one.result.cuttings))
    assert newest(paths, PAGE).request.english == "the chef made a soup."
    worst = max(view.result.cuttings, key=lambda one: one.premium)
    assert worst.premium > 2, "one of English cuts Korean into more pieces"


def test_the_window_speaks_korean_at_once_and_finds_what_is_asked_in_korean(
    running, hands, paths, qtbot
):
    before = running.window
    hands.type_text("the chef cooked a soup")
    hands.click_token("soup")
    answered(running, qtbot, "masked_tokens")
    before.findChild(QAction, "language_ko").trigger()
    qtbot.waitUntil(lambda: running.window is not before, timeout=SLOW)
    qtbot.waitExposed(running.window)
    window = running.window
    assert window.sentence.editors[0].toPlainText() == "the chef cooked a soup"
    view = answered(running, qtbot, "masked_tokens")
    assert view.title == "가린 토큰"
    press = pressing(window)
    press(Qt.Key.Key_K, CTRL)
    QApplication.focusWidget().insert("단어 기여")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None, timeout=SLOW)
    view = answered(running, qtbot, "attribution")
    caption = view.caption()
    assert "모델: bert-miniature" in caption
    assert "Model" not in caption.partition("bert-miniature")[0]
    # What was asked in one language is read in the other.
    window.findChild(QAction, "language_en").trigger()
    qtbot.waitUntil(lambda: running.window is not window, timeout=SLOW)
    qtbot.waitExposed(running.window)
    view = answered(running, qtbot, "attribution")
    assert "Model: bert-miniature" in view.caption()
