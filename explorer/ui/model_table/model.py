"""The rows of the table of models for Qt: cells, ticks, what is loaded, what sorts them."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from explorer.api.question.rows.rows import columns_of
from explorer.choosing.columns import ModelRow, sort_key
from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Theme

Index = QModelIndex | QPersistentModelIndex
COLUMNS = columns_of(ModelRow)
NAMES = tuple(one.name for one in COLUMNS)
ROW = int(Qt.ItemDataRole.UserRole) + 1
SORTED = ROW + 1
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
TICK = int(Qt.ItemDataRole.CheckStateRole)


@guarded
class ModelTableRows(QAbstractTableModel):
    """A row a model; a tick stands before its name.

    Signals:
        ticks_changed: Another row is ticked, or one no more.
    """

    ticks_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ModelRow, ...] = ()
        self._slots: Mapping[str, str] = {}
        self._ticked: dict[str, None] = {}

    @property
    def ticked(self) -> tuple[str, ...]:
        """Ids of the rows that are ticked, in the order in which they were."""
        known = {one.id for one in self.rows}
        return tuple(one for one in self._ticked if one in known)

    def show_rows(self, rows: Sequence[ModelRow], slots: Mapping[str, str]) -> None:
        """Show other rows, or the same with other cells; ticks stay.

        Args:
            rows: In the library's order.
            slots: Of the models that are loaded, by their ids: "A", "B", "A B".
        """
        same = [one.id for one in rows] == [one.id for one in self.rows]
        if same:
            self.rows, self._slots = tuple(rows), slots
            if self.rows:
                self.dataChanged.emit(
                    self.index(0, 0), self.index(len(self.rows) - 1, len(COLUMNS) - 1)
                )
            return
        self.beginResetModel()
        self.rows, self._slots = tuple(rows), slots
        self.endResetModel()

    def tick(self, ids: Sequence[str], ticked: bool) -> None:
        """Tick rows, or take the ticks away."""
        for one in ids:
            if ticked:
                self._ticked[one] = None
            else:
                self._ticked.pop(one, None)
        if self.rows:
            last = self.index(len(self.rows) - 1, 0)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.CheckStateRole])
        self.ticks_changed.emit()

    def rowCount(self, parent: Index | None = None) -> int:
        """One a model."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """All that there are: the view hides some."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, and what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.heading
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{column.heading}: {_(column.tip)}" if column.tip else column.heading)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The name has the tick."""
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else usual

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """A click on the tick."""
        if role != TICK or not index.isValid():
            return False
        self.tick([self.rows[index.row()].id], Qt.CheckState(value) == CHECKED)
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, how they look, and what they are sorted by."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        cell = getattr(row, column.name)
        slot = self._slots.get(row.id, "")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            said = column.said(cell)
            if column.name == "seconds" and row.is_rough:
                return f"≈ {said}"
            return f"{said} · {slot}" if index.column() == 0 and slot else said
        if role == ROW:
            return row
        if role == SORTED:
            return sort_key(column, cell)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        if index.column() == 0:
            return self._of_name(row, slot, role)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._about(row, column.name))
        return None

    def _of_name(self, row: ModelRow, slot: str, role: int) -> Any:
        if role == TICK:
            return CHECKED if row.id in self._ticked else UNCHECKED
        if role == Qt.ItemDataRole.FontRole and slot:
            return Theme.font("strong")
        if role == Qt.ItemDataRole.ToolTipRole:
            loaded = _("loaded as {text}", text=slot) if slot else ""
            return plain_tip("\n".join(filter(None, (row.id, _said(row, "note"), loaded))))
        return None

    def _about(self, row: ModelRow, name: str) -> str:
        """What a cell leaves out: how a time was measured, where a figure is from."""
        with_it = {
            "seconds": ("measured_as", "measured_on", "measured_tokens"),
            "asked": ("why_not",),
            "flops": ("flops_source",),
            **dict.fromkeys(("mnli", "sst2", "squad2"), ("scores_source",)),
        }
        lines = [_said(row, name)]
        lines += [
            f"{COLUMNS[NAMES.index(other)].heading}: {words}"
            for other in with_it.get(name, ())
            if (words := _said(row, other))
        ]
        return "\n".join(filter(None, lines))


@guarded
class FilteredModels(QSortFilterProxyModel):
    """Keeps the rows that fit, and sorts them; what is empty stands last, whichever way."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._only: dict[str, str] = {}
        self._head = ""
        self._askable = False
        self._ticked: frozenset[str] | None = None

    def keep(
        self,
        words: str,
        only: Mapping[str, str],
        *,
        head: str,
        askable: bool,
        ticked: Sequence[str] | None,
    ) -> None:
        """Keep some rows.

        Args:
            words: That occur in a row, in any order and in any of its columns.
            only: By the name of a column what has to stand in it; "" for whatever stands there.
            head: The title of a head that a row has to have; "" for any.
            askable: Those alone that can be asked the question in front.
            ticked: Ids of those that are ticked, where they alone are kept.
        """
        self._words = tuple(words.casefold().split())
        self._only = {name: value for name, value in only.items() if value}
        self._head = head
        self._askable = askable
        self._ticked = None if ticked is None else frozenset(ticked)
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Whether a row fits."""
        row = self.sourceModel().index(source_row, 0, source_parent).data(ROW)
        if not isinstance(row, ModelRow):
            return False
        if any(getattr(row, name) != value for name, value in self._only.items()):
            return False
        if self._head and self._head not in (row.heads or ""):
            return False
        if self._askable and row.why_not is not None:
            return False
        if self._ticked is not None and row.id not in self._ticked:
            return False
        hay = " ".join(_said(row, name) for name in NAMES).casefold() if self._words else ""
        return all(word in hay for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        """By numbers, or by words as they are read."""
        one, other = left.data(SORTED), right.data(SORTED)
        if one is None or other is None:
            # Behind the others whichever way they are sorted, which Qt turns round.
            rises = self.sortOrder() == Qt.SortOrder.AscendingOrder
            return (one is not None) is rises and (one is None) is not (other is None)
        return bool(one < other)


def _said(row: ModelRow, name: str) -> str:
    return COLUMNS[NAMES.index(name)].said(getattr(row, name))
