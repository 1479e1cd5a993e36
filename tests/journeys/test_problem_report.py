"""A problem is reported: read, written into, saved and copied, by mouse and by keys alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QPushButton

from explorer.tour.hands import wait_until
from explorer.ui.notices.problem_report import ProblemReport
from tests.journeys.acting import SLOW, answered, choose_in_menu, find, pressing

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def press(running):
    return pressing(running.window)


def opened(window):
    wait_until(lambda: window.findChild(ProblemReport) is not None, "the report")
    report = window.findChild(ProblemReport)
    wait_until(report.isVisible, "the report to be seen")
    return report


def write_down(report, path, press):
    """Type a path into the dialog of files that the report has opened."""
    wait_until(lambda: report.findChild(QFileDialog) is not None, "the dialog of files")
    asked = report.findChild(QFileDialog)
    wait_until(lambda: asked.isAncestorOf(QApplication.focusWidget()), "its focus")
    press(Qt.Key.Key_A, CTRL)
    press(str(path))
    press(Qt.Key.Key_Return)
    wait_until(path.exists, "the file")


def holds(text, running):
    """What a developer needs is in it, and nothing of what was typed into the window."""
    stamp = running.bench.models.cards["A"].stamp
    for part in ("plm-explorer: ", "PySide6: ", "torch: ", f"A: {stamp.id}", stamp.fingerprint):
        assert part in text, part
    assert running.bench.state.document.text not in text


def test_a_report_is_saved_by_mouse(running, press, tmp_path, qtbot):
    window = running.window
    answered(running, qtbot, "masked_tokens")
    choose_in_menu(window, "report_problem")
    report = opened(window)
    holds(report.text.toPlainText(), running)
    report.activateWindow()
    qtbot.waitUntil(report.isActiveWindow, timeout=SLOW)
    field = report.findChild(QPlainTextEdit)
    QTest.mouseClick(field.viewport(), Qt.MouseButton.LeftButton)
    press(Qt.Key.Key_Home, CTRL)
    press("It froze as I typed.")
    press(Qt.Key.Key_Return)
    QTest.mouseClick(
        report.findChild(QPushButton, "problem_report_save"), Qt.MouseButton.LeftButton
    )
    path = tmp_path / "problem.md"
    write_down(report, path, press)
    saved = path.read_text("utf-8")
    assert saved.startswith("It froze as I typed.\n")
    holds(saved, running)
    assert "problem.md" in window.status.currentMessage()


def test_a_report_is_copied_and_saved_by_the_keyboard_alone(running, press, tmp_path, qtbot):
    window = running.window
    answered(running, qtbot, "masked_tokens")
    find(press, window, "report a problem")
    report = opened(window)
    wait_until(lambda: QApplication.focusWidget() is report.text, "the report to be typed into")
    press(Qt.Key.Key_Home, CTRL)
    press("It froze.")
    press(Qt.Key.Key_C, ALT)
    clipboard = QApplication.clipboard()
    qtbot.waitUntil(lambda: clipboard.text() == report.text.toPlainText(), timeout=SLOW)
    assert clipboard.text().startswith("It froze.")
    press(Qt.Key.Key_S, ALT)
    path = tmp_path / "problem.md"
    write_down(report, path, press)
    assert path.read_text("utf-8").startswith("It froze.")
    # Once it is saved it is gone, and the keyboard is in the window.
    qtbot.waitUntil(lambda: window.findChild(ProblemReport) is None, timeout=SLOW)
