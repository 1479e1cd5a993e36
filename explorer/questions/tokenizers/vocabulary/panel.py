"""The table of pieces on screen: found and sorted on a thread, read as it is scrolled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Signal
from PySide6.QtWidgets import QTableView, QVBoxLayout, QWidget

from explorer.api.question import ExplorerError
from explorer.document import Document
from explorer.questions.tokenizers.vocabulary.columns import rows_of
from explorer.questions.tokenizers.vocabulary.options import SORT, Sort
from explorer.questions.tokenizers.vocabulary.parts import near
from explorer.questions.tokenizers.vocabulary.question import VocabularyRow
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows, WantedPieces
from explorer.text import _, said
from explorer.ui.blocks import (
    LatestWork,
    LongRows,
    LongRowsModel,
    LongTable,
    guarded,
    set_options,
)

WIDEST = 260
STRETCHED = 2
"""The column that takes what room is left: what a piece stands for."""
LOOKED_THROUGH = 20_000
"""Rows among which the chosen piece is looked for, to mark it."""
FALLS_FIRST = frozenset({"uses", "length"})
"""Columns of which the first click on the title puts the greatest first."""


@dataclass(frozen=True)
class PieceTable:
    """What the table shows.

    Attributes:
        path: Of the rows.
        wanted: Which of them, in which order.
        in_bytes: It is a vocabulary of bytes.
        compared: There is a second one.
        chosen: Number of the piece whose nearest are shown; None for none.
        seen: The document that a click changes.
    """

    path: Path
    wanted: WantedPieces
    in_bytes: bool
    compared: bool
    chosen: int | None
    seen: Document


@guarded
class PiecesPanel(QWidget):
    """Shows the pieces that were found.

    Signals:
        chosen: Nothing is.
        acted: A piece was chosen, or another order, an Edit.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: PieceTable | None = None
        self._ids: Sequence[int] = ()
        self.model = LongRowsModel()
        self.view = self._view()
        self.work = LatestWork("vocabulary", self)
        self.work.done.connect(self._found)
        self.work.trouble.connect(lambda _failure: self._show((), LongRows()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        self.setFocusProxy(self.view)

    def _view(self) -> LongTable:
        view = LongTable(self.model, "vocabularyPieces", _("Pieces of the vocabulary"), self)
        view.stretch(STRETCHED)
        view.horizontalHeader().sectionClicked.connect(self._sort)
        # A double click is a click, and Enter is no click.
        view.clicked.connect(lambda index: self.choose(index.row()))
        view.activated.connect(lambda index: self.choose(index.row()))
        return view

    def show_content(self, shown: PieceTable) -> None:
        """Show what was found, or another chosen piece of the same."""
        before, self._shown = self._shown, shown
        if before is None or _same_rows(before) != _same_rows(shown):
            table, wanted = VocabularyRows(shown.path), shown.wanted
            self.work.ask(lambda: table.ids(wanted))
        elif before.chosen != shown.chosen:
            self._mark()

    def _found(self, ids: Sequence[int]) -> None:
        shown = self._shown
        if shown is None:
            return
        table = VocabularyRows(shown.path)

        def read(start: int, stop: int) -> Sequence[VocabularyRow]:
            try:
                return table.rows(ids[start:stop])
            except ExplorerError:
                return ()  # the file was cleared away

        before = self.model.columnCount()
        rows = rows_of(len(ids), read, in_bytes=shown.in_bytes, compared=shown.compared)
        self._show(ids, rows)
        goes = [(one.goes, n) for n, one in enumerate(rows.columns) if one.goes]
        self.view.dispense_with([n for _order, n in sorted(goes)])
        self.view.fit_columns(WIDEST, anew=before != len(rows.columns))
        sort, names = shown.wanted.sort, [one.name for one in rows.columns]
        self.view.show_sorted(names.index(sort.column), falls=sort.falls)
        self._mark()

    def _show(self, ids: Sequence[int], rows: LongRows[VocabularyRow]) -> None:
        self._ids = ids
        self.model.show_rows(rows)

    def _row_of(self, piece: int) -> int | None:
        """The row of a piece, among the first ones; None where it is not there."""
        first = range(min(LOOKED_THROUGH, len(self._ids)))
        return next((number for number in first if self._ids[number] == piece), None)

    def _mark(self) -> None:
        """Select the piece whose nearest are shown, where it is among the first rows."""
        selection = self.view.selectionModel()
        chosen = None if self._shown is None else self._shown.chosen
        number = None if chosen is None else self._row_of(chosen)
        if number is None:
            selection.clearSelection()
            return
        index = self.model.index(number, 0)
        flags = QItemSelectionModel.SelectionFlag
        selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        if not self.view.viewport().rect().contains(self.view.visualRect(index).center()):
            self.view.scrollTo(index, QTableView.ScrollHint.PositionAtCenter)

    def look(self) -> Any:
        """How wide the user drew columns; None where none was."""
        return self.view.drawn_widths.widths or None

    def take_look(self, look: Any) -> None:
        """Draw them as wide."""
        self.view.drawn_widths.take_over(look)

    def _sort(self, section: int) -> None:
        column = self.model.rows.columns[section]
        if self._shown is None or not column.name:
            return
        now = self._shown.wanted.sort
        falls = not now.falls if now.column == column.name else column.name in FALLS_FIRST
        wanted = Sort(f"{column.name}_down" if falls else column.name)
        name = _("sort by {column}", column=column.title.lower())
        self.acted.emit(set_options(self._shown.seen, {SORT.key: SORT.written(wanted.value)}, name))

    def choose(self, number: int) -> None:
        """Look which pieces are near to that of a row."""
        row: VocabularyRow | None = self.model.row(number)
        if row is not None and self._shown is not None and row.id != self._shown.chosen:
            self.acted.emit(chosen(self._shown.seen, row))


def chosen(seen: Document, row: VocabularyRow) -> object:
    """The gesture of choosing a piece."""
    gesture = near(row)
    return set_options(seen, gesture.values, said(gesture.step))


def _same_rows(shown: PieceTable) -> PieceTable:
    return replace(shown, chosen=None, seen=Document())
