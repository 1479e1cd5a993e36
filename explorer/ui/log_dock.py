"""The session log: every question asked, to be found, brought back and copied."""

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Failure
from explorer.operations import all_operations
from explorer.sessions.listing import Wanted
from explorer.sessions.records import RunSummary
from explorer.ui.icons import icon
from explorer.ui.log_model import ANSWER, MODEL, QUESTION, TEXT, TIME, TOOK, LogModel, title_of
from explorer.ui.log_queries import LogPage, LogQueries

TYPING_PAUSE_MS = 150
WIDEST = {TIME: "30 Sep 00:00", MODEL: "bert-base-uncased-x", TOOK: "999 ms"}
"""What has to fit into a column; the text and the answer share what is left."""


class _Table(QTableView):
    """A table in which Enter does what a click does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter brings a run back, on every platform."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


class LogDock(QWidget):
    """Filters and the table of runs.

    Signals:
        restore_wanted: A run's id: bring its document and its result back.
        export_wanted: A run's id and "csv" or "json".
    """

    restore_wanted = Signal(str)
    export_wanted = Signal(str, str)

    def __init__(self, queries: LogQueries | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("session_log")
        self._queries = queries
        self._model = LogModel()
        self._model.setParent(self)
        self.search = QLineEdit(self)
        self.operation = self._filter_box("log_operation", "All questions", "Question")
        self.model_box = self._filter_box("log_model", "All models", "Model")
        self.table = self._make_table()
        self._note = QLabel("", self)
        self._note.setObjectName("log_note")
        self._note.setWordWrap(True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.refresh)
        self._lay_out()
        self._connect()

    @property
    def model(self) -> LogModel:
        """The rows."""
        return self._model

    def refresh(self, _run_id: str = "") -> None:
        """Read the log again; what is selected stays."""
        if self._queries is not None:
            self._pause.stop()
            self._queries.list_runs(self._wanted())

    def mark(self, run_id: str) -> None:
        """Select the row of the run that is shown, or none."""
        row = self._model.row_of(run_id) if run_id else -1
        if row < 0:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        elif row != self.table.currentIndex().row():
            self.table.selectRow(row)

    def _wanted(self) -> Wanted:
        return Wanted(
            self.search.text().strip(),
            self.operation.currentData(),
            self.model_box.currentData(),
        )

    def _filter_box(self, name: str, everything: str, spoken: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(f"{spoken} filter")
        box.addItem(everything, None)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return box

    def _make_table(self) -> _Table:
        table = _Table(self)
        table.setObjectName("log_table")
        table.setAccessibleName("Session log")
        table.setModel(self._model)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
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
        rows.setDefaultSectionSize(table.fontMetrics().height() + 10)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        titles = [operation.title for operation in all_operations().values()]
        widest = {**WIDEST, QUESTION: max(titles, key=len)}
        metrics = QFontMetrics(table.font())
        for column, text in widest.items():
            table.setColumnWidth(column, metrics.horizontalAdvance(text) + 34)
        for column in (TEXT, ANSWER):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        return table

    def _lay_out(self) -> None:
        self.search.setObjectName("log_search")
        self.search.setAccessibleName("Search the session log")
        self.search.setPlaceholderText("Search texts and answers")
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("magnify"), QLineEdit.ActionPosition.LeadingPosition)
        filters = QHBoxLayout()
        filters.setContentsMargins(8, 8, 8, 0)
        filters.addWidget(self.search, 1)
        filters.addWidget(self.operation)
        filters.addWidget(self.model_box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(filters)
        layout.addWidget(self._note)
        layout.addWidget(self.table, 1)
        self._note.setVisible(False)

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.search.returnPressed.connect(self.refresh)
        self.operation.activated.connect(lambda _: self.refresh())
        self.model_box.activated.connect(lambda _: self.refresh())
        self.table.clicked.connect(self._restore)
        self.table.activated.connect(self._restore)
        self.table.customContextMenuRequested.connect(self._show_menu)
        self._model.more_wanted.connect(self._read_more)
        if self._queries is not None:
            self._queries.listed.connect(self._show_page)
            self._queries.failed.connect(self._show_failure)

    def _read_more(self, before: str) -> None:
        if self._queries is not None:
            self._queries.list_runs(self._wanted(), before)

    def _show_page(self, page: LogPage) -> None:
        if page.wanted != self._wanted():
            return
        self._model.show_page(page)
        if page.before is None:
            operations = [(title_of(name), name) for name in page.operations]
            _offer(self.operation, operations)
            _offer(self.model_box, [(name.rpartition("/")[2], name) for name in page.model_ids])
        empty = self._model.rowCount() == 0
        self._note.setVisible(empty)
        if empty:
            filtered = page.wanted != Wanted()
            self._note.setText(
                "No run matches the filter."
                if filtered
                else "Nothing has been asked yet. Every question and its answer is kept here."
            )

    def _show_failure(self, failure: Failure) -> None:
        self._note.setText(f"{failure.message} {failure.hint}".strip())
        self._note.setVisible(True)

    def _restore(self, index: QModelIndex) -> None:
        if index.isValid():
            self.restore_wanted.emit(self._model.run_at(index.row()).id)

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
        menu.addAction("Bring back", lambda: self.restore_wanted.emit(run.id))
        menu.addSeparator()
        menu.addAction("Copy text", lambda: QApplication.clipboard().setText(run.text))
        menu.addAction("Copy answer", lambda: QApplication.clipboard().setText(run.headline))
        menu.addAction("Copy id", lambda: QApplication.clipboard().setText(run.id))
        menu.addSeparator()
        for kind in ("csv", "json"):
            entry = menu.addAction(
                f"Export as {kind.upper()}…",
                partial(self.export_wanted.emit, run.id, kind),
            )
            entry.setEnabled(not run.failed)
        return menu


def _offer(box: QComboBox, entries: list[tuple[str, str]]) -> None:
    """Fill a filter's list, keeping what is chosen."""
    chosen = box.currentData()
    if chosen is not None and chosen not in [name for _, name in entries]:
        entries = [*entries, (chosen, chosen)]
    if [box.itemData(i) for i in range(1, box.count())] == [name for _, name in entries]:
        return
    box.blockSignals(True)
    while box.count() > 1:
        box.removeItem(1)
    for title, name in entries:
        box.addItem(title, name)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
    box.blockSignals(False)
