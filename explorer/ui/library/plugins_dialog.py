"""Every plugin: where it is from, whether it works, and if not, why."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Failure
from explorer.engine.messages import Answer, ListPlugins, PluginRecord, Ready
from explorer.settings import Settings
from explorer.text import N_, _, ngettext, said
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.guarded import guarded
from explorer.ui.runs.engine_bridge import EngineBridge, Reply
from explorer.ui.theme.schemes import current_theme
from explorer.ui.views import page_faults

RECORD = int(Qt.ItemDataRole.UserRole) + 1
SOURCES = {
    "bundled": N_("comes with the program"),
    "folder": N_("your folder"),
    "package": N_("package"),
}


def state_of(record: PluginRecord) -> str:
    """One word on a plugin."""
    if not record.enabled:
        return _("switched off")
    return _("does not work") if record.problem else _("works")


@guarded
class PluginsDialog(QDialog):
    """Rows for every plugin; a tick switches one off from the engine's next start.

    Signals:
        disabled_changed: Ids of the plugins that are switched off, a frozenset.
        restart_wanted: Start the engine anew, so that the change is in force.
        reload_wanted: Read the plugins anew, as they lie in their folders now.
        folder_wanted: Open the user's plugin folder.
        added: A folder that holds a plugin, a Path: lay it among the user's own.
    """

    disabled_changed = Signal(object)
    restart_wanted = Signal()
    reload_wanted = Signal()
    folder_wanted = Signal()
    added = Signal(object)

    def __init__(
        self, bridge: EngineBridge, disabled: frozenset[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("plugins_dialog")
        self.setWindowTitle(_("Plugins"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bridge = bridge
        self._disabled = disabled
        self._in_force = disabled
        self._pid = bridge.latest_ready.pid if bridge.latest_ready is not None else 0
        self.tree = self._make_tree()
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("plugin_details")
        self.details.setAccessibleName(_("About the plugin"))
        self.details.setReadOnly(True)
        self._note = plain_label(self, _("Reading the plugins…"))
        self._note.setObjectName("plugins_note")
        self._note.setWordWrap(True)
        self.restart = QPushButton(_("Restart the engine"), self)
        self.restart.setObjectName("plugins_restart")
        self.restart.setProperty("primary", True)
        self.restart.setVisible(False)
        self.restart.clicked.connect(self.restart_wanted)
        self.reload = QPushButton(_("Reload"), self)
        self.reload.setObjectName("plugins_reload")
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
        self.add = QPushButton(_("Add from a folder…"), self)
        self.add.setObjectName("plugins_add")
        self.add.setToolTip(
            plain_tip(
                _(
                    "A folder with a plugin.toml in it; it is copied among your plugins. It may be "
                    "dropped here as well. “plm-explorer new family NAME” writes one to begin with."
                )
            )
        )
        self.add.clicked.connect(lambda: self._files.folder(_("Add a plugin"), self._confirm))
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
        """A folder may be dropped."""
        if _dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add it, as by the button."""
        if (folder := _dropped(event.mimeData())) is not None:
            event.acceptProposedAction()
            self._confirm(folder)

    def _confirm(self, folder: Path) -> None:
        box = QMessageBox(self)
        box.setObjectName("plugin_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_("Add a plugin"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("Copy {folder} among your plugins?", folder=folder.name))
        box.setInformativeText(
            _(
                "A plugin is code and may do whatever you may. Add it only if you trust where it "
                "comes from."
            )
        )
        yes = box.addButton(_("&Add"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.finished.connect(
            lambda _: self.added.emit(folder) if box.clickedButton() is yes else None
        )
        box.finished.connect(box.deleteLater)
        box.open()

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
        tree.setHeaderLabels([_("Plugin"), _("Version"), _("Source"), _("State")])
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setStretchLastSection(False)
        tree.currentItemChanged.connect(lambda item, _: self._describe(item))
        tree.itemChanged.connect(self._ticked)
        return tree

    def _lay_out(self) -> None:
        folder = QPushButton(_("Open plugin folder"), self)
        folder.setObjectName("plugins_folder")
        folder.clicked.connect(self.folder_wanted)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addWidget(folder)
        buttons.addWidget(self.reload)
        buttons.addStretch(1)
        buttons.addWidget(self.restart)
        buttons.addWidget(close)
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.details)
        splitter.setSizes([260, 160])
        layout = QVBoxLayout(self)
        layout.addWidget(self._note)
        layout.addWidget(splitter, 1)
        layout.addLayout(buttons)
        self.resize(680, 520)

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
        theme = current_theme()
        self.tree.blockSignals(True)
        self.tree.clear()
        for record in records:
            item = QTreeWidgetItem(
                [
                    record.title or record.id,
                    record.version,
                    _(SOURCES.get(record.source, record.source)),
                    state_of(record),
                ]
            )
            item.setData(0, RECORD, record)
            if not record.part_of:  # a question comes and goes with its plugin
                on = record.id not in self._disabled
                item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            if record.problem:
                item.setForeground(3, theme.danger)
            item.setToolTip(0, plain_tip(record.location))
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

    def _describe(self, item: QTreeWidgetItem | None) -> None:
        record = item.data(0, RECORD) if item is not None else None
        if not isinstance(record, PluginRecord):
            self.details.setPlainText("")
            return
        lines = [
            said(record.problem),
            _("Id: {id}", id=record.id),
            _("Where: {location}", location=record.location),
        ]
        if record.model_types:
            lines.append(_("Model types: {model_types}", model_types=", ".join(record.model_types)))
        if record.questions:
            lines.append(_("Questions: {questions}", questions=", ".join(record.questions)))
        if record.traceback:
            lines += ["", record.traceback]
        self.details.setPlainText("\n".join(line for line in lines if line or record.traceback))

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
    """The folder that is dragged, if it is one."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].is_dir() else None
