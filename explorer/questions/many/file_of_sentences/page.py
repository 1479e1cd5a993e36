"""One question about every sentence of a file: a table that grows while it is asked."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Failure, ModelCard, Table
from explorer.document import Document
from explorer.questions import all_operations
from explorer.questions.many.file_of_sentences.question import (
    OPERATION,
    QUESTION,
    OverFile,
    OverFileResult,
    asked_of,
    offered_by,
)
from explorer.questions.many.file_of_sentences.rows import ResultsReader
from explorer.ui.blocks.figure import Figure
from explorer.ui.document.gestures import quoted, set_options, take_texts
from explorer.ui.guarded import guarded
from explorer.ui.sentence.token_layout import text_height
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import Theme, theme_signals
from explorer.ui.views.file_rows.controls import box_of_choices
from explorer.ui.views.file_rows.dropping import DropTarget
from explorer.ui.views.file_rows.figure import results_figure
from explorer.ui.views.file_rows.ordering import Found, Order, Ordering
from explorer.ui.views.file_rows.table import RowsTable
from explorer.ui.views.file_rows.wording import (
    EMPTY,
    about_file,
    about_rows,
    caption_of,
    means_said,
)
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View

LOOK_MS = 700
"""How often rows that were added meanwhile are looked for."""
TYPING_MS = 200
WIDEST = 420
SAMPLE = 40
"""Rows that decide how wide a column is."""
FILES = "Sentences (*.txt *.csv *.tsv)"


@guarded
class OverFileView(View):
    """What is asked, how far it is, and a table to sort and filter."""

    of: ClassVar = OPERATION
    order = 80
    group = "Many"
    glyph = "file-table-outline"
    is_live = True

    filled = Signal()
    """The table shows what was asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._go = False
        self._asked: OverFile | None = None
        self._stamp: Any = None
        self._offered: tuple[str, ...] = ()
        self._cards: Mapping[str, ModelCard] = {}
        self._active = ""
        self.drops = DropTarget(self)
        self.drops.dropped.connect(self.take_file)
        self.open_button = QPushButton(icon("folder-open-outline"), "Open…", self)
        self.open_button.setObjectName("openSentences")
        self.open_button.setToolTip("Open a file with a sentence on every line")
        self.open_button.clicked.connect(self.open_file)
        self.question_choice = box_of_choices(
            "fileQuestion", "What is asked of every sentence", self
        )
        asked = self.question_choice
        asked.activated.connect(lambda row: self.option_changed.emit(QUESTION, asked.itemData(row)))
        self.column = box_of_choices("fileColumn", "Which column of the file is read", self)
        self.column.activated.connect(
            lambda row: self.option_changed.emit(
                "file_of_sentences.column", self.column.itemText(row)
            )
        )
        self.about = label("fileAbout", "body", self)
        self.go = QPushButton("Run", self)
        self.go.setObjectName("fileRun")
        self.go.setDefault(True)
        self.go.clicked.connect(self.start)
        self.filter = QLineEdit(self)
        self.filter.setObjectName("fileFilter")
        self.filter.setPlaceholderText("Filter sentences")
        self.filter.setAccessibleName("Filter sentences")
        self.filter.setClearButtonEnabled(True)
        self.failed_only = QCheckBox("Failed only", self)
        self.failed_only.setObjectName("fileFailedOnly")
        self.count = label("fileCount", "small", self)
        self.means = label("fileMeans", "small", self)
        self.means.setWordWrap(False)
        self.means.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.model = RowsTable()
        self.table_view = self._table_view()
        self._order = Order()
        self.ordering = Ordering(self)
        self.ordering.found.connect(self._found)
        self.ordering.trouble.connect(self._not_found)
        self._typing = _timer(TYPING_MS, self._look, self)
        self._looking = _timer(LOOK_MS, self._look_again, self)
        self.filter.textChanged.connect(lambda _text: self._typing.start())
        self.failed_only.toggled.connect(lambda _on: self._look())
        self.model.sort_wanted.connect(self._sort)
        self._lay_out()
        theme_signals().changed.connect(self._theme_changed)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.about, 1)
        top.addWidget(self.go, 0, Qt.AlignmentFlag.AlignTop)
        tools = QHBoxLayout()
        tools.setSpacing(10)
        tools.addWidget(self.filter, 2)
        tools.addWidget(self.failed_only)
        tools.addWidget(self.count, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 14, 10)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addLayout(tools)
        layout.addWidget(self.table_view, 1)
        layout.addWidget(self.means)

    def _table_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("fileRows")
        view.setAccessibleName("A row a sentence")
        view.setModel(self.model)
        view.setSortingEnabled(True)
        view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setResizeContentsPrecision(SAMPLE)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(_row_height())
        view.setToolTip("Double-click a sentence to look at it in the other views.")
        view.activated.connect(lambda index: self.take(index.row()))
        return view

    # ---- what is asked ------------------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Offer the questions that the loaded models answer."""
        card = cards.get(active)
        stamp = card.stamp if card is not None else None
        if stamp != self._stamp:
            self._stamp, self._go = stamp, False
        self._cards, self._active = cards, active
        offered = offered_by(cards, active, Document())
        if offered != self._offered:
            self._offered = offered
            with QSignalBlocker(self.question_choice):
                self.question_choice.clear()
                for name in offered:
                    self.question_choice.addItem(all_operations()[name].title, name)
                    row = self.question_choice.count() - 1
                    said = all_operations()[name].question
                    self.question_choice.setItemData(row, said, Qt.ItemDataRole.ToolTipRole)

    def operation_of(self, document: Document) -> str:
        """Which question a document asks of every sentence."""
        return asked_of(self._cards, self._active, document)

    def request_of(self, document: Document) -> OverFile | None:
        """Only look how far a file is, until Run was pressed for this very question."""
        path = str(document.option("file_of_sentences.path", "") or "")
        operation = all_operations().get(self.operation_of(document))
        if not path or operation is None or operation.summary is None:
            return None
        column = str(document.option("file_of_sentences.column", "") or "")
        asked = OverFile.about(operation, document, path, column)
        if asked != self._asked:
            self._asked, self._go = asked, False
        return dataclasses.replace(asked, start=self._go)

    def on_demand(self, _document: Document) -> bool:
        """Looking is quick; asking about every sentence waits for the button."""
        return self._go

    def stopped(self) -> bool:
        """What is done is kept, and shown."""
        self._go = False
        return True

    def empty_hint(self, _document: Document) -> str:
        """Say what to open."""
        return EMPTY

    def set_document(self, document: Document) -> None:
        """Show the question that is asked."""
        with QSignalBlocker(self.question_choice):
            row = self.question_choice.findData(self.operation_of(document))
            self.question_choice.setCurrentIndex(row)

    def tools(self) -> list[QWidget]:
        """The file, the question, the column; the frame takes them over."""
        self.open_button.show()
        self.question_choice.show()
        return [self.open_button, self.question_choice, self.column]

    def start(self) -> None:
        """Ask about every sentence that has no row yet."""
        self._go = True
        self._looking.start()
        self.go.hide()
        self.run_requested.emit()

    # ---- files --------------------------------------------------------------------------------

    def open_file(self) -> None:
        """Ask for a file."""
        dialog = QFileDialog(self, "Open sentences")
        dialog.setObjectName("file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([FILES, "All files (*)"])
        dialog.fileSelected.connect(lambda path: self.take_file(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take_file(self, path: Path) -> None:
        """Ask about the sentences of a file."""
        values = {"file_of_sentences.column": None, "file_of_sentences.path": str(path)}
        name = f"open {quoted(path.name)}"
        self.edit_requested.emit(set_options(self.document or Document(), values, name))

    def event(self, event: QEvent) -> bool:
        """Know the frame, on which files are dropped."""
        if event.type() == QEvent.Type.ParentChange:
            parent = self.parentWidget()
            self.drops.watch(parent.parentWidget() if parent is not None else None)
        return super().event(event)

    # ---- what is shown ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how far it is, and the rows there are."""
        result: OverFileResult | None = self.result
        self._looking.stop()
        if result is None:
            self.ordering.forget()
            self.model.show_found(None)
            self.column.hide()
            return
        names = result.file_columns
        with QSignalBlocker(self.column):
            self.column.clear()
            self.column.addItems(list(names))
            self.column.setCurrentIndex(self.column.findText(result.column))
        self.column.setVisible(len(names) > 1)
        self._show_progress(result.done)
        if self.model.path != Path(result.results):
            self._order = Order()
            self.model.show_found(None)
            self.table_view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._look()

    def _show_progress(self, done: int) -> None:
        result: OverFileResult = self.result
        self.about.setText(about_file(result, done, running=self._go))
        self.go.setText("Run" if not done else "Go on")
        self.go.setVisible(done < result.count and not self._go)

    def _look(self) -> None:
        if self.result is None:
            return
        self._order = dataclasses.replace(
            self._order, holds=self.filter.text().strip(), failed=self.failed_only.isChecked()
        )
        self.ordering.ask(Path(self.result.results), self._order)

    def _look_again(self) -> None:
        """Rows come while the question is asked: look, and look again."""
        if self.result is not None and self.isVisible():
            self._look()
        self._looking.start()

    def _sort(self, column: str, descending: bool) -> None:
        self._order = dataclasses.replace(self._order, column=column, descending=descending)
        self._look()

    def _found(self, found: Found) -> None:
        result: OverFileResult | None = self.result
        if result is None or found.path != Path(result.results):
            return
        is_new = self.model.names == () or self.model.path != found.path
        columns = self.model.names
        self.model.show_found(found, has_pairs=bool(result.pair_column))
        if is_new or columns != self.model.names:
            self._size_columns()
            worst = all_operations()[result.operation].worst
            if worst in self.model.names and self._order.is_plain:
                place = self.model.names.index(worst)
                self.table_view.sortByColumn(place, Qt.SortOrder.DescendingOrder)
        self._show_progress(found.done)
        self.count.setText(about_rows(len(found.positions), found.done, found.failed))
        self.failed_only.setVisible(found.failed > 0 or self.failed_only.isChecked())
        said = means_said(found.spreads)
        self.means.setText("   ·   ".join(said))
        self.means.setToolTip("\n".join(said))
        self.means.setVisible(bool(found.spreads))
        if found.done >= result.count:
            self._looking.stop()
        self.filled.emit()

    def _not_found(self, failure: Failure) -> None:
        """The results can't be read: say so in the place of how far they are."""
        self._looking.stop()
        self.model.show_found(None)
        self.about.setText(f"{failure.said} {failure.advice}".strip())

    def _size_columns(self) -> None:
        self.table_view.resizeColumnsToContents()
        for place in range(self.model.columnCount()):
            wide = min(self.table_view.columnWidth(place) + 8, WIDEST)
            self.table_view.setColumnWidth(place, wide)

    def take(self, row: int) -> None:
        """Put a row's sentence, and its second one, into the place of the window's."""
        text, pair = self.model.sentence(row)
        if text and self.document is not None:
            name = f"take {quoted(text)} from a file"
            self.edit_requested.emit(take_texts(self.document, text, pair, name))

    def table(self) -> Table | None:
        """Every row, in the order that is shown."""
        if self.result is None:
            return None
        reader = ResultsReader(Path(self.result.results))
        order = self._order
        positions = reader.order(
            order.column, descending=order.descending, holds=order.holds, failed=order.failed
        )
        return Table(reader.columns, tuple(reader.rows(positions)))

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """What was asked, the numbers of each column, and the first rows as they are shown."""
        if self.result is None:
            return None
        reader = ResultsReader(Path(self.result.results))
        done, _ = reader.counts()
        return results_figure(self.result, done, reader.spreads(), self.model, width, theme)

    def caption(self) -> str:
        """What was asked of which file; the window's sentence has no part in it."""
        if self.result is None:
            return ""
        done, _ = ResultsReader(Path(self.result.results)).counts()
        return caption_of(self.result, done, super().caption())

    def _theme_changed(self, _theme: object) -> None:
        self.table_view.verticalHeader().setDefaultSectionSize(_row_height())
        self.table_view.viewport().update()


def _timer(milliseconds: int, work: Any, parent: QObject) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(work)
    return timer


def _row_height() -> int:
    return round(text_height("body")) + 10


VIEW = OverFileView
