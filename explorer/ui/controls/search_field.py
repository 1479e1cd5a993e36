"""A field for what is searched for, above a list of what was found."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme.icons import icon


@guarded
class SearchField(QLineEdit):
    """The arrow down leads from it into what was found.

    Signals:
        down: The arrow was pressed.
    """

    down = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setClearButtonEnabled(True)
        self.addAction(icon("magnify"), QLineEdit.ActionPosition.LeadingPosition)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow down leaves it."""
        if event.key() == Qt.Key.Key_Down:
            self.down.emit()
            return
        super().keyPressEvent(event)
