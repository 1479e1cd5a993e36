"""Rows of a results file as a table that reads what is seen and no more."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from explorer.api.question import Cell, ExplorerError
from explorer.files_of_sentences.rows import FAILURE, NUMBER, PAIR, TEXT, ResultsReader
from explorer.questions.many.file_of_sentences.table.ordering import Found, Order
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import written
from explorer.text import _
from explorer.ui.blocks import RowPages, current_theme, guarded, plain_tip

Index = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LOOKED_AT = 20
"""Rows by which a column is known for one of words or of numbers."""


@guarded
class RowsTable(QAbstractTableModel):
    """One row a sentence.

    Signals:
        sort_wanted: A column's name, and whether the greatest comes first.
    """

    sort_wanted = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._found: Found | None = None
        self._pages = RowPages[tuple[Cell, ...]](self._read)
        self._shown: tuple[str, ...] = ()
        self._has_pairs = False
        self._hidden: tuple[str, ...] = ()
        self._question = ""

    @property
    def order(self) -> Order:
        """What is shown."""
        return self._found.order if self._found is not None else Order()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that are shown."""
        return self._shown

    def show_found(
        self,
        found: Found | None,
        *,
        question: str = "",
        has_pairs: bool = False,
        hidden: Collection[str] = (),
    ) -> None:
        """Show what was found; rows that were only added keep the place in the table.

        Args:
            found: What the file holds; None for nothing.
            question: The name of the one that was asked.
            has_pairs: There are second sentences.
            hidden: Columns that are not for reading.
        """
        old = self._found
        if (
            found is not None
            and old is not None
            and (old.path, old.columns, old.order) == (found.path, found.columns, found.order)
            and found.order.is_plain
            and len(found.positions) >= len(old.positions)
            and has_pairs == self._has_pairs
        ):
            self._grow(old, found)
            return
        self.beginResetModel()
        self._found, self._question, self._has_pairs = found, question, has_pairs
        self._pages.forget()
        self._hidden = tuple(hidden)
        left_out = {*hidden} if has_pairs else {*hidden, PAIR}
        if found is not None and not found.failed:
            left_out.add(FAILURE)
        columns = found.columns if found is not None else ()
        self._shown = tuple(name for name in columns if name not in left_out)
        self.endResetModel()

    def _grow(self, old: Found, found: Found) -> None:
        if bool(found.failed) != bool(old.failed):
            self._found = None
            self.show_found(
                found, question=self._question, has_pairs=self._has_pairs, hidden=self._hidden
            )
            return
        before, after = len(old.positions), len(found.positions)
        self._pages.forget_from(before)
        if after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
            self._found = found
            self.endInsertRows()
        else:
            self._found = found

    def row(self, number: int) -> tuple[Cell, ...]:
        """All cells of a row; empty where the file is gone, or was not looked into yet."""
        if self._found is None:
            return ()
        return self._pages.row(number) or ()

    def _read(self, start: int, stop: int) -> list[tuple[Cell, ...]]:
        assert self._found is not None
        try:
            return ResultsReader(self._found.path).rows(self._found.positions[start:stop])
        except ExplorerError:
            return []

    def sentence(self, number: int) -> tuple[str, str | None]:
        """A row's text and second text."""
        cells = self.row(number)
        if not cells:
            return "", None
        return str(cells[1]), None if cells[2] is None else str(cells[2])

    @property
    def path(self) -> Path | None:
        """The results file."""
        return self._found.path if self._found is not None else None

    def rowCount(self, parent: Index | None = None) -> int:
        """One a sentence."""
        if self._found is None or (parent is not None and parent.isValid()):
            return 0
        return len(self._found.positions)

    def columnCount(self, parent: Index | None = None) -> int:
        """Those that hold anything."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._shown):
            return None
        title = column_said(self._shown[section], self._question)
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(_("Click to sort by {column}.", column=title))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if self.is_text(section, min(self.rowCount(), LOOKED_AT)) else RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and how they look."""
        if not index.isValid() or self._found is None:
            return None
        name = self._shown[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if name in (TEXT, PAIR, FAILURE) else self._alignment(index, name)
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            return theme.danger if name == FAILURE else theme.muted if name == NUMBER else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        cell = self._cell(index, name)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(cell) if isinstance(cell, str) and len(cell) > 20 else None
        return written(cell)

    def _cell(self, index: Index, name: str) -> Cell:
        cells = self.row(index.row())
        assert self._found is not None
        place = self._found.columns.index(name)
        return cells[place] if place < len(cells) else None

    def _alignment(self, index: Index, name: str) -> Qt.AlignmentFlag:
        return LEFT if isinstance(self._cell(index, name), str) else RIGHT

    def is_text(self, column: int, rows: int) -> bool:
        """Whether any of a column's first cells is text."""
        name = self._shown[column]
        cells = (self._cell(self.index(row, column), name) for row in range(rows))
        return name in (TEXT, PAIR, FAILURE) or any(isinstance(cell, str) for cell in cells)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Say what is wanted; the rows come when they are sorted."""
        if 0 <= column < len(self._shown):
            descending = order == Qt.SortOrder.DescendingOrder
            self.sort_wanted.emit(self._shown[column], descending)
