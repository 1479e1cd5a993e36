"""Axes and what stands between them, as a scene of pyqtgraph's. Imported in the background.

One scene serves every device: the widget paints it on the screen, a figure into a file.
"""

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QLineF, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from explorer.ui.charts.description import Axis, Chart, Marker
from explorer.ui.charts.drawing import Mapping, paint_series
from explorer.ui.charts.limits import Limits, limits_of, place_one, ticks_in
from explorer.ui.guarded import guarded
from explorer.ui.theme import Theme, current_theme
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

# Its own clearing up at the end touches items that Qt has deleted already.
pg.setConfigOption("exitCleanup", False)

RIGHT = Qt.AlignmentFlag.AlignRight
DEEPEST_ZOOM = 200.0
"""How many times larger than at rest something can be seen."""
STROKE = 3.0


@guarded
class ThemedAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis with the program's letters: numbers, thin lines across, no frame."""

    def __init__(self, orientation: str, canvas: "Canvas") -> None:
        super().__init__(orientation)
        self.canvas = canvas

    @property
    def described(self) -> Axis:
        """What it shows."""
        return self.canvas.chart.y if self.orientation == "left" else self.canvas.chart.x

    def ticks_seen(self) -> list[tuple[float, str]]:
        """Numbers in sight: places on the axis, and what is written."""
        low, high = self.range
        plane = self.canvas.plane
        upright = self.orientation == "left"
        size = plane.height() if upright else plane.width()
        each = 2.4 * text_height("small") if upright else 70.0
        most = max(2, int(size / each))
        if upright and plane.height() < 140:
            most = 2
        return ticks_in(self.described, low, high, most)

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """Lines across, strokes and numbers; in the scene's pixels, as everything here."""
        painter.translate(-self.pos())
        if self.orientation == "left":
            self._paint_left(painter, current_theme_of(self.canvas))
        else:
            self._paint_bottom(painter, current_theme_of(self.canvas))

    def boundingRect(self) -> QRectF:
        """All of the scene: lines go across the plot."""
        return self.canvas.whole.translated(-self.pos())

    def _paint_left(self, painter: QPainter, theme: Theme) -> None:
        plane, high = self.canvas.plane, text_height("small")
        low, top = self.range
        strong = [place_one(one, self.described, (low, top)) for one in self.described.strong]
        end = 1e9
        for at, text in self.ticks_seen():
            y = plane.bottom() - (at - low) / (top - low) * plane.height()
            if self.described.grid:
                is_strong = any(abs(at - one) < 1e-9 for one in strong)
                painter.setPen(QPen(theme.muted if is_strong else theme.border, 1.0))
                painter.drawLine(QLineF(plane.left(), y, plane.right(), y))
            if y + high / 2 <= end + 3:
                box = QRectF(0, y - high / 2, plane.left() - 6, high)
                draw_text(painter, box, text, "small", theme.muted, RIGHT)
                end = y - high / 2

    def _paint_bottom(self, painter: QPainter, theme: Theme) -> None:
        plane, high, axis = self.canvas.plane, text_height("small"), self.described
        low, top = self.range
        end = -1e9
        below = plane.bottom() + 4 + (2 if axis.strokes else 0)
        for at, text in self.ticks_seen():
            x = plane.left() + (at - low) / (top - low) * plane.width()
            painter.setPen(QPen(theme.border, 1.0))
            upper = plane.top() if axis.grid else plane.bottom()
            painter.drawLine(QLineF(x, upper, x, plane.bottom() + STROKE))
            wide = text_width("small", text)
            left = min(max(x - wide / 2, plane.left() - 4), plane.right() - wide + 2)
            if left > end + 5:
                draw_text(painter, QRectF(left, below, wide + 1, high), text, "small", theme.muted)
                end = left + wide
        painter.setPen(QPen(theme.muted, 1.0))
        for one in axis.strokes:
            at = place_one(one, axis, (low, top))
            if low <= at <= top:
                x = plane.left() + (at - low) / (top - low) * plane.width()
                painter.drawLine(QLineF(x, plane.bottom(), x, plane.bottom() + 5))
        if axis.title:
            box = QRectF(plane.left() - 12, below + high, plane.width() + 24, high)
            draw_text(painter, box, axis.title, "small", theme.muted)


def current_theme_of(canvas: "Canvas") -> Theme:
    """The theme a canvas is painted in."""
    return canvas.theme or current_theme()


