"""The parts of the window are made where they stand."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

FEW = 24
"""Widgets that may move together: a page is made before there is a frame for it."""


class Moves(QObject):
    """Notes who is given another parent, and with how many children."""

    def __init__(self):
        super().__init__()
        self.of_many = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.ParentChange and isinstance(watched, QWidget):
            children = len(watched.findChildren(QWidget))
            if children > FEW:
                self.of_many.append((watched.objectName() or type(watched).__name__, children))
        return False


def test_nothing_large_moves_from_one_parent_to_another(start, qapp):
    """Each move dresses a widget anew, and all that is in it: half of a start's style sheets."""
    moves = Moves()
    qapp.installEventFilter(moves)
    try:
        running = start()
        running.window.view_area.bring_forward("tokens")
        running.window.lecture_dock.show()
    finally:
        qapp.removeEventFilter(moves)
    assert moves.of_many == []
