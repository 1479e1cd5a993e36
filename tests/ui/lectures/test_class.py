"""A class in the window: thirty files dropped on it, one's own answers saved, a term's lesson."""

import json

import pytest
from PySide6.QtCore import QMimeData, QUrl

from explorer import lectures
from explorer.given_answers import GivenAnswer
from explorer.lectures.lessons.answers_file import ENDING, read_sheet, sheet_of, write_sheet
from explorer.ui.document import dropping
from explorer.ui.lectures.classroom.class_page import ClassPage
from explorer.ui.notices.reading_pages import GlossaryPage

LESSON = lectures.lessons().scene("lesson_2_prediction")


@pytest.fixture
def window(start):
    return start().window


def drop(window, paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    window.commands.take_drop(dropping.read(data))


def page_of_class(window, qtbot):
    qtbot.waitUntil(lambda: window.findChild(ClassPage) is not None)
    return window.findChild(ClassPage)


@pytest.mark.parametrize("is_folder", [False, True], ids=["files", "folder"])
def test_thirty_files_are_dropped_and_exported(window, qtbot, tmp_path, is_folder):
    paths = [tmp_path / f"{number:02}{ENDING}" for number in range(31)]
    for number, path in enumerate(paths[:30]):
        guess = GivenAnswer("40" if number < 20 else "70", number < 20, live="36.07")
        write_sheet(sheet_of(LESSON, {1: guess}), path)
    paths[30].write_text("{", "utf-8")
    drop(window, [tmp_path] if is_folder else paths)
    page = page_of_class(window, qtbot)
    said = page.text.toPlainText()
    assert "30 files of answers." in said
    assert f"30{ENDING} is left out" in said
    assert "20 of 30 were right. It is 36.1 %." in said
    signs = [line for line in said.splitlines() if line in ("✓", "✗")]
    assert signs == ["✓", "✗"], "which of the two answers is right"
    assert LESSON.steps[1].ask.said("en").question in said
    bars = {line.split()[0]: line for line in said.splitlines() if "%" in line and "█" in line}
    assert "Nr. 30" in said
    assert set(bars) <= {"40", "70"}
    classroom, table = window.lecture_actions.classroom, tmp_path / "class.csv"
    classroom._dialogs.save = lambda _title, _name, _kinds, save: save(table)
    page.export.click()
    qtbot.waitUntil(table.exists)
    qtbot.waitUntil(lambda: classroom._writing.is_idle)
    rows = table.read_text("utf-8-sig").splitlines()
    assert (len(rows), rows[1]) == (31, "Nr. 1,✓ 40 %")
    page.close()


def test_ones_own_answers_are_saved_without_a_name(window, qtbot, tmp_path):
    actions, lecturing = window.lecture_actions, window.lecture_actions.lecturing
    actions.open_scene(lectures.LESSONS, LESSON.name)
    qtbot.waitUntil(lambda: lecturing.at is not None)
    assert actions.classroom.save_own() is None, "nothing was answered yet"
    lecturing.answers.give(lectures.LESSONS, LESSON, 1, GivenAnswer("36", True))
    file = tmp_path / f"mine{ENDING}"
    actions.classroom._dialogs.save = lambda _title, _name, _kinds, save: save(file)
    actions.classroom.save_own().save.click()
    qtbot.waitUntil(lambda: actions.classroom._writing.is_idle and file.exists())
    sheet = read_sheet(file)
    assert (sheet.lesson, sheet.name) == (LESSON.name, "")
    assert [(one.step, one.said, one.right) for one in sheet.answers] == [(2, "36 %", True)]
    assert json.loads(file.read_text("utf-8"))["name"] == ""


def test_a_term_of_the_glossary_leads_to_its_lesson_or_page(window, qtbot):
    window.commands.show_glossary("subword")
    page = window.findChild(GlossaryPage)
    assert "Shown by 1. Tokens" in page.text.toPlainText()
    page.text.anchorClicked.emit(QUrl("lesson:lesson_1_token"))
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.at is not None)
    assert lecturing.at.scene.name == "lesson_1_token"
    page.text.anchorClicked.emit(QUrl("probe"))
    assert window.view_area.current.question == "probe"
    page.close()
