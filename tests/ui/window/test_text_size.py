"""Larger text is larger text everywhere, and a text's role is to be seen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QWidget

from explorer.ui.theme import chrome
from tests.ui.page_tree import in_sight

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def usual_size(qapp):
    """The size of texts is the application's: whoever comes next finds the usual one."""
    yield
    chrome.scale_font(qapp, 1.0)


def size_of(widget: QWidget) -> int:
    return QFontInfo(widget.font()).pixelSize()


def words_of(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""


def texts_of(window) -> list[QWidget]:
    """Every widget of the window that shows letters."""
    return [widget for widget in window.findChildren(QWidget) if words_of(widget)]


def named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {words_of(widget)[:30]!r}"


def test_larger_text_reaches_every_text_and_the_usual_size_brings_all_back(running, qtbot):
    window = running.window
    QTest.keyClick(window, Qt.Key.Key_L, CONTROL)
    qtbot.waitUntil(window.library.isVisible)
    window.lecture_dock.show()
    before = {id(widget): (widget, size_of(widget)) for widget in texts_of(window)}
    assert len(before) > 40
    for _ in range(4):
        window.commands.zoom(1)
    kept = [named(widget) for widget, size in before.values() if size_of(widget) <= size]
    assert kept == []
    window.commands.zoom(0)
    assert {named(w): size_of(w) for w, _ in before.values()} == {
        named(w): size for w, size in before.values()
    }


def test_small_and_strong_texts_look_it(running):
    sizes: dict[str, set[int]] = {}
    running.window.lecture_dock.show()
    for label in running.window.findChildren(QLabel):
        sizes.setdefault(str(label.property("role")), set()).add(size_of(label))
    assert max(sizes["small"]) < min(sizes["muted"])
    assert min(sizes["title"]) > max(sizes["muted"])


def opened(running, qtbot):
    """The window with its library and its log."""
    window = running.window
    window.resize(1500, 940)
    QTest.keyClick(window, Qt.Key.Key_L, CONTROL)
    QTest.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: window.library.isVisible() and window.log.isVisible())
    qtbot.waitUntil(lambda: window.log.model.rowCount() > 0)
    log = window.side_docks[1]
    qtbot.waitUntil(lambda: log.height() == round(0.3 * window.height()))
    return window


def zoom(window, qtbot, steps):
    """Larger by some steps, or with 0 the usual size again."""
    for _ in range(steps or 1):
        font = QApplication.font()
        QTest.keyClick(window, Qt.Key.Key_Plus if steps else Qt.Key.Key_0, CONTROL)
        qtbot.waitUntil(lambda font=font: QApplication.font() != font)


def places(window):
    parts = (
        window.bar,
        window.sidebar,
        window.sentence.strip_area,
        window.view_area,
        window.statusBar(),
        *(dock for dock in window.side_docks if dock.isVisible()),
    )
    return {part.objectName(): part.geometry() for part in parts}


def test_after_zooming_all_is_where_it_was(running, qtbot):
    window = opened(running, qtbot)
    before = places(window)
    zoom(window, qtbot, 4)
    qtbot.waitUntil(lambda: places(window) != before)
    zoom(window, qtbot, 0)
    qtbot.waitUntil(lambda: places(window) == before)


def test_the_tree_of_pages_shows_its_words_in_full(running, qtbot):
    window = opened(running, qtbot)
    window.resize(1900, 940)
    tree = window.tree
    for _ in range(4):
        zoom(window, qtbot, 1)
        assert not window.sidebar.is_folded
        for name in tree.pages.names:
            index = in_sight(window, name)
            assert tree.row.wide(index) <= tree.viewport().width(), name
            assert tree.visualRect(index).height() >= tree.fontMetrics().height()


def test_icons_grow_with_the_words(running, qtbot):
    window = opened(running, qtbot)
    window.lecture_dock.show()
    every = window.findChildren(QAbstractButton)
    own = [b for b in every if b.objectName() and not b.objectName().startswith("qt_")]
    buttons = [b for b in own if not b.icon().isNull()]
    assert len(buttons) > 25
    before = {id(button): button.iconSize().height() for button in buttons}
    zoom(window, qtbot, 4)
    same = [named(b) for b in buttons if b.iconSize().height() < 1.5 * before[id(b)]]
    assert same == []


def test_the_sentence_is_seen_in_whole(running, qtbot):
    window = opened(running, qtbot)
    editor = window.sentence.editors[0]
    zoom(window, qtbot, 5)
    for width in (1500, 1100):
        window.resize(width, 940)
        qtbot.waitUntil(lambda: editor.width() > 0 and editor.verticalScrollBar().maximum() == 0)


def test_the_log_has_room_for_its_times_and_its_lines(running, qtbot):
    window = opened(running, qtbot)
    table = window.log.table
    for _ in range(5):
        zoom(window, qtbot, 1)
        metrics = table.fontMetrics()
        for column, text in ((1, "30 Sep 00:00"), (6, "under 1 ms"), (6, "9 min 59 s")):
            assert table.columnWidth(column) >= metrics.horizontalAdvance(text) + 8
        assert table.rowHeight(0) >= metrics.height()
