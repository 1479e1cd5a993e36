"""Find a page, an option, a model, a scene, a term or an action of the menus by some words."""

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.controls.search_field import SearchField
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.window.find_button import WHAT
from explorer.ui.window.menus.ranking import MenuCommand, found

WIDE, HIGH, ROW = 560, 420, 22
ABOVE, MOST = 48, 200
"""Pixels of it and its rows, at the usual size of text, and from the window's upper edge to it;
rows at most, of which nobody reads more."""
ACTION = Qt.ItemDataRole.UserRole + 1
ROW_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
PAGE_STEPS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
"""By the keys that go through what was found while one types."""


@guarded
class CommandFinder(QDialog):
    """A field, and below it what was found: Enter does what is chosen, Escape goes away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("command_finder")
        self.setWindowTitle(_(WHAT))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands: list[MenuCommand] = []
        self.field = field = SearchField(self)
        field.setObjectName("command_field")
        field.setPlaceholderText(_(WHAT))
        field.setAccessibleName(_(WHAT))
        self._rows = QStandardItemModel(0, 3, self)
        self.listed = shown = QTreeView(self)
        shown.setObjectName("commands_found")
        shown.setAccessibleName(_("What was found"))
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
        field.returnPressed.connect(lambda: self._do(self.listed.currentIndex()))
        field.down.connect(lambda: self._step(1))
        shown.clicked.connect(self._do)

    def add(self, commands: Iterable[MenuCommand]) -> None:
        """Find these as well, whatever was typed already."""
        self._commands += commands
        self._find(self.field.text())

    def show_over(self, window: QWidget, field: QWidget) -> None:
        """Open where a field is seen, else below the upper edge of a window, in its middle."""
        wide, high = (
            min(zoomed(most), room)
            for most, room in zip((WIDE, HIGH), window.size().toTuple(), strict=True)
        )
        self.resize(wide, high)
        above = QPoint((window.width() - wide) // 2, ABOVE)
        place = field.mapTo(window, QPoint()) if field.isVisible() else above
        self.move(window.mapToGlobal(place))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and pages go through what was found."""
        key = Qt.Key(event.key())
        if key in ROW_STEPS:
            self._step(ROW_STEPS[key])
        elif key in PAGE_STEPS:
            row = max(1, self.listed.sizeHintForRow(0))
            self._step(PAGE_STEPS[key] * max(1, self.listed.viewport().height() // row))
        else:
            super().keyPressEvent(event)

    def _find(self, text: str) -> None:
        self._rows.removeRows(0, self._rows.rowCount())
        for one in found(self._commands, text)[:MOST]:
            keys = one.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            cells = [QStandardItem(words) for words in (one.said, one.place, keys)]
            cells[0].setData(one.action, ACTION)
            if one.icon is not None:
                cells[0].setIcon(one.icon)
            cells[0].setToolTip(plain_tip(one.about))
            cells[0].setSizeHint(QSize(0, zoomed(ROW)))
            self._rows.appendRow(cells)
        if not self._rows.rowCount():
            nothing = QStandardItem(
                _(
                    "Nothing was found. Try a term of the field, as perplexity, an everyday "
                    "word, as why, or a model's name."
                )
            )
            nothing.setEnabled(False)
            self._rows.appendRow(nothing)
        self.listed.setCurrentIndex(self._rows.index(0, 0))

    def _step(self, rows: int) -> None:
        to = self.listed.currentIndex().row() + rows
        last = self._rows.rowCount() - 1
        self.listed.setCurrentIndex(self._rows.index(max(0, min(last, to)), 0))

    def action_of(self, row: int) -> QAction | None:
        """What a row of what was found does; None for the one that says that nothing was."""
        action = self._rows.index(row, 0).data(ACTION)
        return action if isinstance(action, QAction) else None

    def _do(self, index: QModelIndex) -> None:
        action = self.action_of(index.row())
        if action is not None:
            self.close()
            action.trigger()
