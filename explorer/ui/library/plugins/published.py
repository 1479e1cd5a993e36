"""The plugins of other people: a list that comes with the program."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from explorer.engine.plugins.published import PublishedPlugin, list_in, published_plugins
from explorer.paths import own_resources
from explorer.plugin_description import NONE_PUBLISHED
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip


class PublishedPlugins(QWidget):
    """Its rows; or that there are none, and how one comes to be there."""

    def __init__(self, parent: QWidget, found: tuple[PublishedPlugin, ...] | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("published_plugins")
        if found is None:
            found = published_plugins(list_in(own_resources()))
        self.note = plain_label(
            self,
            _(
                "Nobody answers for these but those who wrote them. Fetch one from where it is, "
                "then add it."
            )
            if found
            else _(NONE_PUBLISHED),
        )
        self.note.setObjectName("published_plugins_note")
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.note)
        if not found:
            layout.addStretch(1)
            return
        self.tree = self._make_tree(found)
        layout.addWidget(self.tree, 1)

    def _make_tree(self, found: tuple[PublishedPlugin, ...]) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setObjectName("published_plugins_tree")
        tree.setAccessibleName(_("Published by others"))
        tree.setRootIsDecorated(False)
        tree.setHeaderLabels(
            [
                *(_("Plugin"), _("What it is for"), _("Version"), _("Licence")),
                *(_("Checked on"), _("Address")),
            ]
        )
        for column in range(6):
            tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for one in found:
            when = one.checked.isoformat()
            row = [one.name, _(one.about), one.version, one.licence, when, one.where]
            item = QTreeWidgetItem(row)
            item.setToolTip(1, plain_tip(_(one.about)))
            tree.addTopLevelItem(item)
        return tree
