"""A table of very many rows on screen: one row is chosen, nothing wraps, rows are all as high."""

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from explorer.ui.controls.rows.drawn_widths import DrawnWidths
from explorer.ui.guarded import guarded
from explorer.ui.sentence.tokens.layout import text_height
from explorer.ui.theme.schemes import theme_signals

SAMPLE = 40
"""Rows that decide how wide a column is."""
ROOM = 8
"""Pixels beside a cell that decides how wide its column is."""
AROUND = 10
"""Pixels of a row's height beside its letters."""
LEAST_STRETCHED = 120
"""Pixels of a column that takes what the others leave, however little that is."""


@guarded
class LongTable(QTableView):
    """Shows a model whose rows are read as they come into sight.

    Attributes:
        drawn_widths: How wide the user drew its columns.

    Args:
        model: Of the rows.
        name: The widget's.
        spoken: What a screen reader calls it.
        parent: Its parent.
    """

    def __init__(self, model: QAbstractItemModel, name: str, spoken: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setModel(model)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(SAMPLE)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.sectionResized.connect(self._resized)
        self._stretched: int | None = None
        self.drawn_widths = DrawnWidths(header)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self._dress()
        theme_signals().changed.connect(self._dress)

    def stretch(self, column: int) -> None:
        """Give a column the room that the others leave.

        Qt's own stretching leaves the column as wide as it was where they leave none, so that
        they are out of sight when the table becomes narrower.
        """
        self._stretched = column
        self._fill()

    def fit_columns(self, widest: int, *, anew: bool = True) -> None:
        """Make columns as wide as the first cells; what the user drew, and what stretches, stays.

        Args:
            widest: Pixels of any at most.
            anew: Each may become narrower than it is.
        """
        for column in range(self.model().columnCount()):
            if column == self._stretched:
                continue
            before = 0 if anew else self.columnWidth(column)
            self.resizeColumnToContents(column)
            self.setColumnWidth(column, max(before, min(self.columnWidth(column) + ROOM, widest)))
        self.drawn_widths.restore()
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The same in another width."""
        super().resizeEvent(event)
        self._fill()

    def _resized(self, column: int, _old: int, _new: int) -> None:
        if column != self._stretched:
            self._fill()

    def _fill(self) -> None:
        columns = self.model().columnCount()
        if self._stretched is None or not self._stretched < columns:
            return
        others = sum(self.columnWidth(one) for one in range(columns) if one != self._stretched)
        room = self.viewport().width() - others
        self.setColumnWidth(self._stretched, max(room, LEAST_STRETCHED))

    def _dress(self, _theme: object = None) -> None:
        self.verticalHeader().setDefaultSectionSize(round(text_height("body")) + AROUND)
        self.viewport().update()
