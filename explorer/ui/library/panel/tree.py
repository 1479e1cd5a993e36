"""The library as a tree: what is loaded on top, then a group a source, and pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import N_, _, said
from explorer.text.formatting import quantities
from explorer.text.formatting.numbers import percent
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.checkpoints import Checkpoints, Downloads
from explorer.ui.library.models import ModelSlots
from explorer.ui.library.pairs import ModelPair, pairs_of, plain_first

Index = QModelIndex | QPersistentModelIndex
Member = Checkpoint | ModelPair
Group = tuple[str, tuple[Member, ...]]
NOWHERE = QModelIndex()

CHECKPOINT = int(Qt.ItemDataRole.UserRole) + 1
STATE = int(Qt.ItemDataRole.UserRole) + 2
PAIR = int(Qt.ItemDataRole.UserRole) + 3
"""A row's checkpoint, the second of two where it is a pair; its state; its pair, or None."""
OF_STATE = (STATE, int(Qt.ItemDataRole.AccessibleTextRole))
"""What a row says with its state."""

OF_GROUP = Qt.ItemFlag.ItemIsEnabled
OF_CHECKPOINT = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)

LOADED, PAIRS = N_("Loaded"), N_("Pairs that belong together")
HERE: tuple[tuple[str, frozenset[Source]], ...] = (
    (N_("Bundled"), frozenset({Source.BUNDLED})),
    (N_("Opened folders"), frozenset({Source.FOLDER})),
    (N_("On this computer"), frozenset({Source.CACHE})),
)
ELSEWHERE: tuple[tuple[str, frozenset[Source]], ...] = (
    (N_("Architecture only"), frozenset({Source.CONFIG})),
    (N_("To download"), frozenset({Source.HUB})),
)


@dataclass(frozen=True)
class RowState:
    """What a row says on its right.

    Attributes:
        text: "A", "loading", "42 %", "failed", or "".
        kind: "loaded", "working", "failed", "unusable" or "".
        fraction: From 0 to 1 where something goes on; negative when how far is unknown.
    """

    text: str = ""
    kind: str = ""
    fraction: float = 0.0


def state_of(checkpoint: Checkpoint, models: ModelSlots, downloads: Downloads) -> RowState:
    """What is going on with a checkpoint."""
    transfer = downloads.transfers.get(checkpoint.id)
    if transfer is not None:
        known = transfer.fraction >= 0
        text = percent(transfer.fraction) if known else said(transfer.stage)
        return RowState(text, "working", transfer.fraction)
    slot = models.loading_of(checkpoint.id)
    if slot:
        loading = models.loading[slot]
        fraction = loading.done / loading.total if loading.total > 0 else -1.0
        return RowState(_("loading"), "working", fraction)
    slots = models.slots_of(checkpoint.id)
    if slots:
        return RowState(" ".join(slots), "loaded")
    if checkpoint.id in models.failures or checkpoint.id in downloads.failures:
        return RowState(_("failed"), "failed")
    if checkpoint.source is Source.CONFIG:
        return RowState(_("no weights"), "unusable")
    if checkpoint.tokenizer_folder is not None:
        return RowState(_("tokenizer"), "unusable")
    if checkpoint.problem:
        return RowState(_("can't load"), "unusable")
    return RowState()


def subtitle(checkpoint: Checkpoint) -> str:
    """The second line of a row: family, parameters, size."""
    size = checkpoint.size_bytes
    # The family writes its own name in the line on the architecture, the same in every language.
    written = checkpoint.architecture.partition(" · ")[0]
    parts = (
        written or checkpoint.family,
        _("{number} parameters", number=quantities.in_words(checkpoint.parameters))
        if checkpoint.parameters
        else "",
        quantities.in_bytes(size) if size else "",
    )
    return " · ".join(part for part in parts if part) or _("unknown family")


