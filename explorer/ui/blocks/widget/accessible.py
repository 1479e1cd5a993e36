"""What a screen reader is told of a painted page: paragraphs, tables, rows and cells.

Qt knows a widget that paints itself as one empty area. This gives it a tree: page, block, spot,
cell. Its members are numbered places and stay the same objects while the page changes, because a
screen reader may hold on to any of them; what they say is looked up when it is asked for.
"""

import weakref
from typing import Any

from PySide6.QtCore import QObject, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from explorer.ui.blocks.block import Cell, Node, Spot
from explorer.ui.guarded import guarded

Role = QAccessible.Role


_told_of: "weakref.WeakKeyDictionary[QObject, QAccessibleInterface]" = weakref.WeakKeyDictionary()
"""What tells of a widget lives as long as the widget."""


def tell_of(widget: QWidget, interface: QAccessibleInterface) -> None:
    """Let screen readers hear of a widget by an interface of its own.

    Not by a factory, which Qt would call for every object there is: Python can't be handed those
    that are compiled without their types, as the browser's are, and the program would crash as
    soon as a page in the browser is clicked.
    """
    _told_of[widget] = interface
    QAccessible.registerAccessibleInterface(interface)


def went_to(widget: QWidget) -> None:
    """The keyboard went to another spot of a page."""
    if not QAccessible.isActive():
        return
    interface = QAccessible.queryAccessibleInterface(widget)
    place = interface.focusChild() if isinstance(interface, PageInterface) else None
    if place is not None:
        QAccessible.updateAccessibility(QAccessibleEvent(place, QAccessible.Event.Focus))


def announce(widget: QWidget, words: str) -> None:
    """Have a screen reader say something once it is done with what it says now."""
    if words and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


@guarded
class Member(QAccessibleInterface):
    """A numbered place in the tree; a subclass says what is there now.

    Attributes:
        widget: The painted page.
        above: The member it is in; None for the page itself.
    """

    def __init__(self, widget: Any, above: "Member | None" = None, number: int = 0) -> None:
        super().__init__()
        self._widget = weakref.ref(widget)
        self._above, self._number = above, number
        self._inside: list[Member] = []

    @property
    def widget(self) -> Any:
        """The painted page; None once it is gone."""
        widget = self._widget()
        return widget if widget is not None and Shiboken.isValid(widget) else None

    def count(self) -> int:
        """How many members it has now."""
        return 0

    def make(self, _number: int) -> "Member | None":
        """A member of it."""
        return None

    def box(self) -> QRectF | None:
        """Where it is on the page; None where it is no more."""
        return None

    def said(self) -> str:
        """Its name."""
        return ""

    def isValid(self) -> bool:
        """Whether there is such a place now."""
        return self.widget is not None and self.box() is not None

    def object(self) -> QObject | None:  # type: ignore[override]
        """Only the page is an object of Qt's."""
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        """The window it is in."""
        widget = self.widget
        found: QWindow | None = widget.window().windowHandle() if widget is not None else None
        return found

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The member it is in."""
        return self._above

    def childCount(self) -> int:
        """How many there are now."""
        return self.count() if self.widget is not None else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """A member, the same object whenever it is asked for."""
        if not 0 <= index < self.childCount():
            return None
        while len(self._inside) <= index:
            made = self.make(len(self._inside))
            if made is None:
                return None
            self._inside.append(made)
        return self._inside[index]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The member at a place of the screen."""
        for index in range(self.childCount()):
            found = self.child(index)
            if found is not None and found.rect().contains(x, y):
                return found
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Which number a member has."""
        return next((n for n, one in enumerate(self._inside) if one is child), -1)

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The member the keyboard is on."""
        for index in range(self.childCount()):
            one = self.child(index)
            if isinstance(one, Member) and one.has_focus():
                return one.focusChild() or one
        return None

    def has_focus(self) -> bool:
        """Whether the keyboard is on it or in it."""
        members = map(self.child, range(self.childCount()))
        return any(isinstance(one, Member) and one.has_focus() for one in members)

    def rect(self) -> QRect:
        """Where it is on the screen."""
        widget, box = self.widget, self.box()
        if widget is None or box is None:
            return QRect()
        corner = widget.mapToGlobal(box.topLeft())
        return QRectF(QPointF(corner), box.size()).toRect()

    def text(self, kind: QAccessible.Text) -> str:
        """Its name."""
        return self.said() if kind == QAccessible.Text.Name and self.isValid() else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing can be written into a page."""

    def state(self) -> QAccessible.State:
        """Whether the keyboard is on it, and whether it can be seen."""
        state = QAccessible.State()
        widget = self.widget
        state.readOnly = True
        if widget is None or not self.isValid():
            state.invalid = True
        elif not widget.isVisible():
            state.invisible = True
        return state


@guarded
class PageInterface(Member):
    """The page: its members are blocks."""

    def nodes(self) -> tuple[Node, ...]:
        """What it shows now."""
        page = self.widget.page if self.widget is not None else None
        return page.nodes if page is not None else ()

    def count(self) -> int:
        """One a block."""
        return len(self.nodes())

    def make(self, number: int) -> Member:
        """A block."""
        return BlockInterface(self._widget(), self, number)

    def box(self) -> QRectF | None:
        """All of the widget."""
        return QRectF(self.widget.rect()) if self.widget is not None else None

    def said(self) -> str:
        """What the widget is called."""
        return str(self.widget.accessibleName())

    def object(self) -> QObject | None:  # type: ignore[override]
        """The widget."""
        found: QObject | None = self.widget
        return found

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """That of the widget around it."""
        around = self.widget.parentWidget() if self.widget is not None else None
        return QAccessible.queryAccessibleInterface(around) if around is not None else None

    def role(self) -> QAccessible.Role:
        """A document to be read."""
        return Role.Document

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and where the keyboard is."""
        if kind == QAccessible.Text.Description and self.widget is not None:
            return str(self.widget.accessibleDescription())
        return super().text(kind)

    def state(self) -> QAccessible.State:
        """It takes the keyboard."""
        state = super().state()
        state.focusable = True
        state.focused = self.widget is not None and self.widget.hasFocus()
        return state


