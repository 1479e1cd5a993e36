"""The model library: every checkpoint there is, and what can be done with it."""

import itertools

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.rows.tree import RowTree
from explorer.ui.controls.search_field import SearchField
from explorer.ui.guarded import guarded
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.hub.typed_offers import TypedOffers
from explorer.ui.library.number_type import NumberTypeField
from explorer.ui.library.pairs import ModelPair
from explorer.ui.library.panel.checkpoint_details import CheckpointDetails
from explorer.ui.library.panel.checkpoint_menu import checkpoint_menu
from explorer.ui.library.panel.row import LibraryRow
from explorer.ui.library.panel.tree import CHECKPOINT, PAIR, LibraryFilter, LibraryModel
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon

FIRST_WIDTH, LEAST_WIDTH = 360, 280
"""Pixels; with less, the facts are a column of single words."""


@guarded
class Library(QWidget):
    """Filter, tree, details and buttons.

    Signals:
        left: Escape was pressed in it.
        taken: A model was chosen, and nobody has to look on.
        folder_wanted: Open a folder of the user's own; the slot that it is for.
        published_wanted: Offer published models to download.
        search_wanted: Search the hub for these words.
        table_wanted: Show all models in a table.
        revisions_wanted: Offer a repository's revisions: its name, what was typed of one, and the
            slot that it is for.

    Attributes:
        slot: Where Enter and a double click load to; "" for the slot that answers.
        offers: What the hub can be asked about what is typed.
    """

    left = Signal()
    taken = Signal()
    folder_wanted = Signal(str)
    published_wanted = Signal()
    search_wanted = Signal(str)
    table_wanted = Signal()
    revisions_wanted = Signal(str, str, str)

    def __init__(self, actions: LibraryActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("library")
        self.setMinimumWidth(LEAST_WIDTH)
        self._actions = actions
        self._chosen_id = ""
        self.slot = ""
        self._model = LibraryModel(actions.checkpoints, actions.models, actions.downloads, self)
        self._filter = LibraryFilter(self)
        self._filter.setSourceModel(self._model)
        self.filter_box = self._make_filter_box()
        self.tree = self._make_tree()
        self.empty = plain_label(self)
        self.empty.setObjectName("library_empty")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setVisible(False)
        self.offers = TypedOffers(self)
        self.offers.search_wanted.connect(self.search_wanted)
        self.offers.revisions_wanted.connect(
            lambda name, typed: self.revisions_wanted.emit(name, typed, self.slot)
        )
        self.details = CheckpointDetails(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(30)
        self._later.timeout.connect(self._refresh)
        self._lay_out()
        for signal in (
            actions.models.changed,
            actions.models.progressed,
            actions.downloads.changed,
            actions.checkpoints.changed,
        ):
            signal.connect(self._later.start)
        self._model.modelReset.connect(self._filled)
        actions.chosen.connect(self.choose)
        self._filled()

    def showEvent(self, event: QShowEvent) -> None:
        """It opens with the chosen model in sight, and from the top where that is near."""
        super().showEvent(event)
        self._actions.checkpoints.read_now()
        # Once it has its size: in a lower list the chosen row was scrolled to.
        QTimer.singleShot(0, self, self._scroll_to_chosen)

    def _scroll_to_chosen(self) -> None:
        self.tree.scrollToTop()
        self.tree.scrollTo(self.tree.currentIndex())

    def take_over(self, other: "Library") -> None:
        """Show what another one shows: the slot, the filter, the choice, the closed groups."""
        self.aim(other.slot)
        self.filter_box.setText(other.filter_box.text())
        # The filter may have left nothing, or another row than the one that is chosen.
        self._chosen_id = "" if other.chosen is None else other.chosen.id
        self._select()
        self._refresh()
        for row, is_open in enumerate(other.open_groups):
            self.tree.setExpanded(self._filter.index(row, 0), is_open)

    @property
    def open_groups(self) -> tuple[bool, ...]:
        """Of each group that the filter left, whether its models are listed."""
        groups = range(self._filter.rowCount())
        return tuple(self.tree.isExpanded(self._filter.index(row, 0)) for row in groups)

    @property
    def chosen(self) -> Checkpoint | None:
        """The checkpoint the buttons act on."""
        return self._actions.checkpoints.find(self._chosen_id)

    def choose(self, checkpoint_id: str) -> None:
        """Select a checkpoint and show its details."""
        self._chosen_id = checkpoint_id
        if self.filter_box.text() and not self._row_of_chosen().isValid():
            # Opened by its path, maybe: the list would show another one as chosen.
            self.filter_box.clear()
        self._select()
        self._refresh()

    def aim(self, slot: str) -> None:
        """Choose a model for a slot, or for the one that answers (""); show what it holds."""
        self.slot = slot
        self.numbers.forget()
        words = _("Choose model {slot}", slot=slot) if slot else _("Filter models")
        self.filter_box.setPlaceholderText(words)
        card = self._actions.models.cards.get(slot or self._actions.models.active)
        if card is not None:
            self._chosen_id = card.stamp.id
            self._select()
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Wide enough for names and facts in two columns."""
        return QSize(FIRST_WIDTH, 600)

    def _make_filter_box(self) -> SearchField:
        box = SearchField(self)
        box.setObjectName("library_filter")
        box.setAccessibleName(_("Filter the model library"))
        box.setPlaceholderText(_("Filter models"))
        box.textChanged.connect(self._filter_by)
        box.returnPressed.connect(self._take_found)
        box.down.connect(self._go_to_tree)
        return box

    def _make_tree(self) -> RowTree:
        tree = RowTree(self)
        tree.setObjectName("library_tree")
        tree.setAccessibleName(_("Model library"))
        tree.setModel(self._filter)
        tree.setItemDelegate(LibraryRow(tree))
        tree.setHeaderHidden(True)
        tree.setIndentation(0)
        tree.setRootIsDecorated(False)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setMouseTracking(True)
        tree.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.setExpandsOnDoubleClick(False)
        tree.customContextMenuRequested.connect(self._show_menu)
        tree.activated.connect(self._activated)
        tree.doubleClicked.connect(self._activated)
        tree.selectionModel().currentChanged.connect(self._current_changed)
        return tree

    def _lay_out(self) -> None:
        self.load_a = self._button("load_a", _("Load as A"), lambda c: self._load_or_free(c, "A"))
        self.load_a.setProperty("primary", True)
        self.load_b = self._button("load_b", _("Load as B"), lambda c: self._load_or_free(c, "B"))
        self.download = self._button("download", _("Download"), self._actions.download)
        self.download.setProperty("primary", True)
        self.take_apart = self._button(
            "take_apart",
            _("Show its architecture"),
            lambda c: self._actions.architecture_wanted.emit(c.id),
        )
        self.take_apart.setProperty("primary", True)
        self.cancel = self._button("cancel_work", _("Cancel"), self._actions.cancel)
        self.more = QToolButton(self)
        self.more.setObjectName("library_more")
        self.more.setIcon(icon("dots-horizontal"))
        icon_in_size(self.more)
        self.more.setToolTip(_("More"))
        self.more.setAccessibleName(_("More actions"))
        self.more.clicked.connect(
            lambda: self._show_menu_at(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        self.load_pair = self._button(
            "load_pair", _("Load the pair, generator as B"), self._actions.load_pair
        )
        self.load_pair.setToolTip(_("A discriminator and its generator, side by side"))
        self.with_teacher = self._button(
            "load_with_teacher", _("Compare with its teacher"), self._actions.load_with_teacher
        )
        self.with_teacher.setToolTip(_("The model that taught it as A, and this one as B"))
        self.tokenizer = self._button(
            "download_tokenizer",
            _("Download its tokenizer alone"),
            self._actions.download_tokenizer,
        )
        self.tokenizer.setToolTip(
            _("Without its weights: for “Tokenizers side by side” and “Stepwise tokenization”")
        )
        self.numbers = NumberTypeField(self._actions, self)
        main = (self.load_a, self.load_b, self.download, self.take_apart, self.cancel)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(8, 0, 8, 8)
        for widget in main:
            buttons.addWidget(widget)
        buttons.addStretch(1)
        buttons.addWidget(self.more)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setObjectName("library_splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.tree)
        below = QWidget(splitter)
        lower = QVBoxLayout(below)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(6)
        lower.addWidget(self.details, 1)
        others = (self.load_pair, self.with_teacher, self.tokenizer)
        pair = QHBoxLayout()
        pair.setContentsMargins(8, 0, 8, 0)
        for widget in others:
            pair.addWidget(widget)
        lower.addLayout(pair)
        lower.addWidget(self.numbers)
        lower.addLayout(buttons)
        # Tab goes through them as they stand.
        fields = (*others, self.numbers.box, *main, self.more)
        for one, then in itertools.pairwise((self.details, *fields)):
            self.setTabOrder(one, then)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([1000, 1000])
        top = QVBoxLayout()
        top.setContentsMargins(8, 8, 8, 0)
        top.addWidget(self.filter_box)
        top.addLayout(self._own_models())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self.empty)
        layout.addWidget(self.offers)
        layout.addWidget(splitter, 1)

    def _own_models(self) -> QHBoxLayout:
        """What leads to models that are not in the list yet."""
        row = QHBoxLayout()
        folder = QPushButton(icon("folder-open-outline"), _("Open a folder…"), self)
        folder.setObjectName("library_open_folder")
        folder.setToolTip(_("A model of your own: a folder with its config and its weights"))
        folder.clicked.connect(lambda: self.folder_wanted.emit(self.slot))
        published = QPushButton(icon("download"), _("Download…"), self)
        published.setObjectName("library_published")
        published.setToolTip(_("Published models that know ordinary English"))
        published.clicked.connect(self.published_wanted)
        table = QPushButton(icon("table"), _("Table…"), self)
        table.setObjectName("library_table")
        table.setToolTip(_("All models, to sort, to filter and to compare (Ctrl+Shift+L)"))
        table.clicked.connect(self.table_wanted)
        for button in (folder, published, table):
            icon_in_size(button)
            button.setAutoDefault(False)
            row.addWidget(button, 1)
        return row

    def _button(self, name: str, text: str, does: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.clicked.connect(lambda: self._with_chosen(does))
        return button

    def _with_chosen(self, does: object) -> None:
        checkpoint = self.chosen
        if checkpoint is not None and callable(does):
            does(checkpoint)

    def _load_or_free(self, checkpoint: Checkpoint, slot: str) -> None:
        if slot in self._actions.models.slots_of(checkpoint.id):
            self._actions.models.unload(slot)
        else:
            self._actions.load(checkpoint, slot, self.numbers.taken())

    def _filter_by(self, text: str) -> None:
        self._filter.set_text(text)
        if text:
            # The keys that load act on what is chosen: what was searched for.
            self._choose_first()
        self._filled()
        # From the top, as what was found is read; the rows before kept their place until now.
        self._scroll_to_chosen()

    def _choose_first(self) -> None:
        """Choose the first row that begins as was typed, or the first that the filter left."""
        typed = self.filter_box.text().casefold()
        groups = [self._filter.index(row, 0) for row in range(self._filter.rowCount())]
        rows = [
            self._filter.index(row, 0, group)
            for group in groups
            for row in range(self._filter.rowCount(group))
        ]
        found: list[Checkpoint] = [one.data(CHECKPOINT) for one in rows if one.data(PAIR) is None]
        if found:
            begun = (
                one
                for one in found
                if typed and any(name.casefold().startswith(typed) for name in (one.title, one.id))
            )
            self._chosen_id = next(begun, found[0]).id

    def _go_to_tree(self) -> None:
        """On to the rows: to the chosen one, or to the first that the filter left."""
        if not self.tree.currentIndex().data(CHECKPOINT):
            self._choose_first()
            self._select()
        self.tree.setFocus(Qt.FocusReason.TabFocusReason)

    def _take_found(self) -> None:
        """Load what was searched for; a download is begun from its row only."""
        if self._filter.rowCount() == 0 and not self.offers.revisions.isHidden():
            self.offers.offer_revisions()
            return
        self._go_to_tree()
        found = self.tree.currentIndex().data(CHECKPOINT)
        if self.filter_box.text() and found is not None and found.source is not Source.HUB:
            slot = self.slot or self._actions.models.active
            if slot not in self._actions.models.slots_of(found.id):
                self._take(found, slot)

    def _filled(self) -> None:
        self.tree.expandAll()
        self.offers.follow(self.filter_box.text())
        found = self._filter.rowCount() > 0
        listing = self._actions.checkpoints.is_listing
        self.empty.setVisible(not found)
        if self.filter_box.text() and not found:
            self.empty.setText(_("No model matches “{text}”.", text=self.filter_box.text()))
        else:
            self.empty.setText(_("Reading the library…") if listing else _("No models were found."))
        self._select()
        self._refresh()

    def _row_of_chosen(self) -> QModelIndex:
        return self._filter.mapFromSource(self._model.index_of(self._chosen_id))

    def _select(self) -> None:
        index = self._row_of_chosen()
        if index.isValid() and index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)

    def _current_changed(self, index: QModelIndex) -> None:
        checkpoint = index.data(CHECKPOINT)
        if isinstance(checkpoint, Checkpoint):
            self._chosen_id = checkpoint.id
            self._refresh()

    def _activated(self, index: QModelIndex) -> None:
        checkpoint, pair = index.data(CHECKPOINT), index.data(PAIR)
        if isinstance(pair, ModelPair):
            both = self._actions.load_with_teacher if pair.is_taught else self._actions.load_pair
            both(pair.second)
            self.taken.emit()
        elif isinstance(checkpoint, Checkpoint):
            self._take(checkpoint, self.slot)

    def _take(self, checkpoint: Checkpoint, slot: str) -> None:
        self._actions.activate(checkpoint, slot, self.numbers.taken())
        # Of one that is fetched or refused there is more to be read here.
        if checkpoint.source is not Source.HUB and not checkpoint.problem:
            self.taken.emit()

    def _refresh(self) -> None:
        checkpoint = self.chosen
        models, downloads = self._actions.models, self._actions.downloads
        self.numbers.follow(checkpoint, self.slot or models.active)
        if checkpoint is None:
            self.details.show_checkpoint(None)
            for button in (self.load_a, self.load_b):
                button.setVisible(True)
                button.setEnabled(False)
            self.load_pair.setVisible(False)
            self.with_teacher.setVisible(False)
            self.tokenizer.setVisible(False)
            self.download.setVisible(False)
            self.take_apart.setVisible(False)
            self.cancel.setVisible(False)
            self.more.setEnabled(False)
            return
        slot = models.loading_of(checkpoint.id)
        transfer = downloads.transfers.get(checkpoint.id)
        doing = models.loading[slot].sentence if slot else transfer.sentence if transfer else ""
        failure = models.failures.get(checkpoint.id) or downloads.failures.get(checkpoint.id)
        slots = models.slots_of(checkpoint.id)
        card = models.cards[slots[0]] if slots else None
        named = map(self._actions.checkpoints.find, (checkpoint.partner, checkpoint.teacher))
        titles = {one.id: one.title for one in named if one is not None}
        self.details.show_checkpoint(checkpoint, doing, failure, card, titles)
        busy = bool(doing)
        remote = checkpoint.source is Source.HUB
        usable = not checkpoint.problem and not busy
        bare = checkpoint.source is Source.CONFIG and bool(checkpoint.architecture)
        self.take_apart.setVisible(bare)
        self.load_a.setVisible(not remote and not busy and not bare)
        self.load_b.setVisible(not remote and not busy and not bare)
        for slot, button in (("A", self.load_a), ("B", self.load_b)):
            held = slot in slots
            button.setText(
                _("Unload {slot}", slot=slot) if held else _("Load as {slot}", slot=slot)
            )
            button.setEnabled(usable or held)
        partner = self._actions.checkpoints.find(checkpoint.partner)
        both = bool(checkpoint.partner) and not remote and not busy
        here = partner is None or partner.source is not Source.HUB
        halves = models.slots_of(checkpoint.id), models.slots_of(checkpoint.partner)
        self.load_pair.setVisible(both and here and not all(halves))
        self.load_pair.setEnabled(usable and not (partner is not None and partner.problem))
        self._show_teacher(checkpoint, usable=usable, here=not remote and not busy)
        self._paint_primary(self.load_a, wanted="A" not in slots and self.slot != "B")
        self._paint_primary(self.load_b, wanted="B" not in slots and self.slot == "B")
        self.download.setVisible(remote and not busy)
        self.download.setEnabled(usable)
        self.tokenizer.setVisible(checkpoint.lacks_tokenizer and not busy)
        self.cancel.setVisible(busy)
        self.more.setEnabled(True)

    def _show_teacher(self, checkpoint: Checkpoint, *, usable: bool, here: bool) -> None:
        """Offer the comparison where the teacher is on this machine too."""
        teacher = self._actions.checkpoints.find(checkpoint.teacher)
        known = teacher is not None and teacher.source is not Source.HUB and not teacher.problem
        self.with_teacher.setVisible(here and known)
        self.with_teacher.setEnabled(usable)

    @staticmethod
    def _paint_primary(button: QPushButton, *, wanted: bool) -> None:
        """Only what one would do next stands out."""
        if button.property("primary") is not wanted:
            button.setProperty("primary", wanted)
            button.style().unpolish(button)
            button.style().polish(button)

    def _show_menu(self, place: QPoint) -> None:
        if isinstance(self.tree.indexAt(place).data(CHECKPOINT), Checkpoint):
            self._show_menu_at(self.tree.viewport().mapToGlobal(place))

    def _show_menu_at(self, place: QPoint) -> None:
        checkpoint = self.chosen
        if checkpoint is not None:
            menu = self.menu_of(checkpoint)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(place)

    def menu_of(self, checkpoint: Checkpoint) -> QMenu:
        """Everything that can be done with a checkpoint now."""
        return checkpoint_menu(
            checkpoint, self._actions, self, taught=not self.with_teacher.isHidden()
        )