@guarded
class LibraryModel(QAbstractItemModel):
    """Groups and checkpoints; tells the view when a row's state changes."""

    def __init__(
        self,
        checkpoints: Checkpoints,
        models: ModelSlots,
        downloads: Downloads,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._checkpoints = checkpoints
        self._models = models
        self._downloads = downloads
        self._groups: list[Group] = []
        self._told: list[list[RowState]] = []
        checkpoints.changed.connect(self._refill)
        models.changed.connect(self._tell_models)
        models.progressed.connect(self._tell_states)
        downloads.changed.connect(self._tell_states)
        self._refill()

    def index_of(self, checkpoint_id: str) -> QModelIndex:
        """Where a checkpoint is; an invalid index when it is nowhere."""
        for row, (_title, members) in enumerate(self._groups):
            for place, checkpoint in enumerate(members):
                if isinstance(checkpoint, Checkpoint) and checkpoint.id == checkpoint_id:
                    return self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        """A group's index has id 0, a checkpoint's the number of its group plus one."""
        # Not by Qt's hasIndex, which asks this class three times more: a tree of all published
        # checkpoints asks for thousands of indexes.
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        """The group of a checkpoint."""
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Groups at the top, checkpoints under them."""
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() == 0:
            return len(self._groups[parent.row()][1])
        return 0

    def columnCount(self, _parent: Index = NOWHERE) -> int:
        """One; the delegate draws the rest."""
        return 1

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        """The root and every group: none is listed without a checkpoint."""
        return bool(self._groups) if not parent.isValid() else parent.internalId() == 0

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Texts of groups and rows, and the objects behind them."""
        if not index.isValid():
            return None
        if index.internalId() == 0:
            title, members = self._groups[index.row()]
            if role == Qt.ItemDataRole.DisplayRole:
                return _(title)
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return _("{title}, {count}", title=_(title), count=len(members))
            return None
        member = self._groups[index.internalId() - 1][1][index.row()]
        if isinstance(member, ModelPair):
            return self._pair_data(member, role)
        return self._row_data(member, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Groups can be opened and closed, checkpoints chosen."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return OF_GROUP if index.internalId() == 0 else OF_CHECKPOINT

    def _row_data(self, checkpoint: Checkpoint, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return checkpoint.title
        if role == CHECKPOINT:
            return checkpoint
        if role == STATE:
            return state_of(checkpoint, self._models, self._downloads)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (checkpoint.id, said(checkpoint.architecture), said(checkpoint.problem))
            return plain_tip("\n".join(line for line in lines if line))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = state_of(checkpoint, self._models, self._downloads)
            told = {"loaded": _("loaded as {text}", text=state.text)}.get(state.kind, state.text)
            return ", ".join(p for p in (checkpoint.title, subtitle(checkpoint), told) if p)
        return None

    def _pair_data(self, pair: ModelPair, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return pair.title
        if role == CHECKPOINT:
            return pair.second
        if role == PAIR:
            return pair
        if role == STATE:
            return self._state(pair)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(_("One click loads both: {pair}", pair=pair.title))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(p for p in (pair.title, pair.about, self._state(pair).text) if p)
        return None

    def _refill(self) -> None:
        self.beginResetModel()
        self._groups = self._grouped()
        self._told = self._states()
        self.endResetModel()

    def _grouped(self) -> list[Group]:
        held = [card.stamp.id for _slot, card in sorted(self._models.cards.items())]
        known = plain_first(self._checkpoints.all)
        of_id = {one.id: one for one in known}
        others = [one for one in known if one.id not in held]

        def of(groups: tuple[tuple[str, frozenset[Source]], ...]) -> Iterator[Group]:
            for title, sources in groups:
                yield title, tuple(one for one in others if one.source in sources)

        groups: list[Group] = [
            (LOADED, tuple(of_id[one] for one in dict.fromkeys(held) if one in of_id)),
            *of(HERE),
            (PAIRS, tuple(pairs_of(known))),
            *of(ELSEWHERE),
        ]
        return [(title, members) for title, members in groups if members]

    def _state(self, member: Member) -> RowState:
        if isinstance(member, Checkpoint):
            return state_of(member, self._models, self._downloads)
        states = [state_of(one, self._models, self._downloads) for one in member.both]
        busy = [one for one in states if one.kind == "working"]
        if busy:
            return busy[0]
        if all(one.kind == "loaded" for one in states):
            return RowState(" ".join(one.text for one in states), "loaded")
        return RowState()

    def _states(self) -> list[list[RowState]]:
        return [[self._state(one) for one in members] for _title, members in self._groups]

    def _tell_models(self) -> None:
        """Other models are loaded: they stand on top."""
        if self._grouped() != self._groups:
            self._refill()
        else:
            self._tell_states()

    def _tell_states(self) -> None:
        """Have the rows drawn anew that say something else now: a load goes on in one of many."""
        before, self._told = self._told, self._states()
        for row, (told, states) in enumerate(zip(before, self._told, strict=True)):
            for place, (was, state) in enumerate(zip(told, states, strict=True)):
                if state != was:
                    changed = self.index(place, 0, self.index(row, 0))
                    self.dataChanged.emit(changed, changed, OF_STATE)


@guarded
class LibraryFilter(QSortFilterProxyModel):
    """Keeps the checkpoints in which every typed word occurs, and their groups."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self.setRecursiveFilteringEnabled(True)

    def set_text(self, text: str) -> None:
        """Filter by words, in any order, upper or lower case."""
        self._words = tuple(text.casefold().split())
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """A group is kept through its rows."""
        if not self._words:
            return True
        row = self.sourceModel().index(source_row, 0, source_parent)
        checkpoint, pair = row.data(CHECKPOINT), row.data(PAIR)
        if not isinstance(checkpoint, Checkpoint):
            return False
        if isinstance(pair, ModelPair):
            read: tuple[str, ...] = (pair.title, pair.about, *(one.id for one in pair.both))
        else:
            read = (
                checkpoint.id,
                checkpoint.title,
                checkpoint.family,
                checkpoint.languages,
                checkpoint.licence,
                said(checkpoint.architecture),
                said(checkpoint.note),
            )
        hay = " ".join(read).casefold()
        return all(word in hay for word in self._words)
