"""A table of very many rows on screen: one row is chosen, nothing wraps, rows are all as high."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from explorer.ui.controls.rows.drawn_widths import DrawnWidths
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.typesetting.one_line import text_height

SAMPLE = 80
"""Rows that decide how wide a column is: as many as the tallest screen shows."""
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
        self._dispensable: tuple[int, ...] = ()
        self._filling = False
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

    def dispense_with(self, columns: Sequence[int]) -> None:
        """Leave out columns where there is no room for all, the first of these first.

        They come back with the room; a column that the user draws wider drives none away.
        """
        self._dispensable = tuple(columns)
        self._fit_in()

    def show_sorted(self, column: int | None, *, falls: bool = False) -> None:
        """Mark the title of the column that rows are sorted by.

        Args:
            column: Its number; None for none.
            falls: The greatest stands first.
        """
        order = Qt.SortOrder.DescendingOrder if falls else Qt.SortOrder.AscendingOrder
        header = self.horizontalHeader()
        header.setSortIndicatorShown(column is not None)
        header.setSortIndicator(-1 if column is None else column, order)

    def fit_columns(self, widest: int, *, anew: bool = True) -> None:
        """Make columns as wide as the first cells; what the user drew, and what stretches, stays.

        Args:
            widest: Pixels of any at most.
            anew: Each may become narrower than it is.
        """
        self._show_all()
        for column in range(self.model().columnCount()):
            if column == self._stretched or self.isColumnHidden(column):
                continue
            before = 0 if anew else self.columnWidth(column)
            self.resizeColumnToContents(column)
            self.setColumnWidth(column, max(before, min(self.columnWidth(column) + ROOM, widest)))
        self.drawn_widths.restore()
        self._fit_in()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The same in another width."""
        super().resizeEvent(event)
        self._fit_in()

    def _resized(self, column: int, _old: int, _new: int) -> None:
        if column != self._stretched and not self._filling:
            self._fill()

    def _show_all(self) -> None:
        self._filling = True
        for column in self._dispensable:
            self.showColumn(column)
        self._filling = False

    def _fit_in(self) -> None:
        """Show the columns that there is room for, and give what is left to the stretched one."""
        self._show_all()
        columns = range(self.model().columnCount())
        least = sum(
            LEAST_STRETCHED if n == self._stretched else self.columnWidth(n) for n in columns
        )
        self._filling = True
        for column in self._dispensable:
            if least > self.viewport().width() and column in columns:
                least -= self.columnWidth(column)
                self.hideColumn(column)
        self._filling = False
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
