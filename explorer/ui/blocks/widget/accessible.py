"""What a screen reader is told of a painted page: paragraphs, tables, rows and cells.

Qt knows a widget that paints itself as one empty area. This gives it a tree: page, block, spot,
cell. Its members are numbered places and stay the same objects while the page changes, because a
screen reader may hold on to any of them; what they say is looked up when it is asked for.
"""

import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from explorer.ui.blocks.block import Node, SpokenCell, Spot
from explorer.ui.guarded import guarded

Role = QAccessible.Role


def tell_of(widget: QWidget, interface: QAccessibleInterface) -> None:
    """Let screen readers hear of a widget by an interface of its own.

    Not by a factory, which Qt would call for every object there is: Python can't be handed those
    that are compiled without their types, as the browser's are, and the program would crash as
    soon as a page in the browser is clicked.
    """
    QAccessible.registerAccessibleInterface(interface)
    # It lives as long as the widget.
    widget.destroyed.connect(partial(_forget, interface))


def _forget(interface: QAccessibleInterface, *_: object) -> None:
    """Let Qt forget the places inside of a widget that is gone.

    It keeps those that a screen reader was told of until the program ends, and would crash then:
    they are Python's, and gone before.
    """
    for place in interface.inside if isinstance(interface, Member) else ():
        _forget(place)
        if Shiboken.isValid(place):
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(place))


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
        number: Which one of those that one has.
    """

    def __init__(self, widget: Any, above: "Member | None" = None, number: int = 0) -> None:
        super().__init__()
        self._widget = weakref.ref(widget)
        self._above, self.number = above, number
        self._inside: dict[int, Member] = {}

    @property
    def inside(self) -> "tuple[Member, ...]":
        """Its members that somebody has asked for."""
        return tuple(self._inside.values())

    @property
    def widget(self) -> Any:
        """The painted page; None once it is gone."""
        widget = self._widget()
        return widget if widget is not None and Shiboken.isValid(widget) else None

    def boxes(self) -> Sequence[QRectF]:
        """Where its members are now, on the page."""
        return ()

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
        if index not in self._inside:
            made = self.make(index)
            if made is None:
                return None
            self._inside[index] = made
        return self._inside[index]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The member at a place of the screen."""
        widget = self.widget
        if widget is None:
            return None
        at = QPointF(widget.mapFromGlobal(QPoint(x, y)))
        # None of them is made to be looked at: a page may have thousands.
        found = (n for n, box in enumerate(self.boxes()) if box.contains(at))
        return self.child(next(found, -1))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Which number a member has."""
        number = child.number if isinstance(child, Member) else -1
        return number if self._inside.get(number) is child else -1

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The member the keyboard is on."""
        return None

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

    def boxes(self) -> Sequence[QRectF]:
        """Of the blocks."""
        return [node.box for node in self.nodes()]

    def count(self) -> int:
        """One a block."""
        return len(self.nodes())

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The spot the keyboard is on."""
        place = self.widget.current_node if self.widget is not None else None
        block = self.child(place[0]) if place is not None else None
        return block.focusChild() if block is not None else None

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
        return nodes[self.number] if self.number < len(nodes) else None

    def boxes(self) -> Sequence[QRectF]:
        """Of the spots."""
        node = self.node()
        return [spot.box for spot in node.rows] if node is not None else ()

    def count(self) -> int:
        """One a spot."""
        node = self.node()
        return len(node.rows) if node is not None else 0

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The spot the keyboard is on, where it is one of its own."""
        place = self.widget.current_node if self.widget is not None else None
        return self.child(place[1]) if place is not None and place[0] == self.number else None

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
        return node.rows[self.number] if node and self.number < len(node.rows) else None

    def cells(self) -> tuple[SpokenCell, ...]:
        """What stands in it now."""
        spot = self.spot()
        return spot.cells if spot is not None else ()

    def boxes(self) -> Sequence[QRectF]:
        """Of the cells."""
        return [cell.box for cell in self.cells()]

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
        block = self._above
        place = self.widget.current_node if self.widget is not None else None
        return block is not None and place == (block.number, self.number)

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

    def cell(self) -> SpokenCell | None:
        """What stands there now."""
        cells = self._above.cells() if isinstance(self._above, SpotInterface) else ()
        return cells[self.number] if self.number < len(cells) else None

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
