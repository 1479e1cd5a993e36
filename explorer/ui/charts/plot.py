"""A chart's scene: axes, series and marker. Imported in the background, for it needs pyqtgraph."""

from itertools import pairwise

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.charts.description import Chart, Marker
from explorer.ui.charts.drawing import Mapping, paint_series
from explorer.ui.charts.limits import limits_of, numbers_beside, place_one, ticks_in
from explorer.ui.charts.scene import PlotScene
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

RIGHT = Qt.AlignmentFlag.AlignRight
STROKE = 3.0
APART = 5.0
"""Pixels at least between the words of two ticks below the plot."""
EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Of ticks whose words would touch, every so many have them."""


class Canvas(PlotScene):
    """What a chart shows, of which the view box knows the part that is in sight.

    Attributes:
        chart: What is shown.
        marker: The chart's, or where it was dragged to.
        hidden: Names of lines that are not drawn.
    """

    def __init__(self, chart: Chart, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.chart = chart
        self.marker: Marker | None = chart.marker
        self.hidden: frozenset[str] = frozenset()
        self.add_layer(self._paint_ground)
        self.add_layer(self._paint_left)
        self.add_layer(self._paint_bottom)
        self.add_layer(self._paint_series)
        self.show_chart(chart)

    def show_chart(self, chart: Chart) -> None:
        """Show another one; where its axes stay as they are, so does what is in sight."""
        self.chart, self.marker = chart, chart.marker
        full = limits_of(chart)
        if full != self.full:
            stays = self.is_zoomed and full[0] == self.full[0]
            across = self.seen[0] if stays else full[0]
            self.full = full
            self.see(across, full[1])
        self.scene.update()

    def mapping(self) -> Mapping:
        """From numbers to pixels, for what is in sight."""
        return Mapping(self.chart, self.full, self.seen, self.plane)

    # ---- painting ---------------------------------------------------------------------------

    def _paint_ground(self, painter: QPainter, theme: Theme) -> None:
        if self.chart.frame:
            painter.setPen(QPen(theme.border, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.plane)

    def _paint_series(self, painter: QPainter, theme: Theme) -> None:
        paint_series(painter, theme, self.mapping(), self.marker, self.hidden)

    def _paint_left(self, painter: QPainter, theme: Theme) -> None:
        axis, plane, high = self.chart.y, self.plane, text_height("small")
        (low, top), at_pixels = self.seen[1], self.mapping().y_at
        strong = [place_one(one, axis, (low, top)) for one in axis.strong]
        end = 1e9
        for at, text in ticks_in(axis, low, top, numbers_beside(plane.height())):
            y = at_pixels(at)
            if axis.grid:
                is_strong = any(abs(at - one) < 1e-9 for one in strong)
                painter.setPen(QPen(theme.muted if is_strong else theme.border, 1.0))
                painter.drawLine(QLineF(plane.left(), y, plane.right(), y))
            if y + high / 2 <= end + 3:
                box = QRectF(0, y - high / 2, plane.left() - 6, high)
                draw_text(painter, box, text, "small", theme.muted, RIGHT)
                end = y - high / 2

    def _paint_bottom(self, painter: QPainter, theme: Theme) -> None:
        axis, plane, high = self.chart.x, self.plane, text_height("small")
        (low, top), at_pixels = self.seen[0], self.mapping().x_at
        below = plane.bottom() + 4 + (2 if axis.strokes else 0)
        for x, left, wide, text in self._room_below(
            ticks_in(axis, low, top, max(2, int(plane.width() / 70)))
        ):
            painter.setPen(QPen(theme.border, 1.0))
            upper = plane.top() if axis.grid else plane.bottom()
            painter.drawLine(QLineF(x, upper, x, plane.bottom() + STROKE))
            draw_text(painter, QRectF(left, below, wide + 1, high), text, "small", theme.muted)
        painter.setPen(QPen(theme.muted, 1.0))
        for one in axis.strokes:
            at = place_one(one, axis, (low, top))
            if low <= at <= top:
                foot = QPointF(at_pixels(at), plane.bottom())
                painter.drawLine(foot, foot + QPointF(0, 5))
        if axis.title:
            box = QRectF(plane.left() - 12, below + high, plane.width() + 24, high)
            draw_text(painter, box, axis.title, "small", theme.muted)

    def _room_below(self, ticks: list[tuple[float, str]]) -> list[tuple[float, float, float, str]]:
        """Ticks whose words do not touch: of equal distances every second, or every fifth.

        Returns:
            Where each is, where its words begin, how wide they are, and they themselves.
        """
        plane, found, at_pixels = self.plane, [], self.mapping().x_at
        for at, text in ticks:
            x, wide = at_pixels(at), text_width("small", text)
            left = min(max(x - wide / 2, plane.left() - 4), plane.right() - wide + 2)
            found.append((x, left, wide, text))
        apart = [b[0] - a[0] for a, b in pairwise(found)]
        if apart and max(apart) < 1.01 * min(apart):
            for step in (*EVERY, len(found)):
                kept = found[::step]
                if all(a[1] + a[2] + APART < b[1] for a, b in pairwise(kept)):
                    return kept
        kept = []
        for one in found:
            if not kept or kept[-1][1] + kept[-1][2] + APART < one[1]:
                kept.append(one)
        return kept
