"""How series look: drawn in pixels, so that lines and dots are as thick on paper as on screen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import significant
from explorer.ui.charts.description import Bars, Chart, Dash, Line, Marker, Points
from explorer.ui.charts.limits import Limits, place, place_one
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

Where = TypeVar("Where", float, "Values")
"""One place, or many."""

DASHES: dict[Dash, tuple[float, ...]] = {
    "solid": (),
    "dash": (3.0, 2.0),
    "dot": (1.0, 2.0),
    "dash dot": (3.0, 2.0, 1.0, 2.0),
}
ABOVE, BELOW = 200, 55
"""Where in the diverging colours bars above and below stand: length says how much."""
OVER = 3.0
"""Pixels by which what is drawn may stand over the plane's edges."""
DOT = 3.6


@dataclass(frozen=True)
class Mapping:
    """From numbers to pixels.

    Attributes:
        chart: Whose axes.
        full: Where both axes begin and end while everything is shown.
        seen: What of them is seen.
        plane: Where that is, in pixels.
    """

    chart: Chart
    full: tuple[Limits, Limits]
    seen: tuple[Limits, Limits]
    plane: QRectF

    def x_at(self, places: Where) -> Where:
        """Pixels from the left of places on the axis below."""
        low, high = self.seen[0]
        return self.plane.left() + (places - low) / (high - low) * self.plane.width()

    def y_at(self, places: Where) -> Where:
        """Pixels from above of places on the axis at the left."""
        low, high = self.seen[1]
        return self.plane.bottom() - (places - low) / (high - low) * self.plane.height()

    def across(self, x: "Values") -> "Values":
        """Pixels from the left."""
        return self.x_at(place(x, self.chart.x, self.full[0]))

    def up(self, y: "Values") -> "Values":
        """Pixels from above."""
        return self.y_at(place(y, self.chart.y, self.full[1]))

    def x(self, value: float) -> float:
        """Of one number."""
        return self.x_at(place_one(value, self.chart.x, self.full[0]))

    def y(self, value: float) -> float:
        """Of one number."""
        return self.y_at(place_one(value, self.chart.y, self.full[1]))

    def point(self, x: float, y: float) -> QPointF:
        """Of two numbers."""
        return QPointF(self.x(x), self.y(y))

    def points(self, x: "Values", y: "Values") -> list[QPointF]:
        """Of many; what is no number is left out."""
        import numpy as np

        across, up = self.across(x), self.up(y)
        fine = np.isfinite(across) & np.isfinite(up)
        pairs = zip(across[fine].tolist(), up[fine].tolist(), strict=True)
        return [QPointF(a, b) for a, b in pairs]


def pen(colour: QColor, width: float, dash: Dash = "solid") -> QPen:
    """A pen of so many pixels."""
    made = QPen(colour, width)
    if DASHES[dash]:
        made.setDashPattern(list(DASHES[dash]))
    return made


def colour_of(theme: Theme, name: str) -> QColor:
    """A colour of the theme, or an end of its diverging colours."""
    if name in ("above", "below"):
        at = ABOVE if name == "above" else BELOW
        red, green, blue, _ = (int(part) for part in theme.diverging[at])
        return QColor(red, green, blue)
    return theme.colour(name)


def paint_series(
    painter: QPainter, theme: Theme, at: Mapping, marker: Marker | None, hidden: frozenset[str]
) -> None:
    """Everything between the axes.

    Args:
        painter: On any device.
        theme: Colours.
        at: Where numbers are.
        marker: The chart's, wherever it was dragged to.
        hidden: Names of lines that are not drawn.
    """
    chart, plane = at.chart, at.plane
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside = plane.adjusted(-OVER, -OVER, OVER, OVER)
    painter.setClipRect(inside, Qt.ClipOperation.IntersectClip)
    for one in chart.series:
        if isinstance(one, Bars):
            _paint_bars(painter, theme, at, one)
    for line in chart.references:
        painter.setPen(pen(theme.colour(line.colour), 1.0, line.dash))
        painter.drawLine(QLineF(at.point(*line.start), at.point(*line.end)))
    for one in chart.series:
        if isinstance(one, Line) and one.name not in hidden:
            _paint_line(painter, theme, at, one)
    painter.restore()
    for one in chart.series:
        if isinstance(one, Points):
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            # One that lies on an edge is whole.
            over = max(OVER, one.radius + 1)
            reach = plane.adjusted(-over, -over, over, over)
            painter.setClipRect(reach, Qt.ClipOperation.IntersectClip)
            _paint_points(painter, theme, at, one)
            painter.restore()
    if marker is not None:
        _paint_marker(painter, theme, at, marker, hidden)


def _paint_line(painter: QPainter, theme: Theme, at: Mapping, line: Line) -> None:
    colour = theme.colour(line.colour)
    pale = QColor(colour)
    points = at.points(line.x, line.y)
    painter.setPen(Qt.PenStyle.NoPen)
    if line.band is not None:
        pale.setAlpha(45)
        painter.setBrush(pale)
        above = at.points(line.x, line.band[1])
        painter.drawPolygon(QPolygonF([*above, *reversed(at.points(line.x, line.band[0]))]))
    if line.filled and points:
        pale.setAlpha(36)
        painter.setBrush(pale)
        ends = [points[-1], points[0]]
        down = [QPointF(end.x(), at.plane.bottom()) for end in ends]
        painter.drawPolygon(QPolygonF([*points, *down]))
    colour.setAlphaF(line.opacity)
    painter.setPen(pen(colour, line.width, line.dash))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