@guarded
class SeriesItem(pg.GraphicsObject):  # type: ignore[misc]
    """The series, drawn in the scene's pixels over pyqtgraph's view box."""

    def __init__(self, canvas: "Canvas", *, behind: bool = False) -> None:
        super().__init__()
        self.canvas, self.behind = canvas, behind

    def boundingRect(self) -> QRectF:
        """All of the scene."""
        return self.canvas.whole

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """The ground and the frame, or lines, points, bars and the marker."""
        canvas, theme = self.canvas, current_theme_of(self.canvas)
        if self.behind:
            if canvas.chart.ground:
                painter.fillRect(canvas.plane, theme.colour(canvas.chart.ground))
            if canvas.chart.frame:
                painter.setPen(QPen(theme.border, 1.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(canvas.plane)
            return
        paint_series(painter, theme, canvas.mapping(), canvas.marker, canvas.hidden)


class Canvas:
    """A chart's scene: pyqtgraph's view box holds what is in sight, its axes say where that is.

    Attributes:
        chart: What is shown.
        marker: The chart's, or where it was dragged to.
        hidden: Names of lines that are not drawn.
        whole: The scene, in pixels.
        plane: Between the axes.
        theme: To be painted in; None for the one in force.
    """

    def __init__(self, chart: Chart, parent: QObject | None = None) -> None:
        self.chart = chart
        self.theme: Theme | None = None
        self.marker: Marker | None = chart.marker
        self.hidden: frozenset[str] = frozenset()
        self.whole = self.plane = QRectF(0, 0, 100, 100)
        # With a parent, Qt deletes the scene with it and asks no collector of Python's, which
        # may run in any thread.
        self.scene = pg.GraphicsScene(parent=parent)
        self.box = pg.ViewBox(enableMenu=False)
        self.full: tuple[Limits, Limits] = ((0.0, 1.0), (0.0, 1.0))
        self.left, self.bottom = ThemedAxis("left", self), ThemedAxis("bottom", self)
        items: list[QGraphicsItem] = [
            SeriesItem(self, behind=True),
            self.left,
            self.bottom,
            SeriesItem(self),
            self.box,
        ]
        for depth, item in enumerate(items):
            item.setZValue(depth)
            self.scene.addItem(item)
        self._items = items
        self.left.linkToView(self.box)
        self.bottom.linkToView(self.box)
        self.show_chart(chart)

    def show_chart(self, chart: Chart) -> None:
        """Show another one; where its axes stay as they are, so does what is in sight."""
        self.chart, self.marker = chart, chart.marker
        full = limits_of(chart)
        if full != self.full:
            zoomed = self.is_zoomed
            same = full[0] == self.full[0]
            seen = self.seen[0]
            self.full = full
            (left, right), (low, high) = full
            self.box.setLimits(
                xMin=left,
                xMax=right,
                yMin=low,
                yMax=high,
                minXRange=(right - left) / DEEPEST_ZOOM,
                minYRange=(high - low) / DEEPEST_ZOOM,
                maxXRange=right - left,
                maxYRange=high - low,
            )
            self.reset()
            if zoomed and same:
                self.box.setXRange(*seen, padding=0)
        self.scene.update()

    def arrange(self, width: float, height: float, plane: QRectF) -> None:
        """Take a size."""
        self.plane = plane
        self.whole = QRectF(0, 0, width, height)
        self.scene.setSceneRect(self.whole)
        self.box.setGeometry(plane)
        self.left.setGeometry(QRectF(0, plane.top(), plane.left(), plane.height()))
        self.bottom.setGeometry(
            QRectF(plane.left(), plane.bottom(), plane.width(), height - plane.bottom())
        )

    @property
    def seen(self) -> tuple[Limits, Limits]:
        """What is in sight, as places on both axes."""
        (left, right), (low, high) = self.box.viewRange()
        return (left, right), (low, high)

    @property
    def is_zoomed(self) -> bool:
        """Less than everything is in sight."""
        return any(
            abs(a - b) > (whole[1] - whole[0]) * 1e-6
            for now, whole in zip(self.seen, self.full, strict=True)
            for a, b in zip(now, whole, strict=True)
        )

    def mapping(self) -> Mapping:
        """From numbers to pixels, for what is in sight."""
        return Mapping(self.chart, self.full, self.seen, self.plane)

    def zoom_by(self, factor: float, x: float, y: float, *, across_only: bool = False) -> None:
        """See less of it (a factor above 1) or more, about a pixel that stays where it is."""
        about = self.place_at(x, y)
        self.box.scaleBy((1 / factor, 1 if across_only else 1 / factor), center=pg.Point(*about))

    def pan_by(self, dx: float, dy: float) -> None:
        """Move what is seen by so many pixels."""
        (left, right), (low, high) = self.seen
        across = -dx / self.plane.width() * (right - left)
        up = dy / self.plane.height() * (high - low)
        (first, last), (least, most) = self.full
        # Moved as far as there is something to see: a range that is cut off would be a zoom.
        across = min(max(across, first - left), last - right)
        up = min(max(up, least - low), most - high)
        self.box.translateBy(x=across, y=up)

    def reset(self) -> None:
        """See everything."""
        (left, right), (low, high) = self.full
        self.box.setRange(xRange=(left, right), yRange=(low, high), padding=0)

    def place_at(self, x: float, y: float) -> tuple[float, float]:
        """Places on both axes at a pixel."""
        (left, right), (low, high) = self.seen
        across = (x - self.plane.left()) / self.plane.width()
        up = (self.plane.bottom() - y) / self.plane.height()
        return left + across * (right - left), low + up * (high - low)

    def render(self, painter: QPainter, theme: Theme | None = None) -> None:
        """Paint it on any device, its corner at (0, 0)."""
        self.theme = theme
        self.scene.prepareForPaint()
        painter.save()
        self.scene.render(painter, self.whole, self.whole, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.restore()

    def delete(self) -> None:
        """Delete the scene and all that is in it, now."""
        shiboken6.delete(self.scene)
