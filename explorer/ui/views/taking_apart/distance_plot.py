"""What positions add to a score, against the distance between two tokens."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.operations.disentangle import DisentangleResult, DistanceBias
from explorer.ui.matrices.scale import number, short
from explorer.ui.theme import Theme
from explorer.ui.views.taking_apart.part_switches import NAMES
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
PLOT = 190.0
"""Height of the axes, in pixels."""
COLOURS = {"c2p": "bar", "p2c": "bar_original"}


class DistancePlot:
    """A block: a line a part for one head, thin ones for the layer's others.

    Args:
        result: With biases.
        width: In pixels.
        whole: All distances that the model tells apart; else those that this text has.
    """

    def __init__(self, result: DisentangleResult, width: float, *, whole: bool) -> None:
        self._result, self._width = result, width
        reach = int(result.distances.max(initial=0))
        if not whole:
            reach = min(reach, max(len(result.tokens) - 1, 8))
        self.reach = reach
        middle = len(result.distances) // 2
        self._cut = slice(middle - reach, middle + reach + 1)
        shown = [abs(one.mean[:, self._cut]) for one in result.biases]
        head = result.head
        shown += [
            abs(one.mean[head, self._cut]) + one.deviation[head, self._cut] for one in result.biases
        ]
        self.largest = max([float(one.max(initial=0.0)) for one in shown] or [0.0]) or 1.0
        small = text_height("small")
        self._key = small + 8
        self._left = max(text_width("small", short(-self.largest)), 30.0) + 8
        self._plane = QRectF(self._left, self._key, width - self._left - 4, PLOT)
        self.height = self._key + PLOT + 3 * small + 12
        self.spots = tuple(self._spots())

    # ---- where things are -------------------------------------------------------------------

    def _x(self, distance: float) -> float:
        share = (distance + self.reach) / max(2 * self.reach, 1)
        return self._plane.left() + share * self._plane.width()

    def _y(self, value: float) -> float:
        return self._plane.center().y() - value / self.largest * (PLOT / 2 - 6)

    def _spots(self) -> list[Spot]:
        """A column a distance, or several of them where they are narrower than three pixels."""
        distances = self._result.distances[self._cut]
        wide = self._plane.width() / max(len(distances), 1)
        step = max(1, int(3 / max(wide, 1e-6)))
        spots = []
        for at in range(0, len(distances), step):
            distance = int(distances[at])
            box = QRectF(
                self._x(distance) - wide / 2, self._plane.top(), wide * step, self._plane.height()
            )
            words = self.words_at(distance)
            spots.append(Spot(box.intersected(self._plane), None, words, words))
        return spots

    def words_at(self, distance: int) -> str:
        """What is said of a distance."""
        result = self._result
        at = int(distance) + len(result.distances) // 2
        side = "right" if distance > 0 else "left"
        tokens = "token" if abs(distance) == 1 else "tokens"
        lines = [f"Key {abs(distance)} {tokens} to the {side}" if distance else "The token itself"]
        bucket = int(result.buckets[at])
        if bucket != distance:
            same = result.distances[result.buckets == bucket]
            lines[0] += f" (bucket {bucket}: {int(same.min())} to {int(same.max())})"
        for one in result.biases:
            mean = float(one.mean[result.head, at])
            deviation = float(one.deviation[result.head, at])
            lines.append(f"{one.part}: {number(mean, signed=True)} ± {number(deviation)}")
        return "\n".join(lines)

    # ---- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The key, the axes, the lines."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_key(painter, theme)
        self._paint_axes(painter, theme)
        painter.save()
        painter.setClipRect(self._plane)
        head = self._result.head
        for one in self._result.biases:
            colour = theme.colour(COLOURS[one.part])
            pale = QColor(colour)
            pale.setAlpha(70)
            for other in range(len(one.mean)):
                if other != head:
                    painter.setPen(QPen(pale, 1))
                    painter.drawPolyline(QPolygonF(self._line(one.mean[other])))
        for one in self._result.biases:
            self._paint_band(painter, theme, one)
        for one in self._result.biases:
            painter.setPen(QPen(theme.colour(COLOURS[one.part]), 2.2))
            painter.drawPolyline(QPolygonF(self._line(one.mean[head])))
        painter.restore()

    def _line(self, values: "NDArray[np.float32]") -> list[QPointF]:
        distances = self._result.distances[self._cut]
        return [
            QPointF(self._x(float(d)), self._y(float(v)))
            for d, v in zip(distances, values[self._cut], strict=True)
        ]

    def _paint_band(self, painter: QPainter, theme: Theme, one: DistanceBias) -> None:
        head = self._result.head
        above = self._line(one.mean[head] + one.deviation[head])
        below = self._line(one.mean[head] - one.deviation[head])
        colour = QColor(theme.colour(COLOURS[one.part]))
        colour.setAlpha(45)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([*above, *reversed(below)]))

    def _paint_key(self, painter: QPainter, theme: Theme) -> None:
        x, high = self._left, text_height("small")
        for one in self._result.biases:
            painter.setPen(QPen(theme.colour(COLOURS[one.part]), 2.2))
            painter.drawLine(QLineF(x, high / 2, x + 18, high / 2))
            words = f"{one.part}, {NAMES[one.part]}"
            wide = text_width("small", words) + 4
            draw_text(painter, QRectF(x + 24, 0, wide, high), words, "small", theme.text, LEFT)
            x += 24 + wide + 16
        words = "thin: the layer's other heads; band: the deviation over the text's tokens"
        room = self._width - x
        if text_width("small", words) < room:
            draw_text(painter, QRectF(x, 0, room, high), words, "small", theme.muted, LEFT)

    def _paint_axes(self, painter: QPainter, theme: Theme) -> None:
        plane, high = self._plane, text_height("small")
        painter.setPen(QPen(theme.border, 1))
        painter.drawRect(plane)
        for value in (-self.largest, 0.0, self.largest):
            y = self._y(value)
            painter.setPen(QPen(theme.muted if value == 0 else theme.border, 1))
            painter.drawLine(QLineF(plane.left(), y, plane.right(), y))
            box = QRectF(0, y - high / 2, self._left - 6, high)
            draw_text(painter, box, short(value), "small", theme.muted, RIGHT)
        x = self._x(0)
        painter.setPen(QPen(theme.muted, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(x, plane.top(), x, plane.bottom()))
        self._paint_buckets(painter, theme)
        below = plane.bottom() + 6
        for tick in _ticks(self.reach):
            wide = text_width("small", f"{tick:+d}") + 8
            box = QRectF(self._x(tick) - wide / 2, below, wide, high)
            box.moveRight(min(box.right(), self._width))
            text = f"{tick:+d}".replace("-", "−") if tick else "0"
            draw_text(painter, box, text, "small", theme.muted)
        words = "place of the key minus place of the query"
        box = QRectF(plane.left(), below + high, plane.width(), high)
        draw_text(painter, box, words, "small", theme.muted)

    def _paint_buckets(self, painter: QPainter, theme: Theme) -> None:
        """A short stroke below the axis wherever a bucket begins."""
        buckets = self._result.buckets[self._cut]
        distances = self._result.distances[self._cut]
        if not len(distances) or (buckets == distances).all():
            return
        bottom = self._plane.bottom()
        painter.setPen(QPen(theme.muted, 1))
        for at in range(1, len(buckets)):
            if buckets[at] != buckets[at - 1]:
                x = (self._x(float(distances[at])) + self._x(float(distances[at - 1]))) / 2
                painter.drawLine(QLineF(x, bottom, x, bottom + 5))


def _ticks(reach: int) -> list[int]:
    """Round distances on both sides."""
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if reach / s <= 6), 1000)
    positive = list(range(step, reach + 1, step))
    return [*(-one for one in reversed(positive)), 0, *positive]
