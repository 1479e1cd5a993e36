"""What the program is made of: a list with a filter, and each one's licence in full beside it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QSplitter, QWidget

from explorer.licences import LicensedComponent, components, one_as_text
from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.notices.reading_pages import ReadingPage
from explorer.ui.views.latest_work import LatestWork

WIDE, LIST_WIDE = 940, 280
"""Of the window and of its list; a line of a licence has up to 80 letters."""


class LicencesPage(ReadingPage):
    """Every component and its licence.

    Signals:
        filled: The list is there; the files are read in a thread of their own.
    """

    filled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("licences", _("Licences"), parent)
        self.filter = QLineEdit(self)
        self.filter.setObjectName("licences_filter")
        self.filter.setAccessibleName(_("Filter the licences"))
        self.filter.setPlaceholderText(_("Filter by name or licence"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.list = QListWidget(self)
        self.list.setObjectName("licences_list")
        self.list.setAccessibleName(_("What the program is made of"))
        self.list.currentItemChanged.connect(self._show)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setPlainText(_("Reading the licences…"))
        self.text.setAccessibleName(_("The licence in full"))
        halves = QSplitter(Qt.Orientation.Horizontal, self)
        halves.addWidget(self.list)
        halves.addWidget(self.text)
        halves.setChildrenCollapsible(False)
        halves.setSizes([LIST_WIDE, WIDE - LIST_WIDE])
        self.column.insertWidget(0, self.filter)
        self.column.insertWidget(1, halves, 1)
        self.resize(WIDE, 640)
        self._work = LatestWork("licences", self)
        self._work.done.connect(self._fill)
        self._work.ask(components)

    def _fill(self, found: tuple[LicensedComponent, ...]) -> None:
        for one in found:
            item = QListWidgetItem(f"{one.name} {one.version}".strip())
            item.setData(Qt.ItemDataRole.UserRole, one)
            item.setToolTip(plain_tip(one.licence))
            self.list.addItem(item)
        self._filter(self.filter.text())
        self.filled.emit()

    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        first = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            one: LicensedComponent = item.data(Qt.ItemDataRole.UserRole)
            said = f"{one.name} {one.licence}".casefold()
            item.setHidden(not all(word in said for word in words))
            first = first or (None if item.isHidden() else item)
        chosen = self.list.currentItem()
        if first is None:
            self.list.setCurrentRow(-1)
            if self.list.count():
                self.text.setPlainText(_("No name or licence matches."))
        elif chosen is None or chosen.isHidden():
            self.list.setCurrentItem(first)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.text.setPlainText(one_as_text(item.data(Qt.ItemDataRole.UserRole)))
