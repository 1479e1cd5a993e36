"""Keys and menus act on the view that is on the screen, through real keys and clicks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from explorer.api.family import LoadOptions
from explorer.questions import all_questions
from tests.ui.fake_engine import CACHED
from tests.ui.page_tree import click_page

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(running, qtbot):
    running.window.activateWindow()
    qtbot.waitUntil(running.window.isActiveWindow)
    return running.window


def press(key, held=NONE):
    """A key, wherever the focus is, as a keyboard does it."""
    widget = QApplication.focusWidget() or QApplication.activeWindow()
    QTest.keyClick(widget, key, held)


def shown(window, question):
    asker = window.bench.asking.askers.get(question)
    return asker is not None and asker.is_visible and window.view_of(question).has_result


def look_at(window, qtbot, question, *, by):
    """Bring a view forward with its key, a click in the list, or beside with Ctrl and a click."""
    if by == "key":
        keys = all_questions()[question].listing.shortcut
        press(Qt.Key(Qt.Key.Key_0.value + int(keys.removeprefix("Alt+"))), ALT)
    else:
        held = CONTROL if by == "beside" else NONE
        click_page(window, question, held)
    qtbot.waitUntil(lambda: shown(window, question))


def use_tokens(window, qtbot):
    """Show the tokens and click into their table."""
    look_at(window, qtbot, "tokens", by="key")
    table = window.view_of("tokens").page
    qtbot.waitUntil(lambda: table.height() > 10)
    QTest.mouseClick(table, LEFT, pos=QPoint(20, 10))
    assert table.hasFocus()


def open_dialog(window, qtbot, name):
    """The dialog of this name, on the screen."""

    def there():
        return next((d for d in window.findChildren(QDialog, name) if d.isVisible()), None)

    qtbot.waitUntil(lambda: there() is not None)
    return there()


def export_title(window, qtbot, name="pictureDialog", held=CONTROL):
    """What Ctrl+E asks to export; Ctrl+Shift+E is of the table."""
    press(Qt.Key.Key_E, held)
    dialog = open_dialog(window, qtbot, name)
    title = dialog.windowTitle()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not any(d.isVisible() for d in window.findChildren(QDialog)))
    return title


@pytest.mark.parametrize("by", ["key", "list"])
@pytest.mark.parametrize("through_text", [True, False])
def test_a_view_brought_forward_is_exported_not_the_one_used_before(
    window, qtbot, by, through_text
):
    use_tokens(window, qtbot)
    assert export_title(window, qtbot) == "Export picture: Tokens"
    if through_text:
        press(Qt.Key.Key_T, CONTROL)
    look_at(window, qtbot, "masked_tokens", by=by)
    assert export_title(window, qtbot) == "Export picture: Masked tokens"
    # The dialog gave the focus back to where it was.
    assert export_title(window, qtbot) == "Export picture: Masked tokens"


def test_table_and_clipboard_are_of_the_view_on_the_screen(window, qtbot):
    use_tokens(window, qtbot)
    press(Qt.Key.Key_C, CONTROL | SHIFT)
    tokens = QApplication.clipboard().text()
    press(Qt.Key.Key_T, CONTROL)
    look_at(window, qtbot, "masked_tokens", by="key")
    press(Qt.Key.Key_C, CONTROL | SHIFT)
    assert QApplication.clipboard().text() != tokens
    assert "probability" in QApplication.clipboard().text()
    title = export_title(window, qtbot, "tableDialog", CONTROL | SHIFT)
    assert title == "Export table: Masked tokens"


def test_of_two_beside_each_other_the_last_one_used_counts(window, qtbot):
    look_at(window, qtbot, "tokens", by="beside")
    assert export_title(window, qtbot) == "Export picture: Tokens"
    # What is clicked takes no focus: the question, the title, an empty place.
    frame = window.view_area.frames["masked_tokens"]
    QTest.mouseClick(frame.pages, LEFT, pos=QPoint(5, frame.pages.height() - 5))
    assert export_title(window, qtbot) == "Export picture: Masked tokens"
    QTest.mouseClick(window.view_area.place_of("tokens").bar, LEFT)
    assert export_title(window, qtbot) == "Export picture: Tokens"
    look_at(window, qtbot, "masked_tokens", by="list")
    assert export_title(window, qtbot) == "Export picture: Masked tokens"


def test_a_closed_view_leaves_the_one_that_is_still_there(window, qtbot):
    look_at(window, qtbot, "tokens", by="beside")
    bar = window.view_area.place_of("tokens").bar
    QTest.mouseClick(bar.close_button, LEFT)
    assert export_title(window, qtbot) == "Export picture: Masked tokens"


def test_a_template_asks_the_question_of_the_view_on_the_screen(window, running, qtbot):
    running.bench.models.load("B", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    use_tokens(window, qtbot)
    look_at(window, qtbot, "masked_tokens", by="list")
    window.menus.action("take_two_models").trigger()
    qtbot.waitUntil(lambda: len(window.sheet.dialog.entries) >= 2)
    assert {entry.operation for entry in window.sheet.dialog.entries} == {"masked_tokens"}


def test_the_next_view_follows_the_one_used_last(window, qtbot):
    names = list(window.view_area.titles)
    look_at(window, qtbot, "tokens", by="beside")
    press(Qt.Key.Key_PageDown, CONTROL)
    after = names[names.index("tokens") + 1]
    qtbot.waitUntil(lambda: window.current_view().question == after)


def test_a_page_brought_forward_by_a_key_has_the_keyboard_and_not_its_title(window, qtbot):
    """Space would float the page, or close it."""
    use_tokens(window, qtbot)
    look_at(window, qtbot, "masked_tokens", by="key")
    use_tokens(window, qtbot)
    look_at(window, qtbot, "masked_tokens", by="key")
    holder = QApplication.focusWidget()
    pane = window.view_area.place_of("masked_tokens")
    assert pane.isAncestorOf(holder)
    assert not pane.bar.isAncestorOf(holder)
