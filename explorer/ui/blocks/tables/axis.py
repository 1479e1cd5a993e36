"""The axis of a table's bars where it stands: its ends, and how it goes from others to its own."""

import math

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.text import _
from explorer.text.formatting.numbers import significant
from explorer.text.formatting.probabilities import power_of_ten
from explorer.ui.blocks.tables.rows import BarAxis
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_width

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
POWER_ROOM = 56.0
"""Pixels a power of ten needs above the axis."""


class PlacedAxis:
    """An axis between two pixels.

    Attributes:
        axis: What it is.
        left: Pixel of its left end.
        width: Pixels to its right end.
        name: Of its table, by which a page of now finds it on the page before.
        before: What it was a moment ago, which is said at its end; None where it stays.
        share: How far it has come from there, from 0 to 1.
    """

    def __init__(self, axis: BarAxis, left: float, right: float, *, name: str = "") -> None:
        self.axis, self.left, self.width, self.name = axis, left, right - left, name
        self.before: BarAxis | None = None
        self.share = 1.0

    @property
    def is_wide(self) -> bool:
        """Whether what is written at its ends has room."""
        if self.axis.powers:
            return self.width >= 2 * POWER_ROOM
        return self.width >= text_width("small", "  ".join(self._ends())) + 4

    def _ends(self) -> tuple[str, str]:
        axis = self.axis
        return axis.low_said or _end(axis.low), axis.top_said or _end(axis.top)

    def follows(self, other: "PlacedAxis") -> bool:
        """Whether another one is the same axis before, with other ends."""
        ends, others = ((one.axis.low, one.axis.top) for one in (self, other))
        are_straight = not (self.axis.powers or other.axis.powers)
        return self.name == other.name and are_straight and ends != others

    def x_of(self, value: float) -> float:
        """Where a value stands."""
        axis = self.axis
        if axis.powers:
            share = 1.0 + math.log10(max(value, 1e-300) / axis.top) / axis.powers
        else:
            low, top = self._between(axis.low, "low"), self._between(axis.top, "top")
            share = (value - low) / (top - low)
        return self.left + self.width * min(max(share, 0.0), 1.0)

    def _between(self, end: float, name: str) -> float:
        if self.before is None or self.share >= 1.0:
            return end
        begin: float = getattr(self.before, name)
        return begin + (end - begin) * self.share

    def paint(self, painter: QPainter, theme: Theme, head: float, height: float) -> None:
        """Its ends, or its powers of ten with a line down through the rows of each.

        Args:
            painter: Paints it.
            theme: The colours.
            head: Of the table's titles, in pixels.
            height: Of the table.
        """
        if self.axis.powers:
            self._paint_powers(painter, theme, head, height)
            return
        box, (low, top) = QRectF(self.left, 0, self.width, head), self._ends()
        ink = theme.muted
        if self.before is not None:
            ink = theme.accent
            was = _("{top} (axis was to {before})", top=top, before=_end(self.before.top))
            if text_width("small", f"{low}  {was}") <= self.width:
                top = was
        draw_text(painter, box, low, "small", theme.muted, LEFT)
        draw_text(painter, box, top, "small", ink, RIGHT)

    def _paint_powers(self, painter: QPainter, theme: Theme, head: float, height: float) -> None:
        axis = self.axis
        step = max(1, math.ceil(axis.powers / max(1, self.width // POWER_ROOM)))
        for power in range(0, axis.powers + 1, step):
            x = self.x_of(axis.top * 10.0**-power)
            painter.setPen(QPen(theme.border, 1.0))
            painter.drawLine(QLineF(x, head, x, height))
            place = QRectF(x - POWER_ROOM / 2, 0, POWER_ROOM, head - 2)
            draw_text(painter, place, power_of_ten(power), "small", theme.muted)


def _end(value: float) -> str:
    return significant(value, 3)
