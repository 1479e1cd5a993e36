"""Blocks below each other: a block is a value; at a width it has a height, spots, and a painting.

The same blocks are drawn on screen, in an exported picture and on the comparison sheet. A spot is
a place in one that explains itself under the mouse, under the keyboard and to a screen reader, and
may have a gesture.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.widget.keyboard import SpotLines
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved

if TYPE_CHECKING:
    from explorer.ui.blocks.tables.axis import PlacedAxis

AROUND = 8.0
"""Pixels that a block may paint beyond its height."""


@dataclass(frozen=True)
class SpokenCell:
    """One cell of a row, for a screen reader.

    Attributes:
        text: With the name of its column: "rank 3".
        box: Where it is, as the box of its spot.
        value: Alone, for a copy: "3".
    """

    text: str
    box: QRectF
    value: str = ""


@dataclass(frozen=True)
class Spot:
    """A place on a page.

    Attributes:
        box: Where it is, from the block's or the page's corner.
        key: Which place it is, so that it is found again when the page is drawn anew.
        words: For the tooltip.
        spoken: For a screen reader; "" for the tooltip's words.
        act: What choosing it does, a gesture of `page.py`; None for a place that only explains
            itself.
        cells: What stands in it, where it is a row.
        twice: What a double click does; None for nothing besides.
        keys: What other keys do while the keyboard is on it.
        drag: From the pixels it was drawn to the right to a gesture; None where it stays. It is
            no place of the keyboard.
    """

    box: QRectF
    key: Any = None
    words: str = ""
    spoken: str = ""
    act: Any = None
    cells: tuple[SpokenCell, ...] = ()
    twice: Any = None
    keys: Mapping[Qt.Key, Any] = field(default_factory=dict)
    drag: Callable[[float], Any] | None = None

    @property
    def can_choose(self) -> bool:
        """Whether a click does something."""
        return self.key is not None or self.act is not None

    @property
    def said(self) -> str:
        """What a screen reader says."""
        return self.spoken or self.words

    def moved(self, x: float, y: float) -> "Spot":
        """The same place seen from another corner."""
        if not x and not y:
            return self
        # Every row of a page is moved with each block it stands in, whenever a slider moves: to
        # name the fields is several times quicker than to have them replaced.
        cells = tuple(
            SpokenCell(one.text, one.box.translated(x, y), one.value) for one in self.cells
        )
        return Spot(
            self.box.translated(x, y),
            self.key,
            self.words,
            self.spoken,
            self.act,
            cells,
            self.twice,
            self.keys,
            self.drag,
        )


@dataclass(frozen=True)
class EmbeddedWidget:
    """A part of a page that is a widget on the screen; everywhere else the block paints it.

    Attributes:
        box: Where it stands, from the block's or the page's corner.
        make: Makes the widget; its `show_content` is given the content, and what comes later in
            its place. It has the signals `chosen`, for keys, and `acted`, for gestures, and may
            have `looked_at`, for what is under the mouse or the keyboard, and `opened`, which
            gives the next live part the keyboard.
        content: What it shows.
    """

    box: QRectF
    make: Callable[[QWidget], Any]
    content: Any


class PlacedBlock(ABC):
    """A block at a width.

    Attributes:
        height: In pixels.
        spots: Places in it, from its own corner.
        name: What a screen reader calls it: a paragraph's text, a table's title; "" for nothing.
        told: In the place of spots where those are very many: gives them when a screen reader asks
            for them.
        nodes: What a screen reader finds in a block of blocks, as columns of cards; None in others.
        anchors: Where parts are that a page can be asked to bring into sight.
        live: What is a widget on the screen.
        axes: Of bars, which may go from others to their own before one's eyes.
    """

    height: float
    spots: Sequence[Spot] = ()
    name: str = ""
    told: Callable[[], Iterable[Spot]] | None = None
    nodes: Sequence["Node"] | None = None
    anchors: Mapping[Any, QRectF] = MappingProxyType({})
    live: Sequence[EmbeddedWidget] = ()
    axes: Sequence["PlacedAxis"] = ()

    @abstractmethod
    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint it with its corner at (0, 0)."""

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Paint what is left on the screen when its widgets have painted themselves."""
        self.paint(painter, theme)


class Block(Protocol):
    """One part of a page."""

    @property
    def above(self) -> Space:
        """The room above it, unless it is the first."""

    def at(self, width: float) -> PlacedBlock:
        """The block at a width."""


class StretchBlock(Protocol):
    """A block that takes what height is left in the window, as a map or a browser does.

    In a picture, where there is no window, it has the height that it has at a width.
    """

    @property
    def fills(self) -> bool:
        """Whether it does so now."""

    def filling(self, width: float, height: float) -> PlacedBlock:
        """The block as high as it may be; higher where that is too little for it."""


@dataclass(frozen=True)
class Node:
    """A block as a screen reader sees it.

    Attributes:
        name: A paragraph's text, a table's title; "" for none.
        box: Where it is on the page.
        spots: Its rows, or its places; none in a paragraph.
        told: Makes those of a block that has very many, when they are asked for; None where they
            are in `spots`. They are seen from the corner of the node's box.
    """

    name: str
    box: QRectF
    spots: tuple[Spot, ...] = ()
    told: Callable[[], Iterable[Spot]] | None = None

    @cached_property
    def rows(self) -> tuple[Spot, ...]:
        """All of its rows or places."""
        if self.told is None:
            return self.spots
        x, y = self.box.left(), self.box.top()
        return (*self.spots, *(spot.moved(x, y) for spot in self.told()))

    def moved(self, x: float, y: float) -> "Node":
        """The same seen from another corner."""
        spots = tuple(spot.moved(x, y) for spot in self.spots)
        return Node(self.name, self.box.translated(x, y), spots, self.told)


@dataclass(frozen=True)
class LaidPage:
    """Blocks one below the other.

    What mouse, keyboard and screen readers ask for is put together when they first do: an answer is
    seen sooner without it.

    Attributes:
        width: In pixels.
        height: In pixels.
        places: Where each block begins, and the block.
        live: What is a widget on the screen.
        axes: Of all tables of bars.
    """

    width: float
    height: float
    places: Sequence[tuple[float, PlacedBlock]]
    live: tuple[EmbeddedWidget, ...] = ()
    axes: tuple["PlacedAxis", ...] = ()

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Of all blocks, from the page's corner."""
        return tuple(spot for spots in self._spots for spot in spots)

    @cached_property
    def _spots(self) -> list[tuple[Spot, ...]]:
        return [tuple(spot.moved(0, y) for spot in block.spots) for y, block in self.places]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The blocks that have something to read or to reach."""
        nodes: list[Node] = []
        for (y, block), own in zip(self.places, self._spots, strict=True):
            if block.nodes is not None:
                nodes += [node.moved(0, y) for node in block.nodes]
            elif block.name or own:
                box = QRectF(0, y, self.width, block.height)
                nodes.append(Node(block.name, box, own, block.told))
        return tuple(nodes)

    @cached_property
    def anchors(self) -> Mapping[Any, QRectF]:
        """Where parts are that can be brought into sight, as those of a token's position."""
        return {
            key: box.translated(0, y)
            for y, block in self.places
            for key, box in block.anchors.items()
        }

    @cached_property
    def reached(self) -> tuple[Spot, ...]:
        """The spots the keyboard goes to: those that do something, and those that say something."""
        own = (s for s in self.spots if (s.can_choose or s.said) and s.drag is None)
        if not self.live:
            return tuple(own)
        # Widgets on the page have keys of their own, and Tab goes to them.
        return tuple(s for s in own if not any(w.box.contains(s.box.center()) for w in self.live))

    @cached_property
    def lines(self) -> SpotLines:
        """The lines in which the reached spots stand."""
        return SpotLines([spot.box for spot in self.reached])

    def number_of(self, spot: Spot) -> int | None:
        """Which of the reached spots one of this page's is; None for none of them."""
        return self._numbers.get(id(spot))

    def node_of(self, spot: Spot) -> tuple[int, int] | None:
        """Which node a spot stands in, and which of that one's spots it is; None for none."""
        found = self._places.get(_corners(spot.box), ())
        return next((place for place, one in found if one == spot), None)

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        return {id(spot): number for number, spot in enumerate(self.reached)}

    @cached_property
    def _places(self) -> Mapping[tuple[float, ...], list[tuple[tuple[int, int], Spot]]]:
        # What is told only when it is asked for are no places the keyboard goes to.
        found: dict[tuple[float, ...], list[tuple[tuple[int, int], Spot]]] = {}
        for n, node in enumerate(self.nodes):
            for m, spot in enumerate(node.spots):
                found.setdefault(_corners(spot.box), []).append(((n, m), spot))
        return found

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint everything with the page's corner at (0, 0)."""
        self._paint(painter, theme, still=False)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Paint everything but what is a widget on the screen."""
        self._paint(painter, theme, still=True)

    def _paint(self, painter: QPainter, theme: Theme, *, still: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = painter.clipBoundingRect() if painter.hasClipping() else None
        for top, block in self.places:
            if seen is not None and (top + block.height < seen.top() - AROUND):
                continue
            if seen is not None and top > seen.bottom() + AROUND:
                break
            with painter_moved(painter, 0, top):
                (block.paint_still if still else block.paint)(painter, theme)

    def figure(self, theme: Theme) -> Figure:
        """The page as a picture."""
        return Figure(self.width, self.height, lambda painter: self.paint(painter, theme))


def _corners(box: QRectF) -> tuple[float, ...]:
    return box.left(), box.top(), box.right(), box.bottom()


def fills(block: Block) -> TypeGuard[StretchBlock]:
    """Whether a block takes what height is left."""
    # To ask whether it has a protocol's members takes many times as long, for every block.
    return bool(getattr(block, "fills", False))


def page_of(blocks: Iterable[Block], width: float, room: float = 0.0) -> LaidPage:
    """Blocks below each other at a width.

    Args:
        blocks: From above.
        width: In pixels.
        room: The height that blocks which fill are to fill, all together; 0 for none.
    """
    known = list(blocks)
    filling = {n: block for n, block in enumerate(known) if room and fills(block)}
    laid = {n: block.at(width) for n, block in enumerate(known) if n not in filling}
    taken = sum(one.height for one in laid.values()) + sum(block.above for block in known[1:])
    for n, block in filling.items():
        laid[n] = block.filling(width, max(0.0, room - taken) / len(filling))
    return stack([(block.above, laid[n]) for n, block in enumerate(known)], width)


def stack(blocks: Sequence[tuple[float, PlacedBlock]], width: float) -> LaidPage:
    """Put blocks below each other.

    Args:
        blocks: The room above each, and the block.
        width: They were made for it.
    """
    places: list[tuple[float, PlacedBlock]] = []
    live: list[EmbeddedWidget] = []
    axes: list[PlacedAxis] = []
    y = 0.0
    for above, block in blocks:
        y += above if places else 0.0
        places.append((y, block))
        live += [replace(one, box=one.box.translated(0, y)) for one in block.live]
        axes += block.axes
        y += block.height
    return LaidPage(width, y, places, tuple(live), tuple(axes))