@guarded
class BlockInterface(Member):
    """A block: a paragraph, or a table or list whose members are its spots."""

    def node(self) -> Node | None:
        """What stands there now."""
        nodes = self._above.nodes() if isinstance(self._above, PageInterface) else ()
        return nodes[self._number] if self._number < len(nodes) else None

    def count(self) -> int:
        """One a spot."""
        node = self.node()
        return len(node.rows) if node is not None else 0

    def make(self, number: int) -> Member:
        """A spot."""
        return SpotInterface(self._widget(), self, number)

    def box(self) -> QRectF | None:
        """Of the block."""
        node = self.node()
        return node.box if node is not None else None

    def said(self) -> str:
        """A paragraph's text, a table's title."""
        node = self.node()
        return node.name if node is not None else ""

    def role(self) -> QAccessible.Role:
        """A table where its rows have cells."""
        node = self.node()
        if node is None or not node.rows:
            return Role.StaticText
        return Role.Table if any(spot.cells for spot in node.rows) else Role.List


@guarded
class SpotInterface(Member):
    """A row of a table, or a place in a picture."""

    def spot(self) -> Spot | None:
        """What stands there now."""
        node = self._above.node() if isinstance(self._above, BlockInterface) else None
        return node.rows[self._number] if node and self._number < len(node.rows) else None

    def cells(self) -> tuple[Cell, ...]:
        """What stands in it now."""
        spot = self.spot()
        return spot.cells if spot is not None else ()

    def count(self) -> int:
        """One a cell."""
        return len(self.cells())

    def make(self, number: int) -> Member:
        """A cell."""
        return CellInterface(self._widget(), self, number)

    def box(self) -> QRectF | None:
        """Of the spot."""
        spot = self.spot()
        return spot.box if spot is not None else None

    def said(self) -> str:
        """What it says of itself."""
        spot = self.spot()
        return spot.said if spot is not None else ""

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and what its tooltip says besides."""
        spot = self.spot()
        if kind == QAccessible.Text.Description and spot is not None and spot.spoken:
            return spot.words
        return super().text(kind)

    def has_focus(self) -> bool:
        """Whether the keyboard is on it."""
        return (
            self.widget is not None
            and self.spot() is not None
            and (self.widget.current == self.spot())
        )

    def role(self) -> QAccessible.Role:
        """A row where it has cells."""
        return Role.Row if self.cells() else Role.ListItem

    def state(self) -> QAccessible.State:
        """The keyboard may go to it."""
        state = super().state()
        state.focusable = True
        state.focused = self.has_focus() and self.widget.hasFocus()
        return state


@guarded
class CellInterface(Member):
    """A cell of a row."""

    def cell(self) -> Cell | None:
        """What stands there now."""
        cells = self._above.cells() if isinstance(self._above, SpotInterface) else ()
        return cells[self._number] if self._number < len(cells) else None

    def box(self) -> QRectF | None:
        """Of the cell."""
        cell = self.cell()
        return cell.box if cell is not None else None

    def said(self) -> str:
        """Its text, with the name of its column."""
        cell = self.cell()
        return cell.text if cell is not None else ""

    def role(self) -> QAccessible.Role:
        """A cell."""
        return Role.Cell
