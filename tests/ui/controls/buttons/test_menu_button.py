"""A button that opens a menu looks as it did before, once the menu is gone."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("name", ["exportButton", "samples_button"])
def test_it_goes_out_when_a_click_elsewhere_closes_its_menu(running, qtbot, name):
    window = running.window
    button = next(one for one in window.findChildren(QToolButton, name) if one.isVisible())
    middle = button.rect().center()
    QTest.mouseMove(button, middle)
    qtbot.waitUntil(button.underMouse)
    menu = button.menu()
    away = QPoint(-200, 400)

    def click_elsewhere():
        if menu.isVisible():
            timer.stop()
            QCursor.setPos(menu.mapToGlobal(away))
            QTest.mouseClick(menu, LEFT, pos=away)

    timer = QTimer(interval=20)
    timer.timeout.connect(click_elsewhere)
    timer.start()
    QTest.mouseClick(button, LEFT, pos=middle)
    qtbot.waitUntil(lambda: not timer.isActive() and not menu.isVisible())
    qtbot.waitUntil(lambda: not button.underMouse() and not button.isDown())
    assert not button.hasFocus()
    assert window.current_view().of.name == "masked_tokens"


def test_who_opened_it_by_the_keyboard_is_back_on_the_button(running, qtbot):
    frame = running.bench.asking.askers["masked_tokens"].frame
    button, menu = frame.export_button, frame.export_button.menu()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    menu.aboutToShow.connect(lambda: QTimer.singleShot(50, menu.close))
    QTest.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not menu.isVisible())
    assert button.hasFocus()
