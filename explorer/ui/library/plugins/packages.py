"""The installed Python packages that bring a plugin."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.engine.messages import PluginRecord
from explorer.plugin_description import purpose_of, state_of
from explorer.processes.own_processes import interpreter, is_bundle
from explorer.text import _, said
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.plugins.consent import ask_to_add

RECORD = int(Qt.ItemDataRole.UserRole) + 1


@guarded
class PluginPackages(QDialog):
    """A list of them, and how another one is installed.

    Signals:
        wanted: The id of a plugin that is to be switched on.
        reload_wanted: Read the plugins anew: a package was installed meanwhile.
    """

    wanted = Signal(str)
    reload_wanted = Signal()

    def __init__(self, records: Sequence[PluginRecord], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("plugin_packages")
        self.setWindowTitle(_("Plugins of Python packages"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        how = _how()
        none = _("No installed Python package brings a plugin.")
        self.text = plain_label(self, how if records else f"{none} {how}")
        self.text.setObjectName("plugin_packages_text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = QListWidget(self)
        self.list.setObjectName("plugin_packages_list")
        self.list.setAccessibleName(_("Packages"))
        self.list.setVisible(bool(records))
        for record in records:
            words = f"{record.title} {record.version} · {record.location} · {state_of(record)}"
            item = QListWidgetItem(words)
            item.setToolTip(plain_tip(purpose_of(record)))
            item.setData(RECORD, record)
            self.list.addItem(item)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.on = buttons.addButton(_("Switch on"), QDialogButtonBox.ButtonRole.ActionRole)
        self.on.setEnabled(False)
        self.on.clicked.connect(self._ask)
        again = buttons.addButton(_("Reload"), QDialogButtonBox.ButtonRole.ActionRole)
        again.clicked.connect(self._read_anew)
        buttons.rejected.connect(self.close)
        self.list.currentItemChanged.connect(lambda item, _before: self._chose(item))
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(self.list, 1)
        layout.addWidget(buttons)
        self.resize(560, 300 if records else 160)

    def _chose(self, item: QListWidgetItem | None) -> None:
        record = item.data(RECORD) if item is not None else None
        self.on.setEnabled(isinstance(record, PluginRecord) and not record.enabled)

    def _ask(self) -> None:
        record = self.list.currentItem().data(RECORD)
        ask_to_add(
            self, record.title, record.version, said(record.about), lambda: self._take(record.id)
        )

    def _take(self, name: str) -> None:
        self.wanted.emit(name)
        self.close()

    def _read_anew(self) -> None:
        self.reload_wanted.emit()
        self.close()


def _how() -> str:
    """How a package is added to the Python that runs the program."""
    if is_bundle():
        return _(
            "The program was installed without a Python of its own, which takes no packages: add "
            "a folder or a zip file."
        )
    return _(
        "A package that is installed with “{python} -m pip install NAME” is found when the "
        "plugins are read anew. Installing it lets its code run: install what you trust.",
        python=interpreter(),
    )
