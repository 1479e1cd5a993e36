"""Size against score: every published pair as a point."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.text.quantities import in_words
from explorer.ui.theme import Theme
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

HIGH = 300.0
BELOW = 40.0
SIZES = (10_000_000, 20_000_000, 50_000_000, 100_000_000, 200_000_000, 500_000_000)
COLOURS = ("bar", "bar_original", "positive", "mask")
RADIUS = 5.0


@dataclass(frozen=True)
class Point:
    """One model.

    Attributes:
        words: Its name.
        size: Parameters.
        score: Of the measure that was chosen.
        group: The number of its table, for colour and shape.
        source: Where both stand.
    """

    words: str
    size: int
    score: float
    group: int
    source: str


class Scatter:
    """Points over a logarithmic axis of sizes."""

    def __init__(self, points: Sequence[Point], measure: str, width: float) -> None:
        self._points = points
        self._measure = measure
        self.width = width
        self.height = HIGH + BELOW
        self._left = 46.0
        self._plane = QRectF(self._left, 8, width - self._left - 16, HIGH - 16)
        scores = [point.score for point in points] or [0.0, 1.0]
        pad = max(1.0, 0.12 * (max(scores) - min(scores)))
        self._low, self._high = min(scores) - pad, max(scores) + pad
        sizes = [point.size for point in points] or [10**7, 10**9]
        self._small, self._large = math.log(min(sizes) / 1.5), math.log(max(sizes) * 1.8)
        self.places = [self._place(point.size, point.score) for point in points]
        self._labels = self._room_for_labels()
        self.spots = tuple(
            Spot(
                QRectF(at.x() - 8, at.y() - 8, 16, 16),
                None,
                f"{point.words}\n{in_words(point.size)}, {measure} {point.score:.1f}\n"
                f"{point.source}",
                f"{point.words}, {in_words(point.size)}, {point.score:g}",
            )
            for point, at in zip(points, self.places, strict=True)
        )

    def _place(self, size: int, score: float) -> QPointF:
        across = (math.log(size) - self._small) / (self._large - self._small)
        up = (score - self._low) / (self._high - self._low)
        return QPointF(
            self._plane.left() + across * self._plane.width(),
            self._plane.bottom() - up * self._plane.height(),
        )

    def _room_for_labels(self) -> list[QRectF | None]:
        """A place for each name that overlaps no other, right of its point or left of it."""
        taken: list[QRectF] = [QRectF(p.x() - 6, p.y() - 6, 12, 12) for p in self.places]
        found: list[QRectF | None] = []
        high = text_height("small")
        for point, at in zip(self._points, self.places, strict=True):
            wide = text_width("small", point.words) + 2
            tries = [
                QRectF(at.x() + 9, at.y() - high / 2, wide, high),
                QRectF(at.x() - 9 - wide, at.y() - high / 2, wide, high),
                QRectF(at.x() - wide / 2, at.y() - 8 - high, wide, high),
                QRectF(at.x() - wide / 2, at.y() + 8, wide, high),
            ]
            free = (
                box
                for box in tries
                if self._plane.adjusted(-2, -6, 14, 6).contains(box)
                and not any(box.intersects(other) for other in taken)
            )
            box = next(free, None)
            if box is not None:
                taken.append(box)
            found.append(box)
        return found

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Axes, points, names."""
        self._paint_axes(painter, theme)
        for point, at, label in zip(self._points, self.places, self._labels, strict=True):
            colour = QColor(theme.colour(COLOURS[point.group % len(COLOURS)]))
            painter.setPen(QPen(theme.surface, 1.0))
            painter.setBrush(colour)
            box = QRectF(at.x() - RADIUS, at.y() - RADIUS, 2 * RADIUS, 2 * RADIUS)
            if point.group % 2:
                painter.drawRect(box)
            else:
                painter.drawEllipse(box)
            if label is not None:
                draw_text(painter, label, point.words, "small", theme.text)

    def _paint_axes(self, painter: QPainter, theme: Theme) -> None:
        painter.setPen(QPen(theme.border, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._plane)
        high = text_height("small")
        step = _step(self._high - self._low)
        score = math.ceil(self._low / step) * step
        while score <= self._high:
            y = self._place(10**8, score).y()
            painter.setPen(QPen(theme.border, 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(self._plane.left(), y), QPointF(self._plane.right(), y))
            box = QRectF(0, y - high / 2, self._left - 6, high)
            right = Qt.AlignmentFlag.AlignRight
            draw_text(painter, box, f"{score:g}", "small", theme.muted, right)
            score += step
        for size in SIZES:
            if not self._small <= math.log(size) <= self._large:
                continue
            x = self._place(size, self._low).x()
            painter.setPen(QPen(theme.border, 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, self._plane.top()), QPointF(x, self._plane.bottom()))
            box = QRectF(x - 40, self._plane.bottom() + 2, 80, high)
            draw_text(painter, box, f"{size // 10**6} M", "small", theme.muted)
        box = QRectF(self._plane.left(), self._plane.bottom() + high + 2, self._plane.width(), high)
        words = f"parameters, and {self._measure} upwards"
        draw_text(painter, box, words, "small", theme.muted)


def _step(span: float) -> float:
    """A round distance between lines, for about five of them."""
    raw = max(span / 5, 1e-6)
    power: float = 10.0 ** math.floor(math.log10(raw))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= raw)
