"""Find a page, any other action of the menus or a scene by some of its words."""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QMenu,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.controls.search_field import SearchField
from explorer.ui.guarded import guarded
from explorer.ui.notices.wording import plain
from explorer.ui.theme.chrome import zoomed

WIDE, HIGH, ROW = 560, 420, 22
ABOVE = 48
"""Pixels of it and its rows, at the usual size of text, and from the window's upper edge to it."""
ACTION = Qt.ItemDataRole.UserRole + 1
ROW_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
PAGE_STEPS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
"""By the keys that go through what was found while one types."""


class Kind(enum.IntEnum):
    """What is found, in the order in which equally good ones are listed."""

    PAGE = 0
    COMMAND = 1
    SCENE = 2


@dataclass(frozen=True)
class Command:
    """An action as it is searched for.

    Attributes:
        action: What is done.
        said: What it is called.
        place: The menu it is in, or a scene's chapter.
        about: What else is searched: a page's question, a scene's titles in other languages.
        kind: What it is.
    """

    action: QAction
    said: str
    place: str
    about: str
    kind: Kind

    def rank(self, words: Sequence[str]) -> int | None:
        """Lower is listed earlier: called so, with the words in its name, or elsewhere; or not."""
        name = self.said.casefold()
        everything = f"{name} {self.place.casefold()} {self.about.casefold()}"
        if not all(word in everything for word in words):
            return None
        if name.startswith(" ".join(words)):
            return 0
        return 1 if all(word in name for word in words) else 2


def found(commands: Iterable[Command], text: str) -> list[Command]:
    """The commands in which every word of a text occurs, best first, and of those by kind."""
    words = text.casefold().split()
    ranked = [(rank, one) for one in commands if (rank := one.rank(words)) is not None]
    return [one for _rank, one in sorted(ranked, key=lambda pair: (pair[0], pair[1].kind))]


def in_menus(actions: Iterable[QAction]) -> list[Command]:
    """The actions of the menus that do something now."""
    return [
        Command(
            action,
            plain(action.text()),
            _place(action),
            action.whatsThis(),
            Kind.PAGE if action.whatsThis() else Kind.COMMAND,
        )
        for action in actions
        if action.isEnabled() and action.isVisible()
    ]


@guarded
class CommandFinder(QDialog):
    """A field, and below it what was found: Enter does what is chosen, Escape goes away."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("command_finder")
        self.setWindowTitle(_("Find a page, a command or a scene"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands = list(commands)
        self._field = field = SearchField(self)
        field.setObjectName("command_field")
        field.setPlaceholderText(_("Find a page, a command or a scene"))
        field.setAccessibleName(_("Find a page, a command or a scene"))
        self._rows = QStandardItemModel(0, 3, self)
        self._list = shown = QTreeView(self)
        shown.setObjectName("commands_found")
        shown.setAccessibleName(_("Pages, commands and scenes"))
        shown.setModel(self._rows)
        shown.setRootIsDecorated(False)
        shown.setUniformRowHeights(True)
        shown.setHeaderHidden(True)
        shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        shown.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        shown.setFrameShape(QTreeView.Shape.NoFrame)
        shown.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        shown.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        shown.header().setStretchLastSection(False)
        column = QVBoxLayout(self)
        column.addWidget(field)
        column.addWidget(shown)
        field.textChanged.connect(self._find)
        field.returnPressed.connect(lambda: self._do(self._list.currentIndex()))
        field.down.connect(lambda: self._step(1))
        shown.clicked.connect(self._do)
        self._find("")

    def add(self, commands: Iterable[Command]) -> None:
        """Find these as well, whatever was typed already."""
        self._commands += commands
        self._find(self._field.text())

    def show_over(self, window: QWidget) -> None:
        """Open below the upper edge of a window, in its middle."""
        wide, high = (
            min(zoomed(most), room)
            for most, room in zip((WIDE, HIGH), window.size().toTuple(), strict=True)
        )
        self.resize(wide, high)
        self.move(window.mapToGlobal(QPoint((window.width() - wide) // 2, ABOVE)))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and pages go through what was found."""
        key = Qt.Key(event.key())
        if key in ROW_STEPS:
            self._step(ROW_STEPS[key])
        elif key in PAGE_STEPS:
            row = max(1, self._list.sizeHintForRow(0))
            self._step(PAGE_STEPS[key] * max(1, self._list.viewport().height() // row))
        else:
            super().keyPressEvent(event)

    def _find(self, text: str) -> None:
        self._rows.removeRows(0, self._rows.rowCount())
        for one in found(self._commands, text):
            keys = one.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            cells = [QStandardItem(words) for words in (one.said, one.place, keys)]
            cells[0].setData(one.action, ACTION)
            cells[0].setToolTip(plain_tip(one.about))
            cells[0].setSizeHint(QSize(0, zoomed(ROW)))
            self._rows.appendRow(cells)
        if not self._rows.rowCount():
            nothing = QStandardItem(_("No page, command or scene has these words."))
            nothing.setEnabled(False)
            self._rows.appendRow(nothing)
        self._list.setCurrentIndex(self._rows.index(0, 0))

    def _step(self, rows: int) -> None:
        to = self._list.currentIndex().row() + rows
        last = self._rows.rowCount() - 1
        self._list.setCurrentIndex(self._rows.index(max(0, min(last, to)), 0))

    def _do(self, index: QModelIndex) -> None:
        action = self._rows.index(index.row(), 0).data(ACTION)
        if isinstance(action, QAction):
            self.close()
            action.trigger()


def _place(action: QAction) -> str:
    menus = (one for one in action.associatedObjects() if isinstance(one, QMenu))
    return next((plain(menu.title()) for menu in menus), "")
