"""Every plugin: what it is for, where it is from, whether it works, and if not, why."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Entry, ExplorerError, Failure
from explorer.engine.messages import Answer, ListPlugins, PluginRecord, Ready
from explorer.engine.plugins.adding import add_plugin, manifest_in, remove_plugin
from explorer.plugin_description import (
    FOLDER,
    PACKAGE,
    details_of,
    purpose_of,
    source_of,
    state_of,
    why_it_stays,
)
from explorer.settings import Settings
from explorer.text import _, ngettext, said
from explorer.ui.controls.buttons.segmented import Segmented
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.guarded import guarded
from explorer.ui.library.plugins.consent import ask_to_add, ask_to_remove
from explorer.ui.library.plugins.packages import PluginPackages
from explorer.ui.library.plugins.published import PublishedPlugins
from explorer.ui.runs.engine_bridge import EngineBridge, Reply
from explorer.ui.theme.schemes import current_theme
from explorer.ui.views import page_faults

RECORD = int(Qt.ItemDataRole.UserRole) + 1
NAME, PURPOSE, VERSION, SOURCE, STATE = range(5)
"""The columns."""
HERE, PUBLISHED = "here", "published"


@guarded
class PluginsDialog(QDialog):
    """Rows for every plugin; a tick switches one off from the engine's next start.

    Args:
        bridge: To the engine, which knows them.
        disabled: Ids of those that are switched off.
        folder: Where the user's own lie.
        parent: The window.

    Signals:
        disabled_changed: Ids of the plugins that are switched off, a frozenset.
        restart_wanted: Start the engine anew, so that the change is in force.
        reload_wanted: Read the plugins anew, as they lie in their folders now.
        folder_wanted: Open the user's plugin folder.
    """

    disabled_changed = Signal(object)
    restart_wanted = Signal()
    reload_wanted = Signal()
    folder_wanted = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        disabled: frozenset[str],
        folder: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("plugins_dialog")
        self.setWindowTitle(_("Plugins"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bridge = bridge
        self._disabled = disabled
        self._in_force = disabled
        self._folder = folder
        self._records: tuple[PluginRecord, ...] = ()
        self._pid = bridge.latest_ready.pid if bridge.latest_ready is not None else 0
        self.tree = self._make_tree()
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("plugin_details")
        self.details.setAccessibleName(_("About the plugin"))
        self.details.setReadOnly(True)
        self.published = PublishedPlugins(self)
        self._note = plain_label(self, _("Reading the plugins…"))
        self._note.setObjectName("plugins_note")
        self._note.setWordWrap(True)
        self.restart = self._button("plugins_restart", _("Restart the engine"))
        self.restart.setProperty("primary", True)
        self.restart.setVisible(False)
        self.restart.clicked.connect(self.restart_wanted)
        self.reload = self._button("plugins_reload", _("Reload"))
        self.reload.setToolTip(
            plain_tip(
                _(
                    "Read all plugins anew, as after a change in a plugin's folder. The engine "
                    "starts anew and loads the models again."
                )
            )
        )
        self.reload.clicked.connect(self.read_anew)
        self._files = FileDialogs(self)
        self.add = self._add_button()
        self.remove = self._button("plugins_remove", _("Remove…"))
        self.remove.clicked.connect(self._ask_to_remove)
        self.setAcceptDrops(True)
        self._lay_out()
        bridge.ready.connect(self._engine_ready)
        self.refresh()

    def follow(self, settings: Settings) -> None:
        """Take over what is switched off, here or elsewhere."""
        self._disabled = frozenset(settings.disabled_plugins)

    def engine_restarts(self) -> None:
        """What is switched off now comes into force."""
        self._in_force = self._disabled
        self.restart.setVisible(False)
        self._note.setText(_("Restarting the engine…"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A folder or a file may be dropped."""
        if _dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add it, as by the button."""
        if (source := _dropped(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.offer(source)

    def offer(self, source: Path) -> None:
        """Ask whether a folder or a zip file is to be added, if it is a plugin at all."""
        try:
            manifest = manifest_in(source)
        except (ExplorerError, OSError) as error:
            self.tell(Failure.of(error))
            return
        ask_to_add(
            self,
            manifest.title,
            manifest.version,
            manifest.about,
            lambda: self._change(lambda: add_plugin(source, self._folder)),
        )

    def _change(self, does: Callable[[], object]) -> None:
        try:
            does()
        except (ExplorerError, OSError) as error:
            self.tell(Failure.of(error))
        else:
            self.read_anew()

    def _ask_to_remove(self) -> None:
        if (record := self._chosen()) is not None:
            folder = Path(record.location)
            ask_to_remove(
                self,
                record.title,
                folder,
                lambda: self._change(lambda: remove_plugin(folder, self._folder)),
            )

    def _show_packages(self) -> None:
        dialog = PluginPackages([one for one in self._records if one.source == PACKAGE], self)
        dialog.wanted.connect(self._switch_on)
        dialog.reload_wanted.connect(self.read_anew)
        dialog.open()

    def _switch_on(self, name: str) -> None:
        self._disabled -= {name}
        self.disabled_changed.emit(self._disabled)
        self.restart_wanted.emit()

    def _chosen(self) -> PluginRecord | None:
        item = self.tree.currentItem()
        record = item.data(0, RECORD) if item is not None else None
        return record if isinstance(record, PluginRecord) else None

    def _button(self, name: str, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        return button

    def _add_button(self) -> QPushButton:
        button = self._button("plugins_add", _("Add"))
        button.setAccessibleName(_("Add a plugin"))
        button.setToolTip(
            plain_tip(
                _(
                    "A folder with a plugin.toml in it, or a zip file of one; it is copied among "
                    "your plugins. It may be dropped here as well. “plm-explorer new family NAME” "
                    "writes one to begin with."
                )
            )
        )
        menu = QMenu(button)
        title, kinds = _("Add a plugin"), _("Zip file (*.zip)")
        for name, words, does in (
            ("folder", _("Folder…"), lambda: self._files.folder(title, self.offer)),
            ("zip", _("Zip file…"), lambda: self._files.file(title, kinds, self.offer)),
            ("package", _("Python package…"), self._show_packages),
        ):
            action = menu.addAction(words)
            action.setObjectName(f"plugins_add_{name}")
            action.triggered.connect(does)
        button.setMenu(menu)
        return button

    def read_anew(self) -> None:
        """Have all plugins read anew, as they lie in their folders now."""
        self.reload.setEnabled(False)
        self._note.setText(_("Reading the plugins anew…"))
        self.reload_wanted.emit()

    def refresh(self) -> None:
        """Ask the engine what it found."""
        self._bridge.submit(
            "plugins",
            ListPlugins(),
            Reply(
                answered=self._listed,
                failed=self.tell,
                stopped=lambda: self._note.setText(_("Reading the plugins was cancelled.")),
                lost=lambda _: self.refresh(),
            ),
        )

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setObjectName("plugins_tree")
        tree.setAccessibleName(_("Plugins"))
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setHeaderLabels(
            [_("Plugin"), _("What it is for"), _("Version"), _("Source"), _("State")]
        )
        header = tree.header()
        for column in (NAME, VERSION, SOURCE, STATE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(PURPOSE, QHeaderView.ResizeMode.Stretch)
        header.setStretchLastSection(False)
        tree.currentItemChanged.connect(lambda *_items: self._describe())
        tree.itemChanged.connect(self._ticked)
        return tree

    def _lay_out(self) -> None:
        folder = self._button("plugins_folder", _("Open plugin folder"))
        folder.clicked.connect(self.folder_wanted)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        buttons = QHBoxLayout()
        for one in (self.add, self.remove, folder, self.reload):
            buttons.addWidget(one)
        buttons.addStretch(1)
        buttons.addWidget(self.restart)
        buttons.addWidget(close)
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.details)
        splitter.setSizes([300, 220])
        lists = QStackedWidget(self)
        lists.addWidget(splitter)
        lists.addWidget(self.published)
        which = Segmented(
            "plugins_which",
            _("Which plugins"),
            (Entry(HERE, _("On this machine")), Entry(PUBLISHED, _("Published by others"))),
            self,
        )
        which.set_choice(HERE)
        which.chosen.connect(lambda one: lists.setCurrentIndex(int(one == PUBLISHED)))
        above = QHBoxLayout()
        above.addWidget(self._note, 1)
        above.addWidget(which, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addWidget(lists, 1)
        layout.addLayout(buttons)
        self.resize(1040, 660)

    def _listed(self, answer: Answer) -> None:
        records = self._with_those_of_the_window(answer.result)
        # They are found by their folders' names, but called otherwise.
        titles = {one.id: (one.title or one.id).casefold() for one in records}
        records = tuple(
            sorted(
                records,
                key=lambda one: (
                    titles.get(one.part_of or one.id, one.part_of),
                    bool(one.part_of),
                    titles[one.id],
                ),
            )
        )
        self._records = records
        theme = current_theme()
        self.tree.blockSignals(True)
        self.tree.clear()
        for record in records:
            item = QTreeWidgetItem(
                [
                    record.title or record.id,
                    purpose_of(record),
                    record.version,
                    source_of(record),
                    state_of(record),
                ]
            )
            item.setData(0, RECORD, record)
            if not record.part_of:  # a question comes and goes with its plugin
                on = record.id not in self._disabled
                item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            if record.problem:
                item.setForeground(STATE, theme.danger)
                item.setForeground(PURPOSE, theme.danger)
            item.setToolTip(NAME, plain_tip(record.location))
            item.setToolTip(PURPOSE, plain_tip(purpose_of(record)))
            self.tree.addTopLevelItem(item)
        self.tree.blockSignals(False)
        broken = sum(1 for record in records if record.enabled and record.problem)
        count = sum(1 for record in records if not record.part_of)
        self._note.setText(
            ngettext(
                "{count} plugin, {broken} with a problem. Each brings a family of models, "
                "questions, or both.",
                "{count} plugins, {broken} with a problem. Each brings a family of models, "
                "questions, or both.",
                count,
                broken=broken,
            )
            if broken
            else ngettext(
                "{count} plugin, all working. Each brings a family of models, questions, or both.",
                "{count} plugins, all working. Each brings a family of models, questions, or both.",
                count,
            )
        )
        first = next((i for i, r in enumerate(records) if r.enabled and r.problem), 0)
        chosen = self.tree.topLevelItem(first)
        if chosen is not None:
            self.tree.setCurrentItem(chosen)

    @staticmethod
    def _with_those_of_the_window(found: tuple[PluginRecord, ...]) -> tuple[PluginRecord, ...]:
        """What the engine found, and pages that failed here: only the window imports them."""
        known = {record.id for record in found}
        return (*found, *(one for one in page_faults.records() if one.id not in known))

    def tell(self, failure: Failure) -> None:
        """Say what went wrong, above the plugins."""
        self._note.setText(f"{failure.said} {failure.advice}".strip())

    def _describe(self) -> None:
        record = self._chosen()
        self.details.setPlainText("" if record is None else "\n".join(details_of(record)))
        is_own = record is not None and record.source == FOLDER and not record.part_of
        self.remove.setEnabled(is_own)
        stays = record is not None and not record.part_of and not is_own
        why = said(why_it_stays(record)) if record and stays else ""
        self.remove.setToolTip(plain_tip(why))

    def _ticked(self, item: QTreeWidgetItem, column: int) -> None:
        record = item.data(0, RECORD)
        if column != 0 or not isinstance(record, PluginRecord):
            return
        if item.checkState(0) == Qt.CheckState.Checked:
            self._disabled -= {record.id}
        else:
            self._disabled |= {record.id}
        changed = self._disabled != self._in_force
        self.restart.setVisible(changed)
        if changed:
            told = _("The change is in force once the engine has started anew.")
            if record.questions:
                later = _("The list of questions follows with “Reload”.")
                told = f"{told} {later}"
            self._note.setText(told)
        self.disabled_changed.emit(self._disabled)

    def _engine_ready(self, event: Ready) -> None:
        # A process is ready twice; which plugins there are it knows the first time.
        if event.pid != self._pid:
            self._pid = event.pid
            self.refresh()


def _dropped(data: QMimeData) -> Path | None:
    """The folder or file that is dragged, if it is one."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 else None
