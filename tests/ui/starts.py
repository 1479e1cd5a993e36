"""Starts the program's window several times on one profile and says how it looked.

A process of its own, for the platform without a screen learns how large its screen is only once.
Run as `python -m tests.ui.starts PROFILE SCENARIO`; prints a JSON list with a layout a line.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.ui.window.main_window import MainWindow
from explorer.ui.window.pages.view_area import ViewArea
from tests.ui.fake_engine import FakeEngine
from tests.ui.page_tree import click_page

SECONDS = 40
STARTS = 3


def wait_until(holds):
    """Let Qt work until something holds."""
    patience = QDeadlineTimer(SECONDS * 1000)
    while not holds():
        if patience.hasExpired():
            raise TimeoutError(holds)
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    # What the last change asked of the layouts.
    for _ in range(3):
        QApplication.processEvents()


def layout_of(window: MainWindow) -> dict[str, object]:
    """Sizes of the window's parts and what is shown in them."""
    token, log = window.side_docks
    area = window.view_area
    return {
        "maximised": window.isMaximized(),
        "window": window.size().toTuple(),
        "token": token.geometry().getRect() if token.isVisible() else None,
        "log": log.geometry().getRect() if log.isVisible() else None,
        "page": area.size().toTuple(),
        "views": {
            name: (*area.place_of(name).mapTo(area, QPoint()).toTuple(), *size_of(area, name))
            for name in area.opened
        },
    }


def size_of(area: ViewArea, name: str) -> tuple[int, int]:
    """Pixels of a page's place."""
    return area.frames[name].size().toTuple()


def arrange(window: MainWindow) -> None:
    """What a user does: the token, wide, the log, a second view beside the first."""
    token, log = window.side_docks
    QTest.keyClick(window, Qt.Key.Key_F7)
    wait_until(lambda: token.isVisible() and token.width() > 200)
    QTest.keyClick(window, Qt.Key.Key_F8)
    wait_until(log.isVisible)
    edge = QPoint(token.geometry().left() - 3, token.geometry().center().y())
    target = edge - QPoint(90, 0)
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseMove(window, target)
    before = token.width()
    wait_until(lambda: token.width() > before)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=target)
    control = Qt.KeyboardModifier.ControlModifier
    click_page(window, "tokens", control)
    wait_until(lambda: window.view_area.is_seen("tokens"))


def reset(window: MainWindow) -> None:
    """View > Reset layout."""
    action = window.findChild(QAction, "reset_layout")
    assert action is not None
    action.trigger()
    wait_until(lambda: True)


def main(profile: str, scenario: str) -> None:
    """Start, look, close, again; at the end reset the layout."""
    application()
    looked = []
    for number in range(STARTS):
        running = Running(Program(Paths.profile(Path(profile))), FakeEngine(), show_first=True)
        window = running.window
        if not number:
            if scenario == "maximised":
                window.showMaximized()
            elif "x" in scenario:
                window.resize(*map(int, scenario.split("x")))
        running.show()
        wait_until(lambda shown=running: shown.bench.asking.is_idle and shown.bench.models.cards)
        wait_until(lambda asked=running.bench.overview: asked.is_idle and not asked.pending)
        looked.append(layout_of(window))
        if scenario == "arranged" and not number:
            arrange(window)
            looked.append(layout_of(window))
        if number == STARTS - 1:
            reset(window)
            looked.append(layout_of(window))
        window.close()
        running.close()
    print(json.dumps(looked))


if __name__ == "__main__":
    main(*sys.argv[1:])
