"""Very many rows, described once for the table on screen and for pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.controls.rows.pages import RowPages
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LONG_CELL = 20
"""Characters from which a cell is told in a tooltip, too: the table may have cut it."""


@dataclass(frozen=True)
class LongColumn(Generic[Row]):
    """A column.

    Attributes:
        title: Above it.
        cell: What stands in it, by the row.
        name: By which it is sorted; "" where choosing its title does nothing.
        number: Its cells end at the right, as numbers do.
        mono: A picture writes them in letters of one width.
        wraps: In a picture they go on in a second line where there is little room.
        words: What it means.
        goes: Where there is no room for all columns, those with a number go, the lowest first.
        colour: Of its cells, by its name in the theme.
    """

    title: str
    cell: Callable[[Row], str]
    name: str = ""
    number: bool = False
    mono: bool = False
    wraps: bool = False
    words: str = ""
    goes: int = 0
    colour: str = "text"


def _no_rows(_start: int, _stop: int) -> Sequence[Any]:
    return ()


@dataclass(frozen=True)
class LongRows(Generic[Row]):
    """Rows that are read as they come into sight.

    Attributes:
        columns: From the left.
        count: How many rows there are.
        read: Gives those from a first one up to another; fewer where they are gone.
        about: What a row's tooltip says; None for its long cells, each where it stands.
        is_muted: Whether a row is written in grey; None for none.
    """

    columns: tuple[LongColumn[Row], ...] = ()
    count: int = 0
    read: Callable[[int, int], Sequence[Row]] = _no_rows
    about: Callable[[Row], str] | None = None
    is_muted: Callable[[Row], bool] | None = None


@guarded
class LongRowsModel(QAbstractTableModel):
    """The rows for a table on screen.

    Attributes:
        rows: What is shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: LongRows[Any] = LongRows()
        self._pages = RowPages[Any](self._read)

    def show_rows(self, rows: LongRows[Any]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self._pages.forget()
        self.endResetModel()

    def grow(self, rows: LongRows[Any]) -> None:
        """Show the same rows and more of them after the last: the place in the table stays."""
        before = self.rows.count
        self._pages.forget_from(before)
        if rows.count > before:
            self.beginInsertRows(QModelIndex(), before, rows.count - 1)
            self.rows = rows
            self.endInsertRows()
        else:
            self.rows = rows

    def _read(self, start: int, stop: int) -> Sequence[Any]:
        return self.rows.read(start, stop)

    def row(self, number: int) -> Any:
        """One of them; None where it is gone, or there are none yet."""
        return self._pages.row(number) if 0 <= number < self.rows.count else None

    def rowCount(self, parent: Index | None = None) -> int:
        """All of them."""
        return 0 if parent is not None and parent.isValid() else self.rows.count

    def columnCount(self, parent: Index | None = None) -> int:
        """Those that are described."""
        return 0 if parent is not None and parent.isValid() else len(self.rows.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, and what they mean."""
        columns = self.rows.columns
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(columns):
            return None
        column = columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            sorts = _("Click to sort by {column}.", column=column.title) if column.name else ""
            return plain_tip("\n".join(filter(None, (column.words, sorts))))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and how they look."""
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        column = self.rows.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.cell(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(column, row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            is_muted = self.rows.is_muted is not None and self.rows.is_muted(row)
            name = "muted" if is_muted else column.colour
            return None if name == "text" else current_theme().colour(name)
        return None

    def _tip(self, column: LongColumn[Any], row: Any) -> str | None:
        if self.rows.about is not None:
            return plain_tip(self.rows.about(row))
        cell = column.cell(row)
        return plain_tip(cell) if len(cell) > LONG_CELL else None
