"""The rows of a file as a widget: a filter, a table to sort, and how many rows there are."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.api.question import Failure
from explorer.document import Document
from explorer.questions.many.file_of_sentences.question import operation_asked
from explorer.questions.many.file_of_sentences.table.model import RowsTable
from explorer.questions.many.file_of_sentences.table.ordering import Found, Order, Ordering
from explorer.questions.many.file_of_sentences.wording import about_rows
from explorer.text import _
from explorer.ui.blocks import LongTable, guarded, quoted, state_label, take_texts

LOOK_MS = 700
"""How often rows that were added meanwhile are looked for."""
TYPING_MS = 200
WIDEST = 420


@dataclass(frozen=True)
class FileRows:
    """What the table shows.

    Attributes:
        path: Of the results.
        operation: Whose answers they are.
        count: Sentences in the file.
        done: Rows when the answer came.
        has_pairs: There are second sentences.
        is_growing: Rows come while it is shown.
        seen: The document that asked: a row's sentence takes the place of its text.
        answer: Which answer it is: with another one, an equal one too, the page forgets what was
            found in the file, so it is looked for again.
    """

    path: Path
    operation: str
    count: int
    done: int
    has_pairs: bool
    is_growing: bool
    seen: Document
    answer: int


@guarded
class RowsPanel(QWidget):
    """Shows what a results file holds; sorting and filtering never hold up the window.

    Signals:
        chosen: Nothing is.
        acted: A row's sentence is to take the place of the window's, an Edit.
        looked_at: What was found in the file, a Found; a Failure where it can't be read.
    """

    chosen = Signal(object)
    acted = Signal(object)
    looked_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: FileRows | None = None
        self._order = Order()
        self._taken: tuple[str, bool] | None = None
        self.filter = QLineEdit(self)
        self.filter.setObjectName("fileFilter")
        self.filter.setPlaceholderText(_("Filter sentences"))
        self.filter.setAccessibleName(_("Filter sentences"))
        self.filter.setClearButtonEnabled(True)
        self.failed_only = QCheckBox(_("Failed only"), self)
        self.failed_only.setObjectName("fileFailedOnly")
        self.count = state_label("fileCount", "small", self)
        self.model = RowsTable()
        self.table_view = self._table_view()
        self.ordering = Ordering(self)
        self.ordering.done.connect(self._found)
        self.ordering.trouble.connect(self._not_found)
        self._typing = _timer(TYPING_MS, self._look, self)
        self._looking = _timer(LOOK_MS, self._look_again, self)
        self.filter.textChanged.connect(lambda _text: self._typing.start())
        self.failed_only.toggled.connect(lambda _on: self._look())
        self.model.sort_wanted.connect(self._sort)
        tools = QHBoxLayout()
        tools.setSpacing(10)
        tools.addWidget(self.filter, 2)
        tools.addWidget(self.failed_only)
        tools.addWidget(self.count, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(tools)
        layout.addWidget(self.table_view, 1)

    def _table_view(self) -> LongTable:
        view = LongTable(self.model, "fileRows", _("A row a sentence"), self)
        view.setSortingEnabled(True)
        view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.setToolTip(_("Double-click a sentence to look at it in the other views."))
        view.activated.connect(lambda index: self.take(index.row()))
        return view

    # ---- what is shown ------------------------------------------------------------------------

    def show_content(self, rows: FileRows) -> None:
        """Show a results file, or how far the same one is now."""
        before, self._rows = self._rows, rows
        if before is not None and dataclasses.replace(before, seen=rows.seen) == rows:
            return
        if before is None or before.path != rows.path:
            self._order = Order()
            self.model.show_found(None)
            self.table_view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        if rows.is_growing:
            self._looking.start()
        else:
            self._looking.stop()
        self._look()

    def _look(self) -> None:
        rows = self._rows
        if rows is None:
            return
        self._order = dataclasses.replace(
            self._order, holds=self.filter.text().strip(), failed=self.failed_only.isChecked()
        )
        # What all rows say together is not gathered again with every row that comes.
        operation = operation_asked(rows.operation)
        pool = None if operation is None or rows.is_growing else operation.pool
        self.ordering.look(rows.path, self._order, pool, rows.count)

    def _look_again(self) -> None:
        """Rows come while the question is asked: look, and look again."""
        if self.isVisible() and self.ordering.is_idle:
            self._look()
        self._looking.start()

    def _sort(self, column: str, descending: bool) -> None:
        self._order = dataclasses.replace(self._order, column=column, descending=descending)
        self._look()

    def _found(self, found: Found) -> None:
        rows = self._rows
        if rows is None or found.path != rows.path:
            return
        is_new = self.model.names == () or self.model.path != found.path
        columns = self.model.names
        operation = operation_asked(rows.operation)
        pool = None if operation is None else operation.pool
        hidden = () if pool is None else pool.columns
        asked = rows.operation
        self.model.show_found(found, question=asked, has_pairs=rows.has_pairs, hidden=hidden)
        if is_new or columns != self.model.names:
            self.table_view.fit_columns(WIDEST)
            self._sort_at_first("" if operation is None else operation.worst)
        for one in (self.filter, self.count, self.table_view):
            one.setVisible(found.done > 0)
        self.count.setText(about_rows(len(found.positions), found.done, found.failed))
        self.failed_only.setVisible(found.failed > 0 or self.failed_only.isChecked())
        if found.done >= rows.count:
            self._looking.stop()
        self.looked_at.emit(found)

    def _sort_at_first(self, worst: str) -> None:
        """As another table was sorted; else the greatest of a column first, if there is one."""
        taken, self._taken = self._taken, None
        if taken is None and not self._order.is_plain:
            return
        column, falls = taken or (worst, True)
        if column in self.model.names:
            order = Qt.SortOrder.DescendingOrder if falls else Qt.SortOrder.AscendingOrder
            self.table_view.sortByColumn(self.model.names.index(column), order)

    def look(self) -> Any:
        """The file, what is sorted and filtered by, and how wide the user drew columns."""
        if self._rows is None:
            return None
        order = self._taken or (self._order.column, self._order.descending)
        tools = self.filter.text(), self.failed_only.isChecked()
        return self._rows.path, order, tools, self.table_view.drawn_widths.widths

    def take_look(self, look: Any) -> None:
        """Sort, filter and draw the same file so."""
        path, order, (holds, failed), widths = look
        if self._rows is None or self._rows.path != path:
            return
        self._taken = order
        self.filter.setText(holds)
        self.failed_only.setChecked(failed)
        self.table_view.drawn_widths.take_over(widths)

    def _not_found(self, failure: Failure) -> None:
        """The results can't be read: the page says so."""
        self._looking.stop()
        self.model.show_found(None)
        self.looked_at.emit(failure)

    def take(self, row: int) -> None:
        """Put a row's sentence, and its second one, into the place of the window's."""
        text, pair = self.model.sentence(row)
        if text and self._rows is not None:
            name = _("take {text} from a file", text=quoted(text))
            self.acted.emit(take_texts(self._rows.seen, text, pair, name))


def _timer(milliseconds: int, work: Any, parent: QObject) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(work)
    return timer
