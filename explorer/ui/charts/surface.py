"""A chart on the screen: its scene, what is in sight of it, the cross-hair, its size."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.ui.charts.description import Chart, Points
from explorer.ui.charts.drawing import said_at, stops
from explorer.ui.charts.layout import ChartLayout, plot_height
from explorer.ui.charts.limits import Limits, number_at, written
from explorer.ui.charts.plot_view import PlotView
from explorer.ui.charts.readout import paint_readout
from explorer.ui.controls.gliding import Glide
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Theme, current_theme
from explorer.ui.typesetting.one_line import draw_text, text_height

if TYPE_CHECKING:
    from explorer.ui.charts.plot import Canvas

NEAR = 14.0
"""Pixels from a point within which it is read."""
NARROWEST = 120


@guarded
class ChartSurface(PlotView["Canvas"]):
    """Shows one chart as wide as it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("chart", parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._given: Chart | None = None
        self._chart: Chart | None = None
        self._layout: ChartLayout | None = None
        self._beside = self._titles = 0
        self._switched = self._drags_marker = False
        self._before: Limits | None = None
        self._glide = Glide(self)
        self._glide.moved.connect(self._go)
        self._glide.ended.connect(self._forget_axis)

    # ---- what it shows ----------------------------------------------------------------------

    @property
    def chart(self) -> Chart | None:
        """What is shown, with the axis that was chosen."""
        return self._chart

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the lines that are not drawn."""
        return self.canvas.hidden if self.canvas is not None else frozenset()

    def show_content(self, content: Chart | ChartLayout) -> None:
        """Show another one; what is zoomed in on stays where the axes do."""
        at = content if isinstance(content, ChartLayout) else ChartLayout(content, 0.0, 0.0)
        chart, self._beside, self._titles = at.chart, at.beside, at.titles
        if self._given is not None and chart.title != self._given.title:
            self._switched, self._pointed = False, None
            if self.canvas is not None:
                self.canvas.hidden = frozenset()
                self.canvas.reset()
        self._given = chart
        self._apply()

    def _apply(self) -> None:
        chart = self._given
        if chart is None:
            return
        if self._switched:
            y = replace(chart.y, logarithmic=not chart.y.logarithmic, low=None, high=None)
            chart = replace(chart, y=y)
        then, self._chart, self._layout = self._chart, chart, None
        if self._pointed is not None and self._pointed >= len(stops(chart)):
            self._pointed = None
        if self.canvas is not None:
            before = self.canvas.full[1]
            self.canvas.show_chart(chart)
            self._arrange()
            if then is not None and _are_alike(then, chart):
                self._follow_axis(before)
        self.setAccessibleName(chart.title or self.accessibleName())
        self._describe()
        self.updateGeometry()
        self.update()

    def _follow_axis(self, before: Limits) -> None:
        """Go from where the upright axis was to where it is, of the same chart."""
        canvas = self.canvas
        if canvas is not None and before != canvas.full[1] == canvas.seen[1]:
            self._before = before
            self._glide.begin()

    def _go(self, share: float) -> None:
        canvas, before = self.canvas, self._before
        if canvas is None or before is None:
            return
        low, high = (a + (b - a) * share for a, b in zip(before, canvas.full[1], strict=True))
        canvas.box.setYRange(low, high, padding=0)
        self.update()

    def _forget_axis(self) -> None:
        self._before = None
        self.update()

    def _paint_before(self, painter: QPainter, theme: Theme, plane: QRectF) -> None:
        """Say where the axis was, while that is new."""
        chart, before = self._chart, self._before
        if chart is None or before is None:
            return
        low, high = (number_at(one, chart.y) for one in before)
        words = _(
            "axis was {low} to {high}", low=written(low, chart.y, 0), high=written(high, chart.y, 0)
        )
        box = QRectF(plane.left(), plane.top() + 1, plane.width() - 4, text_height("small"))
        draw_text(painter, box, words, "small", theme.accent, Qt.AlignmentFlag.AlignRight)

    def layout_now(self) -> ChartLayout | None:
        """Where everything stands."""
        if self._chart is None:
            return None
        if self._layout is None:
            self._layout = ChartLayout(
                self._chart,
                float(self.width()),
                plot_height(self._chart, float(self.width())),
                self._beside,
                self._titles,
            )
        return self._layout

    def _make_scene(self) -> "Canvas | None":
        if self._chart is None:
            return None
        from explorer.ui.charts.plot import Canvas

        return Canvas(self._chart, self)

    def _arrange(self) -> None:
        self._layout = None
        at = self.layout_now() if self.canvas is not None else None
        if at is not None and self.canvas is not None:
            self.canvas.place(at.width, at.height, at.plane)

    def _describe(self) -> None:
        chart, at = self._chart, self.layout_now()
        if chart is None or at is None:
            return
        if self._pointed is not None:
            said = said_at(chart, self._pointed, self.hidden).replace("\n", ". ")
        else:
            x = self._reads_at()
            said = chart.spoken or ", ".join(at.legend_words(line, x) for line in chart.lines)
        self.setAccessibleDescription(said)

    def _reads_at(self) -> float:
        """Where the legend's values are: at the cross-hair, at the marker, or at the end."""
        chart = self._chart
        assert chart is not None
        if self._pointed is not None and not any(isinstance(one, Points) for one in chart.series):
            stop: int = self._pointed
            return stops(chart)[stop][0]
        marker = self.canvas.marker if self.canvas is not None else chart.marker
        if marker is not None:
            return marker.x
        return float(chart.lines[0].x[-1]) if chart.lines else 0.0

    # ---- zoom, pan, cross-hair --------------------------------------------------------------

    def _zooms_across(self) -> bool:
        return bool(self._chart and self._chart.rows)

    def _centre(self) -> None:
        """Keys zoom about the middle of the plot."""

    def _shape(self) -> Any:
        return self.canvas.full if self.canvas is not None else None

    def look(self) -> Any:
        """What is in sight, which lines are hidden, and whether the axis was switched."""
        canvas, chart = self.canvas, self._chart
        if canvas is None or chart is None:
            return None
        hidden = tuple(n for n, one in enumerate(chart.lines) if one.name in canvas.hidden)
        seen = super().look()
        return (self._switched, hidden, seen) if self._switched or hidden or seen else None

    def take_look(self, look: Any) -> None:
        """Switch the axis, hide lines at the same places, zoom in where the axes are the same."""
        is_switched, hidden, seen = look
        if is_switched != self._switched:
            self.switch_axis()
        canvas, chart = self._drawn(), self._chart
        if canvas is None or chart is None:
            return
        canvas.hidden = frozenset(one.name for n, one in enumerate(chart.lines) if n in hidden)
        if seen is not None:
            super().take_look(seen)
        self._describe()
        self.update()

    def switch_axis(self) -> None:
        """Between powers of ten and a straight axis, where there is a choice."""
        if self._given is not None and self._given.y.switched:
            self._switched = not self._switched
            self._apply()
            self.show_all()

    def toggle(self, name: str) -> None:
        """Hide a line, or show it again."""
        canvas = self._drawn()
        if canvas is not None:
            canvas.hidden = canvas.hidden ^ {name}
            self._describe()
            self.update()

    def _box_of(self, stop: int | None) -> QRectF | None:
        canvas, chart = self._drawn(), self._chart
        if canvas is None or chart is None or stop is None:
            return None
        place = canvas.mapping().point(*stops(chart)[stop])
        return QRectF(place, place)

    def _place_at(self, point: QPointF) -> int | None:
        canvas, chart = self._drawn(), self._chart
        if (
            canvas is None
            or chart is None
            or not canvas.plane.adjusted(-4, -4, 4, 4).contains(point)
        ):
            return None
        mapping = canvas.mapping()
        places = [mapping.point(x, y) for x, y in stops(chart)]
        if not places:
            return None
        if any(isinstance(one, Points) for one in chart.series):
            far = [(place - point).manhattanLength() for place in places]
            near = min(range(len(far)), key=far.__getitem__)
            return near if far[near] <= NEAR else None
        return min(range(len(places)), key=lambda n: abs(places[n].x() - point.x()))

    # ---- painting ---------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Title and legend, the scene, the cross-hair and what it reads."""
        at, canvas, chart = self.layout_now(), self._drawn(), self._chart
        if at is None or canvas is None or chart is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        at.paint_head(painter, theme, self._reads_at(), canvas.hidden)
        at.paint_mark(painter)
        at.paint_rows(painter, theme, canvas.mapping())
        canvas.render(painter)
        self._paint_before(painter, theme, at.plane)
        self._paint_ring(painter, theme, at.plane.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self._pointed is None or self._drags_marker:
            return
        mapping = canvas.mapping()
        x, y = stops(chart)[self._pointed]
        place = mapping.point(x, y)
        if not at.plane.adjusted(-1, -1, 1, 1).contains(QPointF(place.x(), at.plane.center().y())):
            return
        painter.setPen(QPen(theme.muted, 1.0))
        painter.drawLine(QLineF(place.x(), at.plane.top(), place.x(), at.plane.bottom()))
        if at.plane.top() <= place.y() <= at.plane.bottom():
            painter.drawLine(QLineF(at.plane.left(), place.y(), at.plane.right(), place.y()))
        words = said_at(chart, self._pointed, canvas.hidden)
        paint_readout(painter, theme, words, place, QRectF(self.rect()))

    def _theme_changed(self, _theme: object) -> None:
        super()._theme_changed(_theme)
        self.updateGeometry()

    # ---- size -------------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """Legends wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of title, legend, plot and axis."""
        if self._given is None:
            return 0
        wide = float(max(width, NARROWEST))
        at = ChartLayout(
            self._given, wide, plot_height(self._given, wide), self._beside, self._titles
        )
        return int(at.height + 0.999)

    def sizeHint(self) -> QSize:
        """Wide enough to be read."""
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a column."""
        return QSize(NARROWEST, self.heightForWidth(max(self.width(), NARROWEST)))


def _are_alike(one: Chart, other: Chart) -> bool:
    """Whether two charts measure the same upwards: the axis can go from one's to the other's.

    Rows have no measure upwards, however many there are.
    """
    if one.rows or other.rows:
        return False
    ways = ((chart.title, chart.y.title, chart.y.logarithmic) for chart in (one, other))
    return next(ways) == next(ways)
