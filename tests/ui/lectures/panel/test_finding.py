"""Scenes among what Ctrl+K finds."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer import lectures
from explorer.settings import Settings
from explorer.ui.window.menus.command_finder import CommandFinder
from tests.ui.lectures.panel.scenes import KEY, said, shows


def open_finder(window, qtbot):
    window.menus.action("find_command").trigger()
    finder = window.findChild(CommandFinder)
    qtbot.waitUntil(finder.isVisible)
    return finder


def rows(finder):
    model = finder.listed.model()
    return [
        tuple(model.index(row, column).data() for column in range(2))
        for row in range(model.rowCount())
    ]


@pytest.mark.parametrize("typed", ["a mask has many", "답은 여럿"])
def test_a_scene_is_found_by_its_title_in_any_language_and_shown(window, running, qtbot, typed):
    window.lecture_dock.close()
    finder = open_finder(window, qtbot)
    finder.field.setText(typed)
    assert rows(finder) == [("A mask has many answers", "Masks")]
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    assert window.lectures.isVisible()
    assert said(window, "scene_title") == "A mask has many answers"


def test_a_lesson_is_found_whatever_lecture_is_open_and_goes_on_where_it_was_left(window, qtbot):
    lesson = lectures.lessons().scene("lesson_3_attention")
    lecturing = window.lecture_actions.lecturing
    assert lecturing.path != lectures.LESSONS
    lecturing.answers.at(lectures.LESSONS, lesson, 4)
    finder = open_finder(window, qtbot)
    for typed in ("attention how words find", "어텐션: 단어가 서로를"):
        finder.field.setText(typed)
        qtbot.waitUntil(lambda: [title for title, _place in rows(finder)] == [lesson.title()])
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(lambda: lecturing.at is not None and lecturing.path == lectures.LESSONS)
    assert (lecturing.at.scene.name, lecturing.at.number) == (lesson.name, 4)
    # Where lessons are the open lecture, each is listed once.
    finder = open_finder(window, qtbot)
    finder.field.setText(typed)
    assert len(rows(finder)) == 1
    # The scenes of the bundled lecture are found then, too, and opened.
    finder.field.setText("다크 지식")
    scene = lectures.bundled().scene("dark_knowledge")
    qtbot.waitUntil(lambda: scene.title() in [title for title, _place in rows(finder)])
    finder.listed.setCurrentIndex(
        finder.listed.model().index([one for one, _ in rows(finder)].index(scene.title()), 0)
    )
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(lambda: lecturing.path == "" and lecturing.at is not None)
    assert lecturing.at.scene == scene


def test_scenes_come_after_pages_and_commands_that_are_called_so_too(window, qtbot):
    finder = open_finder(window, qtbot)
    finder.field.setText("model")
    found = [title for title, _place in rows(finder)]
    assert found.index("Open model folder") < found.index("A model that nobody has")


def test_the_lecture_is_read_for_it(start, folder, qtbot):
    window = start(Settings(lecture=str(folder))).window
    assert window.lecture_actions.lecturing.lecture is None
    finder = open_finder(window, qtbot)
    finder.field.setText("a mask has many")
    qtbot.waitUntil(lambda: rows(finder) == [("A mask has many answers", "Masks")])
    # Nothing of it is shown before it is wanted.
    assert not window.lectures.isVisible()
    QTest.keyClick(finder.field, KEY.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None)


def test_a_finder_that_is_closed_before_the_lecture_is_read_is_no_trouble(start, folder, qtbot):
    window = start(Settings(lecture=str(folder))).window
    finder = open_finder(window, qtbot)
    finder.close()
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.lecture is not None)
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None)
    again = open_finder(window, qtbot)
    again.field.setText("a mask has many")
    assert len(rows(again)) == 1
    assert again.listed.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
