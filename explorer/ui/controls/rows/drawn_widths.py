"""How wide the user draws a table's columns: that stays when the table sizes them anew."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHeaderView

from explorer.ui.guarded import guarded

Widths = Mapping[tuple[int, int], int]
"""Pixels by how many columns there are, and which of them it is."""


@guarded
class DrawnWidths(QObject):
    """Notes what the mouse does to a header; all else is the program's own doing.

    Args:
        header: Of the table; it is the parent, too.
    """

    def __init__(self, header: QHeaderView) -> None:
        super().__init__(header)
        self._header = header
        self._is_held = False
        self._widths: dict[tuple[int, int], int] = {}
        header.viewport().installEventFilter(self)
        header.sectionResized.connect(self._note)

    @property
    def widths(self) -> Widths:
        """What was drawn, here or in the table that was taken over from."""
        return dict(self._widths)

    def take_over(self, widths: Widths) -> None:
        """Draw columns as wide as those of another table, now and later."""
        self._widths = dict(widths)
        self.restore()

    def restore(self) -> None:
        """Draw them so once more: they were sized by their cells."""
        count = self._header.count()
        for (columns, column), wide in self._widths.items():
            if columns == count:
                self._header.resizeSection(column, wide)

    def _note(self, column: int, _old: int, new: int) -> None:
        if self._is_held:
            self._widths[self._header.count(), column] = new

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The user has hold of the header, or no more."""
        if event.type() in {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}:
            self._is_held = True
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._is_held = False
        return super().eventFilter(watched, event)
