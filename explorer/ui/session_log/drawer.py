"""The session log: every question asked, to be found, brought back and copied."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Failure
from explorer.questions import all_questions
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.records import RunSummary
from explorer.text import _, said
from explorer.text.formatting import quantities
from explorer.text.formatting.dates import day_and_clock
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.rows.drawn_widths import DrawnWidths
from explorer.ui.controls.rows.keys import take_row_key
from explorer.ui.guarded import guarded
from explorer.ui.session_log.filters import LogFilters
from explorer.ui.session_log.queries import LogPage, LogQueries
from explorer.ui.session_log.table import (
    ANSWER,
    MODEL,
    QUESTION,
    STAR,
    TEXT,
    TIME,
    TOOK,
    Index,
    LogModel,
)
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import theme_signals

STAR_WIDTH, BESIDE = 34, 34
TIMES = (0.0, 0.999, 599.0)
"""Seconds, written in each of the ways that times are."""
MOMENT, NAME = datetime(2000, 9, 30, tzinfo=UTC), "bert-base-uncased-x"
"""What has to fit into a column; the text and the answer share what is left."""


@guarded
class _CutInTheMiddle(QStyledItemDelegate):
    """Cuts what is too long in its middle: texts that differ in their ends alone differ still."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """As always, but for where it is cut."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


@guarded
class _Table(QTableView):
    """A table in which Enter does what a double click does.

    Signals:
        taken: A row by a double click or Enter. Qt's own signal comes with a single click where the
            desktop is set so, and a click is only to choose.
    """

    taken = Signal(QModelIndex)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.doubleClicked.connect(self.taken)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter brings a run back, on every platform."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.taken.emit(self.currentIndex())
        elif not take_row_key(self, event):
            super().keyPressEvent(event)


