"""Pieces as the rows of a table that reads what is seen and no more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.api.question import ExplorerError
from explorer.questions.tokenizers.vocabulary.options import Sort
from explorer.questions.tokenizers.vocabulary.question import PieceRow
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows
from explorer.questions.tokenizers.vocabulary.wording import about, place_said, script_said, written
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks import RowPages, current_theme, guarded, plain_tip

Index = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """A column of the table.

    Attributes:
        title: Above it.
        cell: What stands in it.
        number: It holds numbers.
        sort: What a click on its title sorts by first; None for nothing.
        words: What it means.
        goes: Where there is no room for all columns, those with a number go, the lowest first.
    """

    title: str
    cell: Callable[[PieceRow], str]
    number: bool = False
    sort: Sort | None = None
    words: str = ""
    goes: int = 0

    @property
    def other_way(self) -> Sort | None:
        """What a second click sorts by."""
        if self.sort is None:
            return None
        return Sort(self.sort.column if self.sort.falls else f"{self.sort.column}_down")


def columns(*, in_bytes: bool, compared: bool) -> tuple[Column, ...]:
    """Of a vocabulary.

    Args:
        in_bytes: It is one of bytes.
        compared: There is a second one.
    """
    size = Column(
        _("Bytes"),
        lambda row: whole(row.size),
        number=True,
        words=_("How many bytes it stands for, a space before it included."),
        goes=3,
    )
    second = Column(
        _("In both"),
        lambda row: _("yes") if row.shared else _("no"),
        words=_("Whether the second vocabulary has the same text."),
        goes=2,
    )
    return (
        Column(_("Id"), lambda row: str(row.id), number=True, sort=Sort.ID),
        Column(_("Piece"), lambda row: row.piece, words=_("As the vocabulary writes it.")),
        Column(
            _("Stands for"),
            lambda row: written(row).said,
            sort=Sort.TEXT,
            words=_("As a word; dots stand where the rest of one would be."),
        ),
        Column(
            _("Uses"),
            lambda row: whole(row.uses),
            number=True,
            sort=Sort.USES_DOWN,
            words=_("How often it stands in the text."),
        ),
        Column(
            _("Characters"),
            lambda row: "" if row.characters is None else whole(row.characters),
            number=True,
            sort=Sort.LENGTH_DOWN,
            words=_("How many characters it stands for, a space before it not counted."),
            goes=4,
        ),
        *([size] if in_bytes else []),
        Column(_("What it is"), lambda row: place_said(row.place)),
        Column(_("Script"), lambda row: script_said(row.script), sort=Sort.SCRIPT, goes=1),
        *([second] if compared else []),
    )


@guarded
class PiecesModel(QAbstractTableModel):
    """One row a piece."""

    def __init__(self) -> None:
        super().__init__()
        self._table: VocabularyRows | None = None
        self._ids: Sequence[int] = ()
        self.columns: tuple[Column, ...] = ()
        self._pages = RowPages[PieceRow](self._read)

    def show_pieces(
        self, table: VocabularyRows | None, ids: Sequence[int], columns: tuple[Column, ...]
    ) -> None:
        """Show pieces in an order."""
        self.beginResetModel()
        self._table, self._ids, self.columns = table, ids, columns
        self._pages.forget()
        self.endResetModel()

    def row(self, number: int) -> PieceRow | None:
        """The piece of a row; None where the file was cleared away."""
        return self._pages.row(number) if 0 <= number < len(self._ids) else None

    def row_of(self, piece: int, most: int) -> int | None:
        """The row of a piece, among the first ones; None where it is not there."""
        for number in range(min(most, len(self._ids))):
            if self._ids[number] == piece:
                return number
        return None

    def _read(self, start: int, stop: int) -> Sequence[PieceRow]:
        if self._table is None:
            return ()
        try:
            return self._table.rows(self._ids[start:stop])
        except ExplorerError:
            return ()

    def rowCount(self, parent: Index | None = None) -> int:
        """One a piece."""
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        """Those of this vocabulary."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, and what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            sorts = _("Click to sort by it.") if column.sort is not None else ""
            return plain_tip("\n".join(filter(None, (column.words, sorts))))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and how they look."""
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.cell(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(about(row))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            never = not row.uses and row.place not in ("special", "added", "unused")
            return theme.muted if never or not row.script else None
        return None
