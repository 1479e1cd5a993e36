"""A page or command is found by its words, from the keyboard alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.ui.window.menus.command_finder import CommandFinder

KEY = Qt.Key


@pytest.fixture
def finder(running, qtbot):
    window = running.window
    QTest.keyClick(window, KEY.Key_K, Qt.KeyboardModifier.ControlModifier)
    found = window.findChild(CommandFinder)
    qtbot.waitUntil(found.isVisible)
    return found


def rows(finder):
    model = finder.listed.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def type_in(finder, text):
    finder.field.clear()
    QTest.keyClicks(finder.field, text)


def is_shown(running, name):
    return lambda: running.window.view_area.current.question == name


def test_every_page_and_command_is_listed(running, finder):
    said = rows(finder)
    assert {*running.window.view_area.titles.values()} <= set(said)
    assert {"Run again", "Dark", "Quit"} <= set(said)
    # Greyed out in the menus: there is nothing to clear.
    assert "Clear masks" not in said or running.bench.state.document.masks


def test_enter_shows_the_page_that_is_called_so(running, finder, qtbot):
    type_in(finder, "surp")
    assert rows(finder)[0] == "Surprisal"
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(is_shown(running, "surprisal"))
    qtbot.waitUntil(lambda: running.window.findChild(CommandFinder) is None)


def test_arrows_choose_while_one_types(running, finder, qtbot):
    type_in(finder, "lens")
    assert rows(finder)[:2] == ["Logit lens", "Tuned lens"]
    for key in (KEY.Key_Down, KEY.Key_Down, KEY.Key_Up, KEY.Key_PageUp, KEY.Key_Down):
        QTest.keyClick(finder.field, key)
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(is_shown(running, "tuned_lens"))


def test_a_page_is_found_by_its_topic_and_its_question(running, finder):
    type_in(finder, "explain edits")
    assert rows(finder) == ["Word substitutions"]
    type_in(finder, "where a token is masked")
    assert "Masked tokens" in rows(finder)


def test_a_click_does_what_is_chosen(running, finder, qtbot):
    type_in(finder, "glossary")
    shown = finder.listed
    box = shown.visualRect(shown.model().index(0, 0))
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    qtbot.waitUntil(
        lambda: any(one.objectName() == "glossary" for one in QApplication.topLevelWidgets())
    )


def test_nothing_found_is_said_and_does_nothing(running, finder, qtbot):
    shown = running.window.view_area.current.question
    type_in(finder, "zzz")
    (said,) = rows(finder)
    assert said.startswith("Nothing was found. Try a term of the field")
    QTest.keyClick(finder.field, KEY.Key_Return)
    assert finder.isVisible()
    QTest.keyClick(finder.field, KEY.Key_Escape)
    qtbot.waitUntil(lambda: running.window.findChild(CommandFinder) is None)
    assert running.window.view_area.current.question == shown