@guarded
class LogDock(QWidget):
    """Filters and the table of runs.

    Signals:
        restore_wanted: A run's id: bring its document and its result back.
        export_wanted: A run's id, and "csv", "json" or what copies it as code.
        star_wanted: A run's id, and whether it gets a star.
        note_wanted: A RunSummary: write a note on it.
        left: Escape was pressed in it.
        compare_wanted: The ids of two runs of one question, the older first.
    """

    restore_wanted = Signal(str)
    export_wanted = Signal(str, str)
    star_wanted = Signal(str, bool)
    note_wanted = Signal(object)
    compare_wanted = Signal(str, str)
    left = Signal()

    def __init__(self, queries: LogQueries | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("session_log")
        self._queries = queries
        self._model = LogModel()
        self._model.setParent(self)
        self.filters = LogFilters(self)
        self.table = self._make_table()
        self.drawn_widths = DrawnWidths(self.table.horizontalHeader())
        self.bring_back = QPushButton(_("Restore run"), self)
        self.bring_back.setObjectName("log_bring_back")
        self.bring_back.setToolTip(
            _("Go back to the text, the masks and the answer of the chosen run (Enter)")
        )
        self.bring_back.setEnabled(False)
        self.filters.add(self.bring_back)
        self.note = plain_label(self)
        self.note.setObjectName("log_note")
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        # It stands in the table's place, and takes no more room than the table does.
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._fit_table()
        theme_signals().changed.connect(self._fit_table)
        self._lay_out()
        self._connect()

    @property
    def model(self) -> LogModel:
        """The rows."""
        return self._model

    def set_titles(self, titles: Mapping[str, str]) -> None:
        """Know what people read for models, by their ids."""
        self._model.set_titles(titles)
        self.filters.name_models(self._model.title_of_model)

    @property
    def chosen(self) -> tuple[RunSummary, ...]:
        """The selected runs, oldest first."""
        rows = sorted((i.row() for i in self.table.selectionModel().selectedRows()), reverse=True)
        return tuple(self._model.run_at(row) for row in rows)

    def refresh(self, _run_id: str = "") -> None:
        """Read the log again; what is selected stays."""
        if self._queries is not None:
            self._queries.list_runs(self.filters.wanted)

    def take_over(self, other: "LogDock") -> None:
        """Show what another one shows: its filters, its rows and columns, and what is chosen."""
        self.filters.take_over(other.filters)
        self._model.take_over(other.model)
        self.drawn_widths.take_over(other.drawn_widths.widths)
        selection, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        for row in other.table.selectionModel().selectedRows():
            selection.select(self._model.index(row.row(), 0), flags.Select | flags.Rows)
        now = other.table.currentIndex()
        selection.setCurrentIndex(self._model.index(now.row(), now.column()), flags.NoUpdate)
        self.refresh()

    def mark(self, run_id: str) -> None:
        """Select the row of the run that is shown, or none."""
        row = self._model.row_of(run_id) if run_id else -1
        if row < 0:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        elif row != self.table.currentIndex().row():
            self.table.selectRow(row)

    def _go_to_table(self) -> None:
        """On to the rows: to the chosen one, or to the newest."""
        if not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def _make_table(self) -> _Table:
        table = _Table(self)
        table.setObjectName("log_table")
        table.setAccessibleName(_("Session log"))
        table.setModel(self._model)
        table.setItemDelegateForColumn(TEXT, _CutInTheMiddle(table))
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        rows = table.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        for column in (TEXT, ANSWER):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        return table

    def _fit_table(self, _theme: object = None) -> None:
        """Rows and columns as large as their texts, which are zoomed."""
        table, rows, header = self.table, self.table.verticalHeader(), self.table.horizontalHeader()
        metrics = QFontMetrics(QApplication.font())
        rows.setDefaultSectionSize(metrics.height() + 10)
        least = header.sizeHint().height() + rows.defaultSectionSize()
        table.setMinimumHeight(least)
        self.note.setMinimumHeight(least)
        titles = [_(question.title) for question in all_questions().values()]
        times = (quantities.took(seconds) for seconds in TIMES)
        for column, texts in (
            (TIME, [day_and_clock(MOMENT)]),
            (MODEL, [NAME]),
            (TOOK, times),
            (QUESTION, titles),
        ):
            widest = max(map(metrics.horizontalAdvance, texts))
            table.setColumnWidth(column, widest + zoomed(BESIDE))
        table.setColumnWidth(STAR, zoomed(STAR_WIDTH))
        self.drawn_widths.restore()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.filters)
        layout.addWidget(self.note, 1)
        layout.addWidget(self.table, 1)
        self.note.setVisible(False)

    def _connect(self) -> None:
        self.filters.changed.connect(self.refresh)
        self.filters.search.down.connect(self._go_to_table)
        self.table.clicked.connect(self._clicked)
        self.table.taken.connect(self._restore)
        self.bring_back.clicked.connect(lambda: self._restore(self.table.currentIndex()))
        self.table.selectionModel().selectionChanged.connect(lambda *_both: self._show_chosen())
        self._model.modelReset.connect(self._show_chosen)
        self.table.customContextMenuRequested.connect(self._show_menu)
        self._model.more_wanted.connect(self._read_more)
        if self._queries is not None:
            self._queries.listed.connect(self._show_page)
            self._queries.failed.connect(self._show_failure)

    def _read_more(self, before: str) -> None:
        if self._queries is not None:
            self._queries.list_runs(self.filters.wanted, before)

    def _show_page(self, page: LogPage) -> None:
        if page.wanted != self.filters.wanted:
            return
        self._model.show_page(page)
        if page.before is None:
            self.filters.offer(page, self._model.title_of_model)
        empty = self._model.rowCount() == 0
        # One in the other's place; both at once, for a moment only, would make the dock grow.
        leaving, coming = (self.table, self.note) if empty else (self.note, self.table)
        leaving.hide()
        coming.show()
        if empty:
            filtered = page.wanted != RunFilter()
            self.note.setText(
                _("No run matches the filter.")
                if filtered
                else _("Nothing has been asked yet. Every question and its answer is kept here.")
            )

    def _show_failure(self, failure: Failure) -> None:
        self.note.setText(f"{failure.said} {failure.advice}".strip())
        self.note.setVisible(True)

    def _restore(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        if index.column() != STAR and len(self.chosen) < 2:
            # Two or more are chosen with Ctrl or Shift, to be compared or exported.
            self.restore_wanted.emit(self._model.run_at(index.row()).id)

    def _clicked(self, index: QModelIndex) -> None:
        """A click chooses a row, and puts a star on it or takes it away where that is."""
        if index.isValid() and index.column() == STAR:
            run = self._model.run_at(index.row())
            self.star_wanted.emit(run.id, not run.starred)

    def _show_chosen(self) -> None:
        self.bring_back.setEnabled(len(self.chosen) == 1)

    def _show_menu(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        if index.isValid():
            menu = self.menu_of(self._model.run_at(index.row()))
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.table.viewport().mapToGlobal(place))

    def menu_of(self, run: RunSummary) -> QMenu:
        """What can be done with a run."""
        menu = QMenu(self)
        menu.setObjectName("log_menu")
        menu.addAction(_("Restore run"), lambda: self.restore_wanted.emit(run.id))
        self._add_comparison(menu, run)
        menu.addSeparator()
        menu.addAction(
            _("Take the star away") if run.starred else _("Put a star on it"),
            lambda: self.star_wanted.emit(run.id, not run.starred),
        )
        menu.addAction(_("Write a note…"), lambda: self.note_wanted.emit(run))
        menu.addSeparator()
        menu.addAction(_("Copy text"), lambda: QApplication.clipboard().setText(run.text))
        menu.addAction(
            _("Copy answer"), lambda: QApplication.clipboard().setText(said(run.headline))
        )
        menu.addAction(_("Copy id"), lambda: QApplication.clipboard().setText(run.id))
        for kind, words in (
            ("copy_python", _("Copy as Python")),
            ("copy_command", _("Copy as command")),
            ("copy_transformers", _("Copy as Python with transformers alone")),
        ):
            menu.addAction(words, partial(self.export_wanted.emit, run.id, kind))
        menu.addSeparator()
        for kind in ("csv", "json"):
            entry = menu.addAction(
                _("Export as {upper}…", upper=kind.upper()),
                partial(self.export_wanted.emit, run.id, kind),
            )
            entry.setEnabled(not run.failed)
        return menu

    def _add_comparison(self, menu: QMenu, run: RunSummary) -> None:
        """Compare the two runs that are chosen, or this one with the one chosen before."""
        pair = self.chosen if len(self.chosen) == 2 else ()
        entry = menu.addAction(_("Compare the two chosen"))
        entry.setObjectName("compare_chosen")
        same = len(pair) == 2 and pair[0].operation == pair[1].operation
        whole = same and not any(one.failed for one in pair)
        entry.setEnabled(whole and run in pair)
        entry.setToolTip(_("Choose two answers to the same question, the second with Ctrl+click"))
        if whole:
            older, newer = (one.id for one in pair)
            entry.triggered.connect(lambda: self.compare_wanted.emit(older, newer))
        menu.setToolTipsVisible(True)