def _paint_bars(painter: QPainter, theme: Theme, at: Mapping, bars: Bars) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    base = at.y(bars.base)
    lefts, rights, ends = at.across(bars.left), at.across(bars.right), at.up(bars.y)
    many = len(bars.colours) > 1
    for n in range(len(lefts)):
        wide = float(rights[n] - lefts[n])
        seam = bars.seam if wide >= 4 else 0.0
        high = float(ends[n])
        box = QRectF(float(lefts[n]), min(high, base), wide - seam, max(abs(base - high), 0.5))
        painter.fillRect(box, colour_of(theme, bars.colours[n if many else 0]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _paint_points(painter: QPainter, theme: Theme, at: Mapping, points: Points) -> None:
    places = at.points(points.x, points.y)
    names = room_for_names(at, points, places)
    size, seen = points.radius, at.plane.adjusted(-OVER, -OVER, OVER, OVER)
    # The first have their names first, and lie on top.
    for n, middle in reversed(list(enumerate(places))):
        if not seen.contains(middle):
            continue
        painter.setPen(QPen(theme.surface, 1.0))
        painter.setBrush(theme.colour(points.colours[n % len(points.colours)]))
        box = QRectF(middle.x() - size, middle.y() - size, 2 * size, 2 * size)
        if n < len(points.squares) and points.squares[n]:
            painter.drawRect(box)
        else:
            painter.drawEllipse(box)
    crossed = any(isinstance(one, Line) for one in at.chart.series)
    for n, name in enumerate(names):
        if name is not None:
            if crossed:  # a name can't be read on lines
                ground = QColor(theme.surface)
                ground.setAlpha(215)
                painter.fillRect(name, ground)
            draw_text(painter, name, points.names[n], "small", theme.text)


def room_for_names(at: Mapping, points: Points, places: list[QPointF]) -> list[QRectF | None]:
    """A place for each name that overlaps no other: right of its point, left, above, below."""
    taken = [QRectF(p.x() - 6, p.y() - 6, 12, 12) for p in places]
    room = at.plane.adjusted(-2, -6, 0, 6)
    found: list[QRectF | None] = []
    high = text_height("small")
    for name, point in zip(points.names, places, strict=True):
        x, y, wide = point.x(), point.y(), text_width("small", name) + 2
        tries = (
            QRectF(x + 9, y - high / 2, wide, high),
            QRectF(x - 9 - wide, y - high / 2, wide, high),
            QRectF(x - wide / 2, y - 8 - high, wide, high),
            QRectF(x - wide / 2, y + 8, wide, high),
            *(
                QRectF(left, top, wide, high)
                for top in (y - 5 - high, y + 5)
                for left in (x + 5, x - 5 - wide)
            ),
        )
        free = (
            box
            for box in tries
            if room.contains(box) and not any(box.intersects(other) for other in taken)
        )
        box = next(free, None) if name else None
        if box is not None:
            taken.append(box)
        found.append(box)
    return found


def _paint_marker(
    painter: QPainter, theme: Theme, at: Mapping, marker: Marker, hidden: frozenset[str]
) -> None:
    x, plane = at.x(marker.x), at.plane
    if not plane.left() - 1 <= x <= plane.right() + 1:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(theme.colour(marker.colour), 1.2, marker.dash))
    painter.drawLine(QLineF(x, plane.top(), x, plane.bottom() + 3))
    painter.setPen(Qt.PenStyle.NoPen)
    for line in at.chart.lines:
        if line.marked and line.name not in hidden:
            middle = QPointF(x, at.y(value_at(at.chart, line, marker.x)))
            if plane.adjusted(-1, -1, 1, 1).contains(middle):
                painter.setBrush(theme.colour(line.colour))
                painter.drawEllipse(middle, DOT, DOT)


def value_at(chart: Chart, line: Line, x: float) -> float:
    """A line's value anywhere, between its points in a straight line."""
    import numpy as np

    if chart.x.logarithmic:
        return float(np.interp(np.log(x), np.log(line.x), line.y))
    return float(np.interp(x, line.x, line.y))


def stops(chart: Chart) -> list[tuple[float, float]]:
    """Where the cross-hair can stand: x and y of points, of bars, or of the first line."""
    for one in chart.series:
        if isinstance(one, Points):
            return list(zip(one.x.tolist(), one.y.tolist(), strict=True))
    bars = [one for one in chart.series if isinstance(one, Bars)]
    if bars:
        most = max(bars, key=lambda one: len(one.left))
        middle = (most.left + most.right) / 2
        return list(zip(middle.tolist(), most.y.tolist(), strict=True))
    best = max(chart.lines, key=lambda line: len(line.x), default=None)
    return list(zip(best.x.tolist(), best.y.tolist(), strict=True)) if best else []


def act_of(chart: Chart, stop: int) -> Any:
    """What choosing the point does on which the cross-hair stands; None for nothing."""
    for one in chart.series:
        if isinstance(one, Points):
            return one.acts[stop] if one.acts else None
    return None


Said = Callable[[float], str]


def said_at(chart: Chart, stop: int, hidden: frozenset[str]) -> str:
    """What the cross-hair reads where it stands."""
    x, _ = stops(chart)[stop]
    if chart.readout is not None:
        return chart.readout(x)
    for one in chart.series:
        if isinstance(one, Points):
            return one.words[stop]
    title = chart.x.title or "x"
    number = f"{x:,.0f}" if chart.x.whole else significant(x, 4)
    lines = [f"{chart.at or title} = {number}" if chart.at else f"{title} {number}"]
    lines += [
        f"{isolated(line.name)}: {significant(value_at(chart, line, x), 4)}"
        for line in chart.lines
        if line.name not in hidden and line.x[0] <= x <= line.x[-1]
    ]
    return "\n".join(lines)
