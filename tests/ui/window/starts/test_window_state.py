"""Where parts of a window stood, and how another window's parts get there."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget

from explorer.ui.controls.handed_on import hand_on
from explorer.ui.window.starts.window_state import WindowState


class Parts(QWidget):
    """An area that is scrolled, and fields, one of which is handed on."""

    def __init__(self, high):
        super().__init__()
        self.area = QScrollArea(self)
        self.area.setObjectName("area")
        self.inside = QWidget()
        self.inside.setFixedHeight(high)
        self.area.setWidget(self.inside)
        self.own, self.typed = QLineEdit(self), QLineEdit(self)
        self.own.setObjectName("own")
        self.typed.setObjectName("typed")
        hand_on(self.own)
        column = QVBoxLayout(self)
        for one in (self.area, self.own, self.typed):
            column.addWidget(one)
        self.resize(300, 300)

    @property
    def bar(self):
        return self.area.verticalScrollBar()


@pytest.fixture
def parts(qtbot):
    """Makes parts that are on screen."""

    def make(high=2000):
        made = Parts(high)
        qtbot.addWidget(made)
        made.show()
        qtbot.waitExposed(made)
        return made

    return make


def test_fields_that_only_the_widget_knows_are_handed_on(parts):
    before = parts()
    before.own.setText("soup")
    before.typed.setText("in the document anyway")
    after = parts()
    WindowState.of(before).bring_about(after)
    assert (after.own.text(), after.typed.text()) == ("soup", "")


def test_an_area_is_scrolled_as_soon_as_there_is_so_much_in_it(parts, qtbot):
    before = parts()
    before.bar.setValue(900)
    after = parts(high=600)
    WindowState.of(before).bring_about(after)
    assert 0 < after.bar.value() == after.bar.maximum() < 900
    after.inside.setFixedHeight(2000)
    after.inside.resize(after.inside.width(), 2000)
    qtbot.waitUntil(lambda: after.bar.value() == 900)
    # Once it is there it goes nowhere by itself.
    after.bar.setValue(100)
    after.inside.setFixedHeight(2200)
    after.inside.resize(after.inside.width(), 2200)
    qtbot.waitUntil(lambda: after.bar.maximum() > 1900)
    assert after.bar.value() == 100


def test_the_users_own_hand_comes_first(parts, qtbot):
    before = parts()
    before.bar.setValue(900)
    after = parts(high=600)
    WindowState.of(before).bring_about(after)
    QTest.mouseClick(after.bar, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    stays = after.bar.value()
    after.inside.setFixedHeight(2000)
    after.inside.resize(after.inside.width(), 2000)
    qtbot.waitUntil(lambda: after.bar.maximum() > 1000)
    assert after.bar.value() == stays


def test_what_is_hidden_is_not_asked(parts):
    before = parts()
    before.bar.setValue(900)
    before.area.hide()
    assert WindowState.of(before).scrolls == {}
