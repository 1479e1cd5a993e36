"""Views are shown one in the place of another, or beside it, and made when first seen."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest


def click(running, operation, held=Qt.KeyboardModifier.NoModifier):
    button = running.window.rail.buttons[operation]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, held)


def open_views(running):
    area = running.window.view_area
    return [operation for operation in area.docks if area.is_open(operation)]


def test_at_first_the_first_view_is_shown_alone_and_only_it_is_made(running):
    assert open_views(running) == ["fill_mask"]
    assert list(running.window.view_area.frames) == ["fill_mask"]
    assert running.window.rail.buttons["fill_mask"].isChecked()


def test_a_click_shows_a_view_in_the_place_of_the_other(running, qtbot):
    click(running, "tokenize")
    qtbot.waitUntil(running.window.view_area.docks["tokenize"].isVisible)
    assert open_views(running) == ["tokenize"]
    assert running.window.rail.buttons["tokenize"].isChecked()
    qtbot.waitUntil(lambda: not running.window.rail.buttons["fill_mask"].isChecked())


def test_a_click_on_the_view_that_is_shown_leaves_it(running):
    click(running, "fill_mask")
    assert open_views(running) == ["fill_mask"]
    assert running.window.rail.buttons["fill_mask"].isChecked()


def test_a_view_can_be_opened_beside_another(running, qtbot):
    running.window.rail.beside_chosen.emit("tokenize")
    docks = running.window.view_area.docks
    qtbot.waitUntil(docks["tokenize"].isVisible)
    assert open_views(running) == ["fill_mask", "tokenize"]
    qtbot.waitUntil(lambda: docks["tokenize"].x() >= docks["fill_mask"].geometry().right())


def test_the_keyboard_walks_through_the_views(running, qtbot):
    names = list(running.window.view_area.docks)
    running.window.view_area.step(1)
    assert open_views(running) == [names[1]]
    running.window.view_area.step(-1)
    running.window.view_area.step(-1)
    assert open_views(running) == [names[-1]]


def test_an_area_without_views_says_where_they_are(running, qtbot):
    area = running.window.view_area
    area.docks["fill_mask"].close()
    qtbot.waitUntil(area._nothing.isVisible)
    click(running, "fill_mask")
    qtbot.waitUntil(lambda: not area._nothing.isVisible())


def test_a_small_window_lists_icons_and_a_large_one_words(running):
    running.window.resize(1000, 700)
    assert running.window.rail.is_narrow
    running.window.resize(1400, 900)
    assert not running.window.rail.is_narrow


def test_the_views_that_are_shown_come_back_at_the_next_start(running, qtbot):
    click(running, "tokenize")
    qtbot.waitUntil(running.window.view_area.docks["tokenize"].isVisible)
    running.window.remember_layout()
    settings = running.bench.remembering.settings
    click(running, "fill_mask")
    running.window._placing.restore(settings)
    qtbot.waitUntil(lambda: open_views(running) == ["tokenize"])


def test_the_views_get_the_room_of_the_docks_and_give_it_back(running):
    docks = running.window.side_docks
    for dock in docks[:2]:
        dock.show()
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert all(dock.isHidden() for dock in docks)
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert [dock.isHidden() for dock in docks] == [False, False, True]
