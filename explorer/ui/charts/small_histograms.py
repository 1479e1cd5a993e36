"""Small histograms, each on a scale of its own, zero marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NARROWEST, GAP = 190.0, 12.0
"""Pixels that one is wide at least, and between two."""
PLANE = 68.0
"""Pixels that bars are high at most."""


@dataclass(frozen=True)
class SmallHistogram:
    """How many numbers lie where.

    Attributes:
        title: Above it.
        counts: How many in each bin, from low to high; bins are equally wide.
        low: Where the first bin begins.
        high: Where the last one ends.
        ends: What stands below it, as "-0.2 … 0.3".
        words: For the tooltip.
    """

    title: str
    counts: "npt.NDArray[np.integer[Any]]"
    low: float
    high: float
    ends: str
    words: str = ""


@dataclass(frozen=True)
class SmallHistograms:
    """A block of a page: histograms in rows, as many side by side as fit.

    Attributes:
        histograms: In reading order.
        above: The room above it.
    """

    histograms: tuple[SmallHistogram, ...]
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """In rows of a width."""
        return LaidHistograms(self.histograms, width)


class LaidHistograms(PlacedBlock):
    """The histograms at a width, in pixels."""

    def __init__(self, histograms: Sequence[SmallHistogram], width: float) -> None:
        self._histograms = histograms
        self.width = width
        self._columns = max(1, int(width // (NARROWEST + GAP)))
        self._wide = width / self._columns - GAP
        self._line = text_height("small")
        self._high = PLANE + 6 + 2 * self._line
        self.height = -(-len(histograms) // self._columns) * (self._high + GAP)
        self.spots = tuple(
            Spot(self._box(n), None, one.words) for n, one in enumerate(histograms) if one.words
        )

    def _box(self, index: int) -> QRectF:
        row, column = divmod(index, self._columns)
        x, y = column * (self._wide + GAP), row * (self._high + GAP)
        return QRectF(x, y, self._wide, self._high)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each in its box."""
        for index, one in enumerate(self._histograms):
            box = self._box(index)
            title = QRectF(box.left(), box.top(), box.width(), self._line)
            draw_text(painter, title, one.title, "small", theme.text)
            plane = QRectF(box.left(), title.bottom() + 2, box.width(), PLANE)
            self._paint_bars(painter, theme, one, plane)
            below = QRectF(box.left(), plane.bottom() + 2, box.width(), self._line)
            draw_text(painter, below, one.ends, "small", theme.muted)

    @staticmethod
    def _paint_bars(painter: QPainter, theme: Theme, one: SmallHistogram, plane: QRectF) -> None:
        painter.fillRect(plane, theme.track)
        most, wide = max(1, int(one.counts.max())), plane.width() / len(one.counts)
        for number, count in enumerate(one.counts.tolist()):
            tall = plane.height() * count / most
            x = plane.left() + number * wide
            painter.fillRect(QRectF(x, plane.bottom() - tall, wide, tall), theme.bar)
        if one.low < 0 < one.high:
            x = round(plane.left() - one.low / (one.high - one.low) * plane.width())
            painter.setPen(QPen(theme.text, 1.0))
            painter.drawLine(QLineF(x, plane.top(), x, plane.bottom()))
