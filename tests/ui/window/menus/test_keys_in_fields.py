"""The menus' keys in a page's own field, where Linux has other uses for them."""

from tests.x_server import run_under, x_server

SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.tour.hands import Hands, wait_until
from explorer.ui.window.menus.command_finder import CommandFinder
if __name__ == "__main__":
    application()
    running = Running(Program(Paths.profile(Path(sys.argv[1]))))
    running.show()
    window = running.window
    hands = Hands(window)
    wait_until(lambda: bool(running.bench.models.cards), "the miniature")
    window.view_area.bring_forward("candidate_words")
    hands.settle()
    fields = window.view_area.findChildren(QLineEdit)
    field = next(one for one in fields if one.isVisible())
    window.activateWindow()
    field.setFocus()
    wait_until(field.hasFocus, "the field")
    QTest.keyClicks(field, "made, cooked")
    QTest.keyClick(field, Qt.Key.Key_Return)
    hands.settle()
    words, place = field.text(), 1
    # A field's own keys are its own still.
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    print("selected" if field.selectedText() == words else "not selected")
    field.setCursorPosition(place)
    QTest.keyClick(field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    finder = window.findChild(CommandFinder)
    print("found" if finder is not None else "not found")
    if finder is not None:
        finder.close()
        wait_until(lambda: window.findChild(CommandFinder) is None, "the end of the search")
        window.activateWindow()
        field.setFocus()
        wait_until(field.hasFocus, "the field again")
        field.setCursorPosition(place)
    QTest.keyClick(field, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QDialog, "pictureDialog")
    print("exported" if dialog is not None else "not exported")
    print("untouched" if (field.text(), field.cursorPosition()) == (words, place) else "edited")
    running.close()
"""


def test_the_menus_keys_work_where_a_field_has_the_focus(tmp_path):
    with x_server(managed=True) as display:
        ran = run_under(display, SCRIPT, tmp_path)
    assert ran.stdout.split("\n")[:4] == ["selected", "found", "exported", "untouched"]
