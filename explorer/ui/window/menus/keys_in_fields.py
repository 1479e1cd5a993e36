"""The menus' keys work in every field, whatever else the system's fields would do with them."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget

from explorer.ui.guarded import guarded

_EDITING = [
    *(QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo),
    *(QKeySequence.StandardKey.Cut, QKeySequence.StandardKey.Copy),
    *(QKeySequence.StandardKey.Paste, QKeySequence.StandardKey.SelectAll),
]
"""What a field does by itself, though a menu has it too."""


@guarded
class KeysInFields(QObject):
    """Lets the window have its keys where a field has the focus.

    On Linux a field takes Ctrl+E for the end of its line and Ctrl+K for cutting it off, as Emacs
    does. Only what has the focus is listened to: all events of a program are far too many.

    Args:
        actions: Those of the menus now.
        window: Whose fields they are.
    """

    def __init__(self, actions: Callable[[], Iterable[QAction]], window: QWidget) -> None:
        super().__init__(window)
        self._actions, self._window = actions, window
        self._field: QWidget | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._turn_to)

    def _turn_to(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and before is self._field:
            before.removeEventFilter(self)
        self._field = None
        if (
            isinstance(now, QLineEdit | QAbstractSpinBox | QComboBox)
            and now.window() is self._window
        ):
            now.installEventFilter(self)
            self._field = now

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a field from taking a menu's key for its own."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if any(event.matches(key) for key in _EDITING):
            return False
        typed = QKeySequence(event.keyCombination())
        if any(typed in action.shortcuts() for action in self._actions()):
            event.ignore()
            return True
        return False
