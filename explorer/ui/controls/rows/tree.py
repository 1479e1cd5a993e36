"""A tree whose rows are chosen by the keyboard as those of every other list are."""

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeView

from explorer.ui.controls.rows.keys import take_row_key
from explorer.ui.guarded import guarded


@guarded
class RowTree(QTreeView):
    """A tree in which Enter does what a double click does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates, on every platform."""
        if not take_row_key(self, event):
            super().keyPressEvent(event)
