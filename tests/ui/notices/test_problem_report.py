import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QPushButton, QToolButton

from explorer.api.question import Failure


def opened(running):
    return running.window.findChild(QDialog, "problem_report")


def button(dialog, name):
    return dialog.findChild(QPushButton, f"problem_report_{name}")


@pytest.fixture
def report(running):
    running.window.menus.action("report_problem").trigger()
    return opened(running)


def test_what_the_user_wrote_and_left_is_what_is_saved(running, report, qtbot, tmp_path):
    text = report.findChild(QPlainTextEdit)
    assert "PySide6: " in text.toPlainText()
    assert running.window.bench.models.cards["A"].stamp.fingerprint in text.toPlainText()
    text.setPlainText("It froze. 멈췄어요.")
    qtbot.mouseClick(button(report, "save"), Qt.MouseButton.LeftButton)
    files = report.findChild(QFileDialog)
    with qtbot.waitSignal(report.saved):
        files.fileSelected.emit(str(tmp_path / "problem.md"))
    files.close()
    assert (tmp_path / "problem.md").read_text(encoding="utf-8") == "It froze. 멈췄어요."
    assert "problem.md" in running.window.status.currentMessage()


def test_a_place_that_cannot_be_written_is_a_notice_and_the_report_stays(
    running, report, qtbot, tmp_path
):
    qtbot.mouseClick(button(report, "save"), Qt.MouseButton.LeftButton)
    files = report.findChild(QFileDialog)
    (tmp_path / "taken").write_text("a file")
    with qtbot.waitSignal(report.failed):
        files.fileSelected.emit(str(tmp_path / "taken" / "problem.md"))
    files.close()
    assert report.isVisible()
    assert running.window.notices.keys == ("export",)


def test_all_of_it_is_copied(report, qtbot, qapp):
    qtbot.mouseClick(button(report, "copy"), Qt.MouseButton.LeftButton)
    assert qapp.clipboard().text() == report.findChild(QPlainTextEdit).toPlainText()


def test_a_fault_offers_a_report_that_holds_it(running, qtbot):
    running.window.notifications.fault(Failure.of(ZeroDivisionError("division by zero")))
    offered = running.window.notices.findChild(QToolButton, "notice_action_0")
    qtbot.mouseClick(offered, Qt.MouseButton.LeftButton)
    dialog = opened(running)
    assert "ZeroDivisionError" in dialog.findChild(QPlainTextEdit).toPlainText()
    assert running.window.notices.keys == ("fault",)
    dialog.close()


def test_an_engine_that_died_offers_a_report(running, engine, qtbot):
    engine.die()
    qtbot.waitUntil(lambda: "engine" in running.window.notices.keys)
    bar = running.window.notices.findChild(QToolButton, "notice_action_1")
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton)
    dialog = opened(running)
    assert "## engine.log" in dialog.findChild(QPlainTextEdit).toPlainText()
    dialog.close()
