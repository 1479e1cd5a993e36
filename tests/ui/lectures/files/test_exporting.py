"""The lecture that is open, written as a web page or a PDF while the window goes on."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton

from explorer.settings import Settings
from tests.lectures.scene_texts import one_mask

SCENE = one_mask(
    "A mask has many answers",
    "The chef cooked the meal in the kitchen.",
    "meal",
    "claims = [\"masks[0].predictions[0].word == 'meal'\"]",
)


@pytest.fixture
def window(start, tmp_path, qtbot):
    path = tmp_path / "mine.toml"
    path.write_text(SCENE, "utf-8")
    running = start(Settings(lecture=str(path)))
    lecturing = running.window.lecture_actions.lecturing
    lecturing.begin()
    qtbot.waitUntil(lambda: lecturing.lecture is not None)
    return running.window


def exports(window):
    actions = [window.menus.action(f"export_lecture_{kind}") for kind in ("page", "pdf")]
    return [(one.text().replace("&", ""), one.isEnabled()) for one in actions]


def test_what_can_not_be_exported_says_why_in_the_menu(start, tmp_path, qtbot):
    window = start().window
    assert exports(window) == [
        ("Lecture as web page (no lecture is open yet)", False),
        ("Lecture as PDF handout (no lecture is open yet)", False),
    ]
    lectures = window.lecture_actions
    lectures.lecturing.begin()
    qtbot.waitUntil(lambda: lectures.lecturing.lecture is not None)
    offered = [("Lecture as web page…", True), ("Lecture as PDF handout…", True)]
    assert exports(window) == offered
    lectures.exporting.write(tmp_path / "lecture.html")
    assert exports(window) == [
        ("Lecture as web page (an export is under way)", False),
        ("Lecture as PDF handout (an export is under way)", False),
    ]
    lectures.exporting.cancel()
    assert exports(window) == offered


def test_what_can_not_be_written_is_told(window, tmp_path, qtbot):
    window.lecture_actions.exporting.write(tmp_path / "lecture.docx")
    text = "A lecture can't be written as docx."
    qtbot.waitUntil(lambda: text in window.notices.texts, timeout=60_000)


def test_it_is_cancelled_with_nothing_written_and_another_one_is_exported(window, tmp_path, qtbot):
    page = tmp_path / "lecture.pdf"
    exporting = window.lecture_actions.exporting
    exporting.write(page)
    bar = window.notices.findChild(QToolButton, "notice_action_0")
    assert bar.text() == "Cancel"
    bar.click()
    assert window.notices.keys == ()
    assert not page.exists()
    # And another can follow, while the window goes on.
    again = tmp_path / "lecture.html"
    exporting.write(again)
    assert "handout" in window.notices.keys
    text = f"Exported the lecture to {again}."
    qtbot.waitUntil(lambda: text in window.notices.texts, timeout=60_000)
    assert "A mask has many answers" in again.read_text("utf-8")
    assert "It holds." in again.read_text("utf-8")
    assert not page.exists()


def test_a_window_that_is_closed_leaves_no_process_behind(start, window, tmp_path, qtbot):
    exporting = window.lecture_actions.exporting
    exporting.write(tmp_path / "lecture.pdf")
    process = exporting._process.process
    qtbot.waitUntil(lambda: process.processId() > 0, timeout=60_000)
    number = process.processId()
    window.shut_views()
    qtbot.waitUntil(lambda: not Path(f"/proc/{number}").exists())
