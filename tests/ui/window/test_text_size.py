"""Larger text is larger text everywhere, and a text's role is to be seen."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

CONTROL = Qt.KeyboardModifier.ControlModifier


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
    for label in running.window.findChildren(QLabel):
        sizes.setdefault(str(label.property("role")), set()).add(size_of(label))
    assert max(sizes["small"]) < min(sizes["muted"])
    assert min(sizes["title"]) > max(sizes["muted"])
