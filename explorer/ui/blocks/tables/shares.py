"""One bar cut into the shares of a whole, and which colour is whose below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.text.formatting.numbers import percent
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.legend import LaidLegend, Legend
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.amounts import ShownAmount
from explorer.ui.theme.schemes import Theme

THICK = 20.0
BELOW = 6.0


@dataclass(frozen=True)
class Shares:
    """A block.

    Attributes:
        parts: From the left; those of nothing are left out.
        above: The room above it.
    """

    parts: Sequence[ShownAmount]
    above: Space = Space.SECTION

    def at(self, width: float) -> PlacedBlock:
        """As wide as there is room."""
        return LaidShares([part for part in self.parts if part.amount > 0], width)


class LaidShares(PlacedBlock):
    """The bar and its legend at a width."""

    def __init__(self, parts: Sequence[ShownAmount], width: float) -> None:
        self._parts = parts
        self._legend = LaidLegend(
            Legend([(f"{one.words} {one.says}", one.colour) for one in parts]), width
        )
        self.height = THICK + BELOW + self._legend.height
        whole = sum(part.amount for part in parts) or 1.0
        x = 0.0
        self._boxes = []
        for part in parts:
            wide = width * part.amount / whole
            self._boxes.append(QRectF(x, 0, max(1.0, wide - 1), THICK))
            x += wide
        self.spots = tuple(
            Spot(box, None, f"{part.words}: {part.says}, {percent(part.amount / whole, 1)}")
            for part, box in zip(parts, self._boxes, strict=True)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The bar, then the legend."""
        painter.setPen(Qt.PenStyle.NoPen)
        for part, box in zip(self._parts, self._boxes, strict=True):
            painter.fillRect(box, theme.colour(part.colour))
        painter.translate(0, THICK + BELOW)
        self._legend.paint(painter, theme)
