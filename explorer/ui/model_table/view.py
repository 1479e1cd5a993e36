"""The table of models on screen: its keys, its columns, and rows for the clipboard."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QTableView, QWidget

from explorer.api.question import Table
from explorer.choosing.columns import ModelRow, chosen_columns, table_of
from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.controls.rows.keys import take_row_key
from explorer.ui.controls.rows.long_table import LongTable
from explorer.ui.export.files import put_on_clipboard
from explorer.ui.guarded import guarded
from explorer.ui.model_table.model import COLUMNS, NAMES, ROW, FilteredModels
from explorer.ui.theme.chrome import zoomed

USUAL = (
    *("model", "family", "where", "asked", "parameters", "memory", "fits", "seconds"),
    *("languages", "licence", "heads"),
)
"""Columns that are shown where nobody has chosen."""
WIDEST = 270
"""Pixels of a column, as long as nobody draws it wider."""


@guarded
class ModelTableView(LongTable):
    """Enter loads, Space ticks, Ctrl+C copies the rows that are chosen.

    Signals:
        taken: The id of a row, by Enter or a double click.
        ticked: Ids of the chosen rows, and whether they are to be ticked.
        left: Escape was pressed.
        columns_changed: Other columns are shown.

    Args:
        filtered: The rows.
        parent: Its parent.
    """

    taken = Signal(str)
    ticked = Signal(object, bool)
    left = Signal()
    columns_changed = Signal()

    def __init__(self, filtered: FilteredModels, parent: QWidget) -> None:
        super().__init__(filtered, "model_table", _("Models"), parent)
        self._of_question = True
        self._shown: tuple[str, ...] = USUAL
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self.columns_menu(self).popup(header.mapToGlobal(place))
        )
        self.setSortingEnabled(True)
        self.doubleClicked.connect(self._take)

    # ---- rows --------------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[ModelRow, ...]:
        """The selected rows, from above."""
        numbers = sorted(one.row() for one in self.selectionModel().selectedRows())
        return self._rows(numbers)

    @property
    def seen(self) -> tuple[ModelRow, ...]:
        """Those that the filter left, as they are sorted."""
        return self._rows(range(self.model().rowCount()))

    @property
    def current(self) -> ModelRow | None:
        """The row that the keyboard is in."""
        row = self.currentIndex().data(ROW)
        return row if isinstance(row, ModelRow) else None

    def choose(self, checkpoint: str) -> None:
        """Select a row, if it is there."""
        for number in range(self.model().rowCount()):
            index = self.model().index(number, 0)
            if index.data(ROW).id == checkpoint:
                self.selectRow(number)
                self.scrollTo(index)

    def table(self, rows: Sequence[ModelRow], *, whole: bool = False) -> Table:
        """Rows for files and the clipboard.

        Args:
            rows: Which.
            whole: With all columns, whichever are shown.
        """
        table = table_of(rows, asked=self._of_question)
        if whole:
            return table
        return chosen_columns(table, self.shown)

    # ---- columns -----------------------------------------------------------------------------

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the columns that are shown, from the left."""
        return tuple(name for number, name in enumerate(NAMES) if not self.isColumnHidden(number))

    def show_columns(self, names: Iterable[str], *, of_question: bool) -> None:
        """Show some columns.

        Args:
            names: Theirs; none for the usual ones.
            of_question: There is a question in front that models may be asked.
        """
        wanted = [one for one in names if one in NAMES]
        self._shown, self._of_question = tuple(wanted or USUAL), of_question
        hidden = () if of_question else ("asked", "why_not")
        for number, name in enumerate(NAMES):
            self.setColumnHidden(number, name not in self._shown or name in hidden)

    @property
    def wanted(self) -> tuple[str, ...]:
        """Names of the columns that were chosen, there or not; none where they are the usual."""
        return () if set(self._shown) == {*USUAL} else self._shown

    def columns_menu(self, parent: QWidget) -> QMenu:
        """A menu that shows and hides columns."""
        menu = QMenu(parent)
        menu.setObjectName("model_table_columns")
        for column in COLUMNS[1:]:
            entry = menu.addAction(column.heading)
            entry.setCheckable(True)
            entry.setChecked(column.name in self._shown)
            entry.setToolTip(plain_tip(_(column.tip)))
            entry.triggered.connect(lambda on, name=column.name: self._show_column(name, on))
        menu.addSeparator()
        menu.addAction(_("The usual columns"), lambda: self._choose_columns(USUAL))
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _show_column(self, name: str, on: bool) -> None:
        chosen = {*self._shown, name} if on else {*self._shown} - {name}
        self._choose_columns([one for one in NAMES if one in chosen])

    def _choose_columns(self, names: Iterable[str]) -> None:
        self.show_columns(names, of_question=self._of_question)
        self.fit_columns(zoomed(WIDEST), anew=False)
        self.columns_changed.emit()

    @property
    def widths(self) -> Mapping[str, int]:
        """How wide the user drew columns, by their names."""
        return {NAMES[number]: wide for (_all, number), wide in self.drawn_widths.widths.items()}

    def draw_widths(self, widths: Mapping[str, int]) -> None:
        """Draw columns as wide as they were."""
        count = len(NAMES)
        known = {NAMES.index(one): wide for one, wide in widths.items() if one in NAMES}
        self.drawn_widths.take_over({(count, number): wide for number, wide in known.items()})

    @property
    def sorted_by(self) -> str:
        """The column that rows are sorted by, with "-" before it where they fall; "" for none."""
        header = self.horizontalHeader()
        section = header.sortIndicatorSection()
        if not 0 <= section < len(NAMES):
            return ""
        falls = header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        return f"-{NAMES[section]}" if falls else NAMES[section]

    def sort_by(self, said: str) -> None:
        """Sort by what `sorted_by` gave."""
        name = said.removeprefix("-")
        order = Qt.SortOrder.DescendingOrder if said != name else Qt.SortOrder.AscendingOrder
        self.sortByColumn(NAMES.index(name) if name in NAMES else -1, order)

    # ---- keys --------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Space, Escape, and what copies."""
        if event.matches(QKeySequence.StandardKey.Copy):
            if self.chosen:
                put_on_clipboard(self.table(self.chosen))
        elif event.key() == Qt.Key.Key_Space:
            self._tick()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._take(self.currentIndex())
        elif not take_row_key(self, event):
            super().keyPressEvent(event)

    def _tick(self) -> None:
        """Tick what is chosen; take the ticks away where all of it is ticked."""
        rows = self.chosen
        if rows:
            checks = [
                one.data(Qt.ItemDataRole.CheckStateRole)
                for one in self.selectionModel().selectedRows(0)
            ]
            all_ticked = all(Qt.CheckState(one) == Qt.CheckState.Checked for one in checks)
            self.ticked.emit([one.id for one in rows], not all_ticked)

    def _take(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if isinstance(row, ModelRow):
            self.taken.emit(row.id)

    def _rows(self, numbers: Iterable[int]) -> tuple[ModelRow, ...]:
        return tuple(self.model().index(one, 0).data(ROW) for one in numbers)
