"""Presenter mode: the page alone in large letters, and everything as it was when it ends."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QToolButton, QWidget

from explorer.ui import overview
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import current_theme

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def usual_size(qapp):
    """The size of texts is the application's: whoever comes next finds the usual one."""
    yield
    chrome.scale_font(qapp, 1.0)


@pytest.fixture
def window(running):
    return running.window


def letters():
    """Pixels of texts in widgets, and of those that pages paint."""
    return QFontInfo(QApplication.font()).pixelSize(), current_theme().font("body").pixelSize()


def present(window, qtbot):
    QTest.keyClick(window, KEY.Key_F11, CONTROL)
    assert window.presenting.is_on
    # The screen's size comes after it was asked for.
    qtbot.waitUntil(lambda: window.isFullScreen() and window.size() == window.screen().size())


def fit(window, qtbot, width, height):
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.size().toTuple() == (width, height))


@pytest.mark.parametrize("leave", [(KEY.Key_F11, CONTROL), (KEY.Key_Escape,), (KEY.Key_F11,)])
def test_the_page_fills_the_window_in_large_letters_and_all_comes_back(
    window, running, qtbot, leave
):
    around = (
        window.menu_titles,
        window.bar,
        window.sidebar,
        window.sentence.strip_area,
        window.log_line,
    )
    options = window.view_of("masked_tokens").options
    assert options.row.isVisible()
    _token, log = window.side_docks
    QTest.keyClick(window, KEY.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(window.log.filters.search.hasFocus)
    qtbot.waitUntil(lambda: log.height() >= 160)
    before = letters(), window.size(), log.size()
    # The page follows what wraps anew a moment later.
    qtbot.waitUntil(lambda: window.view_area.y() == window.sentence.strip_area.height())
    area = window.view_area.geometry()

    present(window, qtbot)
    qtbot.waitUntil(lambda: min(letters()) > max(before[0]))
    assert not any(part.isVisible() for part in (*around, log, options.row))
    # All but the line with what is asked about.
    qtbot.waitUntil(lambda: window.view_area.width() == window.width())
    input_line = window.findChild(QFrame, "stage_input")
    assert input_line.isVisible()
    qtbot.waitUntil(lambda: window.view_area.height() + input_line.height() == window.height())
    assert window.view_of("masked_tokens").page.hasFocus()
    assert running.bench.settings_store.settings.font_scale == 1.0

    QTest.keyClick(window, *leave)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert not input_line.isVisible()
    assert all(part.isVisible() for part in (*around, log, options.row))
    qtbot.waitUntil(lambda: (letters(), window.size(), log.size()) == before)
    # A dock that opens does so in steps, the last of which may be a pixel.
    qtbot.waitUntil(lambda: abs(window.view_area.width() - area.width()) <= 1)
    qtbot.waitUntil(lambda: window.view_area.pos() == area.topLeft())
    assert window.log.filters.search.hasFocus()
    assert not window.menus.action("present").isChecked()
    assert not window.menus.action("fill_screen").isChecked()


def seen_above(window, question):
    """Names of what can be seen in the row above a page."""
    pane = window.view_area.place_of(question)
    header = window.view_area.frames[question].header
    parts = [*header.findChildren(QWidget), pane.tabs, *pane.bar.findChildren(QToolButton)]
    return {one.objectName() for one in parts if one.isVisible()} - {""}


@pytest.mark.parametrize("page", ["masked_tokens", "attention", overview.NAME])
def test_a_presented_page_has_its_title_above_it_and_no_tool(window, qtbot, page):
    window.view_area.bring_forward(page)
    qtbot.waitUntil(lambda: seen_above(window, page) > {"viewTitle", "viewQuestion", "page_beside"})
    before = seen_above(window, page)
    header = window.view_area.frames[page].header
    present(window, qtbot)
    assert seen_above(window, page) == {"viewTitle"}
    # Nothing is left of the room that the buttons had.
    qtbot.waitUntil(lambda: header.title.width() > 0.9 * window.view_area.width())
    # What opens meanwhile has none either.
    other = "soft_targets"
    window.view_area.bring_forward(other)
    assert seen_above(window, other) == {"viewTitle"}
    window.view_area.open_beside("architecture")
    assert seen_above(window, "architecture") == {"viewTitle"}
    window.view_area.close_page("architecture")
    window.view_area.bring_forward(page)
    QTest.keyClick(window, KEY.Key_Escape)
    qtbot.waitUntil(lambda: seen_above(window, page) == before)


def test_the_ways_in_are_not_on_the_stage(window, qtbot):
    window.first_steps.offer()
    assert window.first_steps.are_offered
    ways = window.findChild(QFrame, "first_steps")
    qtbot.waitUntil(ways.isVisible)
    present(window, qtbot)
    assert not ways.isVisible()
    QTest.keyClick(window, KEY.Key_Escape)
    qtbot.waitUntil(ways.isVisible)


def test_larger_rooms_have_larger_letters(window, qtbot):
    usual = letters()
    present(window, qtbot)
    fit(window, qtbot, 1024, 700)
    qtbot.waitUntil(lambda: letters() == tuple(round(1.25 * one) for one in usual))
    fit(window, qtbot, 1600, 1000)
    qtbot.waitUntil(lambda: letters() == tuple(round(1.75 * one) for one in usual))


def test_letters_made_larger_while_presenting_stay_so_for_presenting_alone(window, running, qtbot):
    usual = letters()
    present(window, qtbot)
    first = tuple(round(window.presenting.scale * one) for one in usual)
    qtbot.waitUntil(lambda: letters() == first)
    QTest.keyClick(window, KEY.Key_Plus, CONTROL)
    larger = letters()
    assert larger > first
    QTest.keyClick(window, KEY.Key_Escape)
    assert letters() == usual
    assert running.bench.settings_store.settings.font_scale == 1.0
    present(window, qtbot)
    qtbot.waitUntil(lambda: letters() == larger)
    QTest.keyClick(window, KEY.Key_0, CONTROL)
    qtbot.waitUntil(lambda: letters() == first)


def test_escape_goes_back_to_a_page_that_filled_the_screen_before(window, qtbot):
    usual = letters()
    QTest.keyClick(window, KEY.Key_F11)
    qtbot.waitUntil(window.isFullScreen)
    present(window, qtbot)
    qtbot.waitUntil(lambda: letters() > usual)
    QTest.keyClick(window, KEY.Key_Escape)
    assert letters() == usual
    assert window.isFullScreen()
    assert not window.sidebar.isVisible()
    assert window.menus.action("fill_screen").isChecked()
    QTest.keyClick(window, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert window.sidebar.isVisible()


def test_a_page_is_scrolled_afterwards_as_it_was(window, running, qtbot):
    running.bench.edits.take_text(
        "the [MASK] and [MASK] and [MASK] and [MASK] of [MASK] and [MASK].", "masks"
    )
    bar = window.view_of("masked_tokens").area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    bar.setValue(130)
    usual = letters()
    present(window, qtbot)
    qtbot.waitUntil(lambda: letters() > usual)
    bar.setValue(0)
    QTest.keyClick(window, KEY.Key_Escape)
    qtbot.waitUntil(lambda: bar.value() == 130)


def test_a_window_closed_while_presenting_opens_in_the_usual_letters(start, qtbot):
    first = start()
    usual = letters()
    present(first.window, qtbot)
    qtbot.waitUntil(lambda: letters() > usual)
    first.window.close()
    first.close()
    second = start().window
    assert letters() == usual
    assert not second.isFullScreen()
    assert second.sidebar.isVisible()


def test_docks_are_as_wide_afterwards_as_before(window, running, qtbot):
    docks = [window.lecture_dock]
    # A page whose tools are wide in large letters.
    window.view_area.bring_forward("soft_targets")
    for dock in docks:
        dock.show()
    qtbot.waitUntil(lambda: all(dock.width() > 200 for dock in docks))
    fit(window, qtbot, 1200, 760)

    def is_placed():
        window.resizeDocks(docks, [296], Qt.Orientation.Horizontal)
        return [dock.width() for dock in docks] == [296]

    qtbot.waitUntil(is_placed)
    present(window, qtbot)
    window.presenting.write_at(2.0)
    QTest.keyClick(window, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen() and window.width() == 1200)
    qtbot.waitUntil(lambda: [dock.width() for dock in docks] == [296])
