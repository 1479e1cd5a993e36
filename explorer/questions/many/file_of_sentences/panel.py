"""The rows of a file as a widget: a filter, a table to sort, and how many rows there are."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.api.question import Failure
from explorer.document import Document
from explorer.files_of_sentences.rows import ResultsReader
from explorer.questions.many.file_of_sentences.columns import rows_of
from explorer.questions.many.file_of_sentences.options import FAILED, FALLS, HOLDS, SORT
from explorer.questions.many.file_of_sentences.ordering import FileSnapshot, Order, Ordering
from explorer.questions.many.file_of_sentences.question import question_asked
from explorer.questions.many.file_of_sentences.wording import about_rows
from explorer.text import _
from explorer.ui.blocks import (
    LongRows,
    LongRowsModel,
    LongTable,
    Move,
    guarded,
    quoted,
    set_options,
    state_label,
    take_texts,
)

LOOK_MS = 700
"""How often rows that were added meanwhile are looked for."""
WIDEST = 420


@dataclass(frozen=True)
class FileRows:
    """What the table shows.

    Attributes:
        reader: Reads the results.
        operation: Whose answers they are.
        count: Sentences in the file.
        done: Rows when the answer came.
        has_pairs: There are second sentences.
        is_growing: Rows come while it is shown.
        order: Which rows, and in which order.
        now: The document of now, which a click on a title changes.
        seen: The document that asked: a row's sentence takes the place of its text.
        answer: Which answer it is: with another one, an equal one too, the page forgets what was
            found in the file, so it is looked for again.
    """

    reader: ResultsReader
    operation: str
    count: int
    done: int
    has_pairs: bool
    is_growing: bool
    order: Order
    now: Document
    seen: Document
    answer: int


@guarded
class RowsPanel(QWidget):
    """Shows what a results file holds; sorting and filtering never hold up the window.

    Signals:
        chosen: Nothing is.
        acted: A row's sentence is to take the place of the window's, or other rows are wanted, or
            another order.
        looked_at: What was found in the file, a FileSnapshot; a Failure where it can't be read.
    """

    chosen = Signal(object)
    acted = Signal(object)
    looked_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: FileRows | None = None
        self._shown: FileSnapshot | None = None
        self.filter = QLineEdit(self)
        self.filter.setObjectName("fileFilter")
        self.filter.setPlaceholderText(_("Filter sentences"))
        self.filter.setAccessibleName(_("Filter sentences"))
        self.filter.setClearButtonEnabled(True)
        self.failed_only = QCheckBox(_("Failed only"), self)
        self.failed_only.setObjectName("fileFailedOnly")
        self.count = state_label("fileCount", "small", self)
        self.model = LongRowsModel()
        self.table_view = self._table_view()
        self.ordering = Ordering(self)
        self.ordering.done.connect(self._found)
        self.ordering.trouble.connect(self._not_found)
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._look_again)
        self.filter.textChanged.connect(lambda text: self.acted.emit(Move(HOLDS, text)))
        self.failed_only.toggled.connect(self._only_failed)
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
        view.horizontalHeader().sectionClicked.connect(self.sort)
        view.setToolTip(_("Double-click a sentence to look at it on the other pages."))
        view.activated.connect(lambda index: self.take(index.row()))
        return view

    # ---- what is shown ------------------------------------------------------------------------

    def show_content(self, rows: FileRows) -> None:
        """Show a results file, or how far the same one is now."""
        before, self._rows = self._rows, rows
        with QSignalBlocker(self.filter), QSignalBlocker(self.failed_only):
            if self.filter.text() != (holds := HOLDS.of(rows.now)):
                self.filter.setText(holds)
            self.failed_only.setChecked(rows.order.failed)
        if before is not None and replace(before, seen=rows.seen, now=rows.now) == rows:
            return
        if before is None or before.reader != rows.reader:
            self._show(None)
        if rows.is_growing:
            self._looking.start()
        else:
            self._looking.stop()
        self._look()

    def _look(self) -> None:
        rows = self._rows
        if rows is None:
            return
        # What all rows say together is not gathered again with every row that comes.
        question = question_asked(rows.operation)
        pool = None if question is None or rows.is_growing else question.pool
        self.ordering.look(rows.reader, rows.order, pool)

    def _look_again(self) -> None:
        """Rows come while the question is asked: look, and look again."""
        if self.isVisible() and self.ordering.is_idle:
            self._look()
        self._looking.start()

    def sort(self, section: int) -> None:
        """Sort by a column, or the other way."""
        if self._rows is None:
            return
        column, now = self.model.rows.columns[section], self._rows.order
        falls = column.name == now.column and not now.descending
        values = {SORT.key: SORT.written(column.name), FALLS.key: FALLS.written(falls)}
        name = _("sort by {column}", column=column.title.lower())
        self.acted.emit(set_options(self._rows.now, values, name))

    def _only_failed(self, on: bool) -> None:
        if self._rows is not None:
            values, name = {FAILED.key: FAILED.written(on)}, self.failed_only.text().lower()
            self.acted.emit(set_options(self._rows.now, values, name))

    def _found(self, found: FileSnapshot) -> None:
        rows = self._rows
        if rows is None or found.reader != rows.reader:
            return
        self._show(found)
        for one in (self.filter, self.count, self.table_view):
            one.setVisible(found.done > 0)
        self.count.setText(about_rows(len(found.positions), found.done, found.failed))
        self.failed_only.setVisible(found.failed > 0 or self.failed_only.isChecked())
        if found.done >= rows.count:
            self._looking.stop()
        self.looked_at.emit(found)

    def _show(self, found: FileSnapshot | None) -> None:
        """Show what was found; rows that were only added keep the place in the table."""
        before, self._shown = self._shown, found
        old, new = self.names, self._rows_of(found)
        if (
            found is not None
            and before is not None
            and found.goes_on(before)
            and old == tuple(one.name for one in new.columns)
        ):
            self.model.grow(new)
        else:
            self.model.show_rows(new)
        if found is None:
            return
        if before is None or old != self.names:
            self.table_view.fit_columns(WIDEST)
        order, names = found.order, self.names
        is_told = not order.is_plain and order.column in names
        self.table_view.show_sorted(
            names.index(order.column) if is_told else None, falls=order.descending
        )

    def _rows_of(self, found: FileSnapshot | None) -> LongRows[Any]:
        rows = self._rows
        if rows is None:
            return LongRows()
        question = question_asked(rows.operation)
        hidden = question.pool.columns if question is not None and question.pool else ()
        return rows_of(found, rows.operation, has_pairs=rows.has_pairs, hidden=hidden)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that are shown."""
        return tuple(one.name for one in self.model.rows.columns)

    def look(self) -> Any:
        """How wide the user drew columns; None where none was."""
        return self.table_view.drawn_widths.widths or None

    def take_look(self, look: Any) -> None:
        """Draw them as wide."""
        self.table_view.drawn_widths.take_over(look)

    def _not_found(self, failure: Failure) -> None:
        """The results can't be read: the page says so."""
        self._looking.stop()
        self._show(None)
        self.looked_at.emit(failure)

    def take(self, row: int) -> None:
        """Put a row's sentence, and its second one, into the place of the window's."""
        text, pair = self.sentence(row)
        if text and self._rows is not None:
            name = _("take {text} from a file", text=quoted(text))
            self.acted.emit(take_texts(self._rows.seen, text, pair, name))

    def sentence(self, row: int) -> tuple[str, str | None]:
        """A row's text and second text."""
        cells = self.model.row(row)
        if not cells:
            return "", None
        return str(cells[1]), None if cells[2] is None else str(cells[2])
