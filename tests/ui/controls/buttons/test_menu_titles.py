"""The menus in the bar of models and text: as titles, or in one button."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

ALT = Qt.KeyboardModifier.AltModifier
KEY = Qt.Key
TITLES = ["&File", "&Edit", "&Model", "&View", "&Run", "&Help"]
WIDE, NARROW = 2200, 1100


@pytest.fixture
def window(start):
    window = start().window
    window.activateWindow()
    return window


def fit(window, qtbot, width):
    window.resize(width, 800)
    qtbot.waitUntil(lambda: window.menu_titles.button.isVisible() == (width == NARROW))


def popped_up():
    menu = QApplication.activePopupWidget()
    return None if menu is None else menu.objectName()


def test_titles_stand_at_the_end_of_the_bar_where_there_is_room(window, qtbot):
    fit(window, qtbot, WIDE)
    titles = window.menu_titles
    assert [one.text() for one in titles.bar.actions()] == TITLES
    shown = [titles.bar.actionGeometry(one) for one in titles.bar.actions()]
    assert all(titles.bar.rect().contains(one) for one in shown)
    end = titles.bar.mapTo(window, shown[-1].topRight())
    assert WIDE - 30 < end.x() < WIDE
    assert end.y() < window.bar.height()


def test_a_narrow_bar_has_them_all_in_one_button(window, qtbot):
    fit(window, qtbot, NARROW)
    titles = window.menu_titles
    assert titles.bar.width() == 0
    assert [one.text() for one in titles.button.menu().actions()] == TITLES
    assert titles.button.accessibleName() == "Menus"
    qtbot.waitUntil(lambda: window.sentence.editors[0].width() >= 420)
    fit(window, qtbot, WIDE)
    assert titles.bar.width() == titles.bar.sizeHint().width()


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize(("key", "name"), [(KEY.Key_F, "menu_file"), (KEY.Key_H, "menu_help")])
def test_letters_open_menus_in_the_window_whether_titles_are_seen_or_not(
    window, qtbot, width, key, name
):
    fit(window, qtbot, width)
    QTest.keyClick(window, key, ALT)
    qtbot.waitUntil(lambda: popped_up() == name)
    menu = QApplication.activePopupWidget()
    begins = window.mapFromGlobal(menu.pos()).x()
    assert 0 < begins < width
    QApplication.processEvents()
    assert not window.menu_titles.button.menu().isVisible()
    QTest.keyClick(menu, KEY.Key_Escape)
    qtbot.waitUntil(lambda: popped_up() is None)
    if width == NARROW:
        # What can't be seen keeps no keys.
        qtbot.waitUntil(window.sentence.editors[0].hasFocus)


def test_arrows_go_from_a_folded_menu_to_the_next(window, qtbot):
    fit(window, qtbot, NARROW)
    QTest.keyClick(window, KEY.Key_F, ALT)
    qtbot.waitUntil(lambda: popped_up() == "menu_file")
    QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_Right)
    qtbot.waitUntil(lambda: popped_up() == "menu_edit")
    QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_Escape)


@pytest.mark.parametrize(("width", "opened"), [(WIDE, "menu_file"), (NARROW, "menus")])
def test_a_key_opens_them(window, qtbot, width, opened):
    fit(window, qtbot, width)
    QTest.keyClick(window, KEY.Key_F10)
    qtbot.waitUntil(lambda: popped_up() == opened)
    QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_Escape)
    qtbot.waitUntil(lambda: popped_up() is None)


def test_alt_alone_opens_the_folded_menus_and_gives_the_focus_back(window, qtbot):
    fit(window, qtbot, NARROW)
    text = window.sentence.editors[0]
    qtbot.waitUntil(text.hasFocus)
    QTest.keyPress(text, KEY.Key_Alt, ALT)
    QTest.keyRelease(text, KEY.Key_Alt)
    qtbot.waitUntil(lambda: popped_up() == "menus")
    QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_Escape)
    qtbot.waitUntil(text.hasFocus)


def test_alt_right_after_the_menus_were_closed_opens_them_again(window, qtbot):
    fit(window, qtbot, NARROW)
    text = window.sentence.editors[0]
    qtbot.waitUntil(text.hasFocus)
    for _time in range(3):
        # As in a burst of keys: nothing else is done between Escape and Alt.
        QTest.keyPress(text, KEY.Key_Alt, ALT)
        QTest.keyRelease(text, KEY.Key_Alt)
        qtbot.waitUntil(lambda: popped_up() == "menus")
        assert text.hasFocus(), "the bar has let go of the keys"
        QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_Escape)
        assert popped_up() is None


def test_a_reader_of_the_screen_is_told_of_the_menus_in_both(window, qtbot):
    for width in (WIDE, NARROW):
        fit(window, qtbot, width)
        heard = QAccessible.queryAccessibleInterface(window.menu_titles.bar)
        assert heard.role() == QAccessible.Role.MenuBar
        told = [heard.child(n).text(QAccessible.Text.Name) for n in range(heard.childCount())]
        assert [one for one in told if one] == [one.replace("&", "") for one in TITLES]
