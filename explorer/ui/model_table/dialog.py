"""The models in a table: filtered, sorted, measured, compared, and written into a file."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import ExplorerError, Failure, Question
from explorer.choosing.columns import WHERE, rows_of
from explorer.choosing.times import SENTENCE, KeptTimes, can_be_measured
from explorer.machine.free_memory import free_memory
from explorer.sessions.export.tables import write_csv
from explorer.settings import ModelTableLook
from explorer.text import _, ngettext
from explorer.text.formatting.quantities import in_bytes
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.controls.search_field import SearchField
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.guarded import guarded
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.panel.checkpoint_menu import checkpoint_menu
from explorer.ui.model_table.measuring import MeasuredTimes
from explorer.ui.model_table.model import FilteredModels, ModelTableRows
from explorer.ui.model_table.view import WIDEST, ModelTableView
from explorer.ui.runs.engine_bridge import EngineBridge
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role
from explorer.ui.workbench.settings_store import SettingsStore

WIDE, HIGH = 1280, 720
"""Pixels at the usual size of text, where the window has them."""
BESIDE = 24
"""Pixels of the window that are seen beside it."""


@guarded
class ModelTableDialog(QDialog):
    """It stands over the window, which goes on working.

    Attributes:
        search: Words that have to occur in a row.
        table: The rows.
        times: What was measured, and what is being measured.

    Signals:
        compare_wanted: The ids of two models: lay their architectures side by side.

    Args:
        actions: Of the library.
        bridge: To the engine, which measures.
        store: Remembers columns, widths and sorting.
        kept: Where times are kept; None for nowhere.
        parent: The window.
    """

    compare_wanted = Signal(str, str)

    def __init__(
        self,
        actions: LibraryActions,
        bridge: EngineBridge,
        store: SettingsStore,
        kept: KeptTimes | None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("model_table_dialog")
        self.setWindowTitle(_("Models"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions, self._store = actions, store
        self._question: Question[Any, Any] | None = None
        self._problem = ""
        self.times = MeasuredTimes(bridge, kept, self)
        self._rows = ModelTableRows(self)
        self._filtered = FilteredModels(self)
        self._filtered.setSourceModel(self._rows)
        self._make_filters()
        self.table = ModelTableView(self._filtered, self)
        self.empty = plain_label(self)
        self.empty.setObjectName("model_table_empty")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.about = plain_label(self)
        self.about.setObjectName("model_table_about")
        self.about.setWordWrap(True)
        in_role(self.about, "muted")
        self.bar = QProgressBar(self)
        self.bar.setObjectName("model_table_progress")
        self.bar.setAccessibleName(_("Measuring"))
        self.bar.setFixedWidth(zoomed(140))
        self.bar.setTextVisible(False)
        self._make_buttons()
        self._lay_out()
        self._connect()
        self._restore()
        room = parent.window().size()
        self.resize(
            min(zoomed(WIDE), room.width() - BESIDE), min(zoomed(HIGH), room.height() - 2 * BESIDE)
        )

    def ask_of(self, question: Question[Any, Any] | None) -> None:
        """Say of each row whether it can be asked a question.

        Args:
            question: The one in front; None, and one that asks no model, for none.
        """
        if question is not None and not question.roles:
            question = None
        self._question = question
        self.askable.setVisible(question is not None)
        if question is not None:
            self.askable.setText(_("Can be asked “{title}”", title=_(question.title)))
        self.table.show_columns(
            self._store.settings.model_table.columns, of_question=question is not None
        )
        fitted = len(self._rows.rows)
        self._show_all()
        if fitted == len(self._rows.rows):
            self.table.fit_columns(zoomed(WIDEST))

    def showEvent(self, event: QShowEvent) -> None:
        """The library is read where that was put off."""
        super().showEvent(event)
        self._actions.checkpoints.read_now()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what is measured first."""
        if event.key() == Qt.Key.Key_Escape and self.times.is_busy:
            self.times.cancel()
            return
        super().keyPressEvent(event)

    # ---- what it is made of ------------------------------------------------------------------

    def _make_filters(self) -> None:
        self.search = SearchField(self)
        self.search.setObjectName("model_table_search")
        self.search.setAccessibleName(_("Filter the table of models"))
        self.search.setPlaceholderText(_("Filter models"))
        self.family = self._choice("model_table_family", _("Family"))
        self.head = self._choice("model_table_head", _("Head"))
        self.where = self._choice("model_table_where", _("Location"))
        self.where.addItem(_("Anywhere"), "")
        for source, words in WHERE.items():
            self.where.addItem(_(words), source.value)
        self.askable = QCheckBox(self)
        self.askable.setObjectName("model_table_askable")
        self.ticked_alone = QCheckBox(_("Ticked ones alone"), self)
        self.ticked_alone.setObjectName("model_table_ticked")
        self.columns = MenuButton(self)
        self.columns.setObjectName("model_table_columns_button")
        self.columns.setText(_("Columns"))
        self.columns.setIcon(icon("tune-variant"))
        self.columns.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        icon_in_size(self.columns)

    def _choice(self, name: str, spoken: str) -> QComboBox:
        made = QComboBox(self)
        made.setObjectName(name)
        made.setAccessibleName(spoken)
        # Its entries come with the library, after the dialog was first shown.
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return made

    def _make_buttons(self) -> None:
        self.load = self._button("model_table_load", _("Load"), self._load)
        self.load.setProperty("primary", True)
        self.measure = self._button("model_table_measure", _("Measure the time"), self._measure)
        takes = _(
            "How long ticked models take for one sentence here, or those that are loaded, "
            "where none is ticked: {sentence}",
            sentence=SENTENCE,
        )
        self.measure.setToolTip(plain_tip(takes))
        self.compare = self._button(
            "model_table_compare", _("Compare architectures"), self._compare
        )
        self.load_both = self._button("model_table_both", _("Load as A and B"), self._load_both)
        for one in (self.compare, self.load_both):
            one.setToolTip(_("Tick two models"))
        self.export = self._button("model_table_export", _("Export as CSV…"), self._export)
        self.export.setToolTip(_("The rows that are seen, with all columns"))
        self.stop = self._button("model_table_cancel", _("Cancel"), self.times.cancel)
        self.shut = self._button("model_table_close", _("Close"), self.close)

    def _button(self, name: str, text: str, does: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: does())
        return button

    def _lay_out(self) -> None:
        first, second, third, last = (QHBoxLayout() for _one in range(4))
        first.addWidget(self.search, 1)
        first.addWidget(self.family)
        first.addWidget(self.head)
        first.addWidget(self.where)
        second.addWidget(self.askable)
        second.addSpacing(BESIDE)
        second.addWidget(self.ticked_alone)
        second.addStretch(1)
        second.addWidget(self.columns)
        third.addWidget(self.about, 1)
        third.addWidget(self.bar)
        third.addWidget(self.stop)
        for button in (self.load, self.measure, self.compare, self.load_both, self.export):
            last.addWidget(button)
        last.addStretch(1)
        last.addWidget(self.shut)
        layout = QVBoxLayout(self)
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.empty, 1)
        layout.addLayout(third)
        layout.addLayout(last)

    def _connect(self) -> None:
        actions = self._actions
        self.search.textChanged.connect(self._filter)
        self.search.down.connect(self._go_to_rows)
        self.search.returnPressed.connect(self._go_to_rows)
        for choice in (self.family, self.head, self.where):
            choice.currentIndexChanged.connect(self._filter)
        self.askable.toggled.connect(self._filter)
        self.ticked_alone.toggled.connect(self._filter)
        self.table.taken.connect(self._take)
        self.table.ticked.connect(self._rows.tick)
        self.table.left.connect(self.close)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._show_menu)
        self.table.columns_changed.connect(self._remember)
        self.table.selectionModel().selectionChanged.connect(lambda *_both: self._refresh())
        header = self.table.horizontalHeader()
        header.sortIndicatorChanged.connect(lambda *_both: self._remember())
        self.columns.clicked.connect(self._open_columns)
        self._rows.ticks_changed.connect(self._ticked)
        self.times.changed.connect(self._show_all)
        self.times.failed.connect(self._failed)
        for changed in (
            actions.checkpoints.changed,
            actions.models.changed,
            actions.models.progressed,
            actions.downloads.changed,
        ):
            changed.connect(self._show_all)
        self.finished.connect(self.times.cancel)
        self.finished.connect(self._remember)

    # ---- what is remembered ------------------------------------------------------------------

    def _restore(self) -> None:
        look = self._store.settings.model_table
        self.table.show_columns(look.columns, of_question=False)
        self.table.draw_widths(look.widths)
        self.table.sort_by(look.sorted_by)

    def _remember(self, _result: object = None) -> None:
        table = self.table
        self._store.change(
            model_table=ModelTableLook(table.wanted, dict(table.widths), table.sorted_by)
        )

    # ---- what is shown -----------------------------------------------------------------------

    def _show_all(self) -> None:
        """The library, and what is measured or loaded."""
        models = self._actions.models
        current = self.table.current
        everything = self._actions.checkpoints.all
        rows = rows_of(everything, self.times.all, free_memory(), self._question)
        slots = {one.id: " ".join(models.slots_of(one.id)) for one in rows}
        before = len(self._rows.rows)
        self._rows.show_rows(rows, {id_: slot for id_, slot in slots.items() if slot})
        if len(rows) != before:
            self._offer_kinds()
            self.table.fit_columns(zoomed(WIDEST))
            if current is not None:
                self.table.choose(current.id)
        self._filter()

    def _offer_kinds(self) -> None:
        """The families and heads that there are."""
        families = sorted({one.family for one in self._rows.rows if one.family})
        _fill(self.family, _("Any family"), {one: one for one in families})
        every = self._actions.checkpoints.all
        heads = sorted({head.title for one in every for head in one.heads if head.present})
        # Of one that is of another's kind ("Answer span, the end by the start") that one is enough.
        kinds = [
            one
            for one in heads
            if not any(one != other and one.startswith(other) for other in heads)
        ]
        _fill(self.head, _("Any head"), {one: _(one) for one in kinds})

    def _filter(self, _changed: object = None) -> None:
        only = {"family": self.family.currentData(), "where": self.where.currentData()}
        self._filtered.keep(
            self.search.text(),
            only,
            head=self.head.currentData() or "",
            askable=self.askable.isChecked() and self._question is not None,
            ticked=self._rows.ticked if self.ticked_alone.isChecked() else None,
        )
        self._refresh()

    def _ticked(self) -> None:
        if self.ticked_alone.isChecked():
            self._filter()
        self._refresh()

    def _refresh(self) -> None:
        """Buttons and sentences."""
        ticked = self._known(self._rows.ticked)
        two = len(ticked) == 2
        current = self.table.current
        seen, busy = self._filtered.rowCount(), self.times.is_busy
        here = two and all(map(can_be_measured, ticked))
        self.table.setVisible(seen > 0)
        self.empty.setVisible(seen == 0)
        self.empty.setText(self._why_empty())
        self.load.setEnabled(current is not None)
        self.measure.setEnabled(bool(self._to_measure()) and not busy)
        self.compare.setEnabled(two and all(one.architecture for one in ticked))
        self.load_both.setEnabled(here)
        self.export.setEnabled(seen > 0)
        self.bar.setVisible(busy)
        self.stop.setVisible(busy)
        self.bar.setRange(0, max(1, self.times.total))
        self.bar.setValue(self.times.done)
        self.about.setText(self._said())

    def _said(self) -> str:
        if self.times.is_busy:
            known = self._actions.checkpoints.find(self.times.now)
            title = self.times.now if known is None else known.title
            return _(
                "Measuring {title}, {number} of {count}",
                title=title,
                number=self.times.done + 1,
                count=self.times.total,
            )
        if self._problem:
            return self._problem
        count, all_ = self._filtered.rowCount(), len(self._rows.rows)
        parts = (
            _("{count} of {all} models", count=count, all=all_)
            if count < all_
            else ngettext("{count} model", "{count} models", all_),
            _("{count} ticked", count=len(self._rows.ticked)) if self._rows.ticked else "",
            _("{free} of memory free", free=in_bytes(free_memory())),
        )
        return " · ".join(filter(None, parts))

    def _why_empty(self) -> str:
        if self._actions.checkpoints.is_listing and not self._rows.rows:
            return _("Reading the library…")
        return _("No model fits: clear the words, or choose other families and places.")

    # ---- what is done ------------------------------------------------------------------------

    def _known(self, ids: tuple[str, ...]) -> list[Any]:
        found = map(self._actions.checkpoints.find, ids)
        return [one for one in found if one is not None]

    def _to_measure(self) -> list[str]:
        """Ticked models that are here, or else those that are loaded."""
        ticked = self._rows.ticked
        cards = self._actions.models.cards.values()
        wanted = self._known(ticked or tuple(card.stamp.id for card in cards))
        return [one.id for one in wanted if can_be_measured(one)]

    def _measure(self) -> None:
        self._problem = ""
        actions = self._actions
        self.times.measure(self._to_measure(), actions.options_for(actions.models.active))

    def _failed(self, checkpoint: str, failure: Failure) -> None:
        known = self._actions.checkpoints.find(checkpoint)
        title = checkpoint if known is None else known.title
        self._problem = f"{title}: {failure.said} {failure.advice}".strip()
        self._refresh()

    def _load(self) -> None:
        if self.table.current is not None:
            self._take(self.table.current.id)

    def _take(self, checkpoint: str) -> None:
        found = self._actions.checkpoints.find(checkpoint)
        if found is not None:
            self._actions.activate(found)

    def _show_menu(self, place: QPoint) -> None:
        """What can be done with the row below the mouse."""
        if not self.table.indexAt(place).isValid() or self.table.current is None:
            return
        found = self._actions.checkpoints.find(self.table.current.id)
        if found is not None:
            menu = checkpoint_menu(found, self._actions, self, taught=False)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.table.viewport().mapToGlobal(place))

    def _compare(self) -> None:
        self.compare_wanted.emit(*self._rows.ticked)

    def _load_both(self) -> None:
        for one, slot in zip(self._known(self._rows.ticked), ("A", "B"), strict=True):
            self._actions.load(one, slot)

    def _export(self) -> None:
        kind = _("CSV table (*.csv)")
        FileDialogs(self).save(_("Export as CSV…"), "models.csv", kind, self._write)

    def _write(self, path: Path) -> None:
        try:
            write_csv(path, self.table.table(self.table.seen, whole=True))
            self._problem = _("{path} is written.", path=path)
        except ExplorerError as error:
            failure = Failure.of(error)
            self._problem = f"{failure.said} {failure.advice}".strip()
        self._refresh()

    def _go_to_rows(self) -> None:
        if self.table.current is None and self._filtered.rowCount():
            self.table.selectRow(0)
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _open_columns(self) -> None:
        menu = self.table.columns_menu(self)
        menu.popup(self.columns.mapToGlobal(self.columns.rect().bottomLeft()))


def _fill(box: QComboBox, any_of_them: str, choices: Mapping[str, str]) -> None:
    """Offer choices, with what was chosen before, where it is still there."""
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        box.addItem(any_of_them, "")
        for value, words in choices.items():
            box.addItem(words, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))
