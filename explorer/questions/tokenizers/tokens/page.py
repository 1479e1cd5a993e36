"""The pieces a model cuts the text into, as a table."""

from typing import ClassVar

from PySide6.QtCore import QItemSelection, QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from explorer.document import Document
from explorer.questions.tokenizers.tokens.question import OPERATION, Tokenize
from explorer.ui.theme import Theme, theme_signals
from explorer.ui.views.token_table import (
    POSITION,
    SORT_ROLE,
    TokenTable,
)
from explorer.ui.views.view import View
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.state_pages import label
from explorer.ui.widgets.token_layout import MARGIN, arrange, text_height
from explorer.ui.widgets.token_painting import Look, paint_tokens

WIDEST = 280
"""Of a column, in pixels; the user can make it wider."""


class TokenizeView(View):
    """A row a token: position, piece, id, characters, and what is special about it."""

    of: ClassVar = OPERATION
    order = 20
    group = "Masking"
    glyph = "content-cut"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = label("tokenSummary", "small", self)
        self.model = TokenTable()
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self.model)
        self.sorted.setSortRole(SORT_ROLE)
        self.table_view = self._table_view()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.summary)
        layout.addWidget(self.table_view, 1)
        theme_signals().changed.connect(self._theme_changed)
        self.refresh()

    def _table_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("tokenTable")
        view.setAccessibleName("Tokens")
        view.setModel(self.sorted)
        view.setSortingEnabled(True)
        view.sortByColumn(POSITION, Qt.SortOrder.AscendingOrder)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(_row_height())
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setStretchLastSection(True)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        view.selectionModel().selectionChanged.connect(self._selected)
        copy = QShortcut(QKeySequence.StandardKey.Copy, view)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_row)
        return view

    def request_of(self, document: Document) -> Tokenize | None:
        """Asked as soon as there is text."""
        return Tokenize.of(document) if document.text.strip() else None

    def empty_hint(self, _document: Document) -> str:
        """Say where tokens come from."""
        return "Type a sentence to see its tokens."

    def refresh(self) -> None:
        """Fill the table."""
        result = self.result
        tokens = result.tokens if result is not None else ()
        self.model.set_tokens(tokens, self.document)
        self.summary.setText(self._summary())
        if tokens:
            self.table_view.resizeColumnsToContents()
            for column in range(self.model.columnCount()):
                wide = min(self.table_view.columnWidth(column), WIDEST)
                self.table_view.setColumnWidth(column, wide)

    def _summary(self) -> str:
        if self.result is None:
            return ""
        tokens = self.result.tokens
        special = sum(token.special for token in tokens)
        unknown = sum(token.unknown for token in tokens)
        said = _count(len(tokens), "token")
        if special:
            said += f": {len(tokens) - special} of your text and {special} special"
        if unknown:
            said += f", {unknown} unknown"
        left_out = self.result.left_out
        if left_out is not None:
            said += (
                f". {_count(left_out.tokens, 'token')} more did not fit into the model,"
                f" which takes {left_out.limit:,}"
            )
        return said + "."

    def select(self, position: int | None) -> None:
        """Show the row of a token, without telling."""
        selection = self.table_view.selectionModel()
        selection.blockSignals(True)
        try:
            self.table_view.clearSelection()
            if position is not None and 0 <= position < len(self.model.pieces):
                index = self.sorted.mapFromSource(self.model.index(position, 0))
                self.table_view.selectRow(index.row())
                self.table_view.scrollTo(index)
        finally:
            selection.blockSignals(False)
        self.table_view.viewport().update()

    def _selected(self, chosen: QItemSelection, _gone: QItemSelection) -> None:
        indexes: list[QModelIndex] = chosen.indexes()
        if indexes:
            row = self.sorted.mapToSource(indexes[0]).row()
            self.select_requested.emit(self.model.pieces[row].position)

    def copy_row(self) -> None:
        """Copy the selected row, cells apart by tabs."""
        rows = self.table_view.selectionModel().selectedRows()
        if rows:
            cells = [
                str(self.sorted.index(rows[0].row(), column).data() or "")
                for column in range(self.sorted.columnCount())
            ]
            QGuiApplication.clipboard().setText("\t".join(cells))

    def _theme_changed(self, _theme: object) -> None:
        self.table_view.verticalHeader().setDefaultSectionSize(_row_height())
        self.table_view.viewport().update()

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The tokens in lines, each with its id below."""
        if self.result is None:
            return None
        pieces = of.of_tokens(self.result.tokens, self.document)
        ids = {index: str(piece.id) for index, piece in enumerate(pieces)}
        tail = of.tail_note(self.result.left_out, self.document)
        at = arrange(pieces, width + 2 * MARGIN, ids, tail)

        def paint(painter: QPainter) -> None:
            painter.save()
            painter.translate(-MARGIN, -MARGIN)
            paint_tokens(painter, theme, pieces, at, Look(notes=ids, tail=tail))
            painter.restore()

        return Figure(width, at.height - 2 * MARGIN, paint)


def _row_height() -> int:
    return round(text_height("body")) + 12


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


VIEW = TokenizeView
