"""Keys that every list and table of the window takes alike."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView


def take_row_key(view: QAbstractItemView, event: QKeyEvent) -> bool:
    """Let Enter do what a double click does, on every platform, and Escape leave the view.

    Returns:
        Whether that was all that the key means; else the view goes on with it.
    """
    if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
        view.activated.emit(view.currentIndex())
        return True
    if event.key() == Qt.Key.Key_Escape:
        # It searches for no row; whoever holds the view is left.
        event.ignore()
        return True
    return False
