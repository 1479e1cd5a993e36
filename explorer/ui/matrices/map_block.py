"""A map of many cells on a page: as large as its room, and zoomed into to be read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from explorer.text import _
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.guarded import guarded
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock, MatrixView, label_box
from explorer.ui.matrices.heat_layout import HeatContent, HeatLayout, fit, height_for
from explorer.ui.matrices.heat_painting import heat_figure, paint_small
from explorer.ui.matrices.scale import number
from explorer.ui.theme.schemes import Theme

LEAST = 180.0
"""Pixels of height below which a map says nothing."""
READABLE = 11.0
"""Pixels of height from which on every row has its label; what is as wide has smaller cells."""
MANY = 700
"""Cells from which on a matrix is a map, which is drawn quickly and zoomed into to be read."""
SPOKEN = 512
"""Rows that a screen reader is told of."""


@dataclass(frozen=True)
class Map:
    """What the widget shows.

    Attributes:
        matrix: The cells, and what choosing one does.
        look: What is told of the cell under the mouse or the keyboard; None to tell nothing.
        marked: The cell that stands out while none is under the mouse.
        wheel_zooms: The wheel zooms as soon as the mouse is over it: there is nothing to scroll.
    """

    matrix: Matrix
    look: Callable[[int, int], Any] | None = None
    marked: tuple[int, int] | None = None
    wheel_zooms: bool = False


@dataclass(frozen=True)
class MapBlock:
    """A block of a page.

    Attributes:
        map: What is shown.
        fills: It takes what height is left in the window.
        tallest: Pixels of height at most, where it does not.
        above: The room above it.
    """

    map: Map
    fills: bool = False
    tallest: float = 1e6
    above: Space = Space.NEAR

    def at(self, width: float) -> "LaidMap":
        """The map at a width."""
        high = height_for(self.map.matrix.content, width)
        return LaidMap(self.map, width, min(high, self.tallest))

    def paint_small(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        """Its cells alone, in a picture of a few pixels."""
        paint_small(painter, theme, self.map.matrix.content, box)

    def filling(self, width: float, height: float) -> "LaidMap":
        """The map in a room; higher where its labels could not be read, and then scrolled."""
        readable = height_for(self.map.matrix.content, width, READABLE)
        high = max(height, readable, LEAST)
        fits = high <= height + 0.5
        return LaidMap(replace(self.map, wheel_zooms=self.map.wheel_zooms and fits), width, high)


def cells_or_map(matrix: Matrix, size: CellSize, tallest: float) -> MatrixBlock | MapBlock:
    """A matrix as cells to read while there are few, and as a map of many.

    Args:
        matrix: What is shown.
        size: Of the cells.
        tallest: Pixels of the map's height at most.
    """
    if matrix.content.values.size > MANY:
        return MapBlock(Map(matrix), tallest=tallest)
    return MatrixBlock(matrix, size)


class LaidMap(LaidPart):
    """A map at a size."""

    def __init__(self, shown: Map, width: float, height: float) -> None:
        super().__init__(width, height, MapView, shown, shown.matrix.title)
        self.map = shown

    def told(self) -> tuple[Spot, ...]:
        """Its rows."""
        content = self.map.matrix.content
        return row_spots(content, fit(content, self.width, self.height))

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """All cells, whatever part is zoomed in on."""
        content = self.map.matrix.content
        heat_figure(content, self.width, theme, height=self.height).paint(painter)


def row_spots(content: HeatContent, at: HeatLayout) -> tuple[Spot, ...]:
    """A spot a row, with the strongest of its cells in words: thousands of cells say nothing."""
    import numpy as np

    if not content.values.size:
        return ()
    sizes = np.nan_to_num(np.abs(content.values[:SPOKEN]), nan=-1.0, posinf=-1.0)
    best = sizes.argmax(axis=1).tolist()
    return tuple(
        Spot(label_box(at, row), spoken=strongest_said(content, row, column))
        for row, column in enumerate(best)
    )


def strongest_said(content: HeatContent, row: int, column: int) -> str:
    """The strongest cell of a row."""
    value = number(float(content.values[row, column]), signed=content.signed)
    places = {"row": content.rows[row], "column": content.columns[column], "value": value}
    return _("{row}: most to {column}, {value}", **places)


@guarded
class MapView(MatrixView):
    """A heat map that tells what is looked at in it, and marks what is looked at elsewhere.

    Signals:
        looked_at: What the map says of the cell under the mouse or the keyboard; None for none.
    """

    looked_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("map")
        self._map: Map | None = None
        self._is_looked_into = False
        self.hovered.connect(self._tell)

    def show_content(self, shown: Any) -> None:
        """Show another one."""
        self._map, self.wheel_zooms = shown, shown.wheel_zooms
        super().show_content(shown.matrix)
        if shown.marked is not None and shown.marked != self.pointed:
            with QSignalBlocker(self):
                self.point_at(shown.marked)
        self._fit_bubble(self._is_looked_into)

    def _tell(self, cell: tuple[int, int] | None) -> None:
        if self._map is not None and self._map.look is not None:
            self.looked_at.emit(self._map.look(*cell) if cell is not None else None)

    def _fit_bubble(self, is_looked_into: bool) -> None:
        """The page says what is marked elsewhere: a bubble would only hide its neighbours."""
        self._is_looked_into = is_looked_into
        has_bubble = is_looked_into or self._map is None or self._map.marked is None
        if has_bubble != self.has_bubble:
            self.has_bubble = has_bubble
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the cell under the pointer."""
        self._fit_bubble(True)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The mouse is elsewhere."""
        self._fit_bubble(self.hasFocus())
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From cell to cell."""
        self._fit_bubble(True)
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard is elsewhere."""
        self._fit_bubble(self.underMouse())
        super().focusOutEvent(event)
