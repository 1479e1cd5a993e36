"""Two columns of blocks, of which the right one is narrow; where there is no room, one column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Block, Laid, LaidPage, Node, page_of
from explorer.ui.theme.schemes import Theme

GAP = 16.0


@dataclass(frozen=True)
class Beside:
    """What is looked at, and what is measured of it beside or below it.

    Attributes:
        main: The blocks at the left, or above.
        side: The blocks at the right, or below.
        wide: Of the right column, in pixels.
        least: Width of the left column below which there is one column alone.
        above: The room above it.
    """

    main: Sequence[Block]
    side: Sequence[Block]
    wide: float = 320.0
    least: float = 620.0
    above: float = 10.0

    def at(self, width: float) -> Laid:
        """In two columns, or one."""
        left = width - self.wide - GAP
        if left < self.least:
            return LaidBeside(((0.0, page_of([*self.main, *self.side], width)),))
        columns = ((0.0, page_of(self.main, left)), (left + GAP, page_of(self.side, self.wide)))
        return LaidBeside(columns)


class LaidBeside:
    """The columns at a width, each with its left edge."""

    def __init__(self, columns: Sequence[tuple[float, LaidPage]]) -> None:
        self._columns = tuple(columns)
        self.height = max(page.height for _, page in columns)
        self.spots = tuple(spot.moved(x, 0) for x, page in columns for spot in page.spots)
        self.nodes: tuple[Node, ...] = tuple(
            node.moved(x, 0) for x, page in columns for node in page.nodes
        )
        self.live = tuple(
            replace(one, box=one.box.translated(x, 0)) for x, page in columns for one in page.live
        )
        self.anchors: Mapping[Any, QRectF] = {
            key: box.translated(x, 0) for x, page in columns for key, box in page.anchors.items()
        }

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Column after column."""
        for x, page in self._columns:
            painter.save()
            painter.translate(x, 0)
            page.paint(painter, theme)
            painter.restore()

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Everything but what is a widget on the screen."""
        for x, page in self._columns:
            painter.save()
            painter.translate(x, 0)
            page.paint_still(painter, theme)
            painter.restore()
