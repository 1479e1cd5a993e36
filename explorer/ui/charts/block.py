"""LaidCharts on a page: widgets on the screen, the same scene painted into pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Block, EmbeddedWidget, PlacedBlock, Spot
from explorer.ui.blocks.page.explained import Explanation
from explorer.ui.blocks.page.parts import InlinePart
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Chart, Points
from explorer.ui.charts.drawing import Mapping as Pixels
from explorer.ui.charts.layout import ChartLayout, plot_height
from explorer.ui.charts.limits import limits_of
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved

GAP = 22.0


def paint_chart(painter: QPainter, theme: Theme, at: ChartLayout) -> None:
    """Paint a chart with everything in sight, its corner at (0, 0), on any device."""
    # Not before a chart is painted: pyqtgraph takes half a second to import.
    from explorer.ui.charts.plot import Canvas

    chart = at.chart
    canvas = Canvas(chart)
    canvas.place(at.width, at.height, at.plane)
    end = float(chart.lines[0].x[-1]) if chart.lines else 0.0
    at.paint_head(painter, theme, chart.marker.x if chart.marker is not None else end)
    at.paint_rows(painter, theme, canvas.mapping())
    canvas.render(painter, theme)
    canvas.delete()


@dataclass(frozen=True)
class ChartBlock:
    """A block of a page: charts side by side, as many as fit.

    Attributes:
        charts: In reading order.
        above: The room above it.
        narrowest: A chart's least width.
    """

    charts: tuple[Chart, ...]
    above: Space = Space.APART
    narrowest: CardWidth = CardWidth.NARROW

    def at(self, width: float) -> "LaidCharts":
        """The charts at a width."""
        return LaidCharts(self.charts, width, self.narrowest)

    @property
    def parts(self) -> list[InlinePart]:
        """The charts."""
        return [InlinePart(chart.title) for chart in self.charts]

    @property
    def explained(self) -> list[Explanation]:
        """What the charts mean, behind their marks."""
        return [Explanation(one.title, one.words) for one in self.charts if one.title and one.words]

    def with_parts(self, kept: Mapping[int, Sequence[Block]]) -> "ChartBlock":
        """Some of the charts."""
        return replace(self, charts=tuple(self.charts[n] for n in kept))


class LaidCharts(PlacedBlock):
    """Charts at a width.

    Args:
        charts: In reading order.
        width: Of all together.
        narrowest: A chart's least width.
    """

    def __init__(
        self, charts: Sequence[Chart], width: float, narrowest: float = CardWidth.NARROW
    ) -> None:
        self.charts, self.width = tuple(charts), width
        fits = int((width + GAP) // (narrowest + GAP))
        self.columns = max(1, min(len(self.charts), fits))
        if self.columns == 3 and len(self.charts) == 4:
            self.columns = 2
        wide = (width - GAP * (self.columns - 1)) / self.columns
        plain = [ChartLayout(chart, wide, plot_height(chart, wide)) for chart in self.charts]
        # Plots of a row stand on one line, however long their titles and legends are.
        self.layouts = tuple(
            replace(
                one,
                beside=max(other.legend_rows for other in self._row(plain, n)),
                titles=max(len(other.title_lines) for other in self._row(plain, n)),
            )
            for n, one in enumerate(plain)
        )
        self.boxes: list[QRectF] = []
        y = 0.0
        for first in range(0, len(self.layouts), self.columns):
            row = self.layouts[first : first + self.columns]
            high = max(one.height for one in row)
            for n, one in enumerate(row):
                self.boxes.append(QRectF(n * (wide + GAP), y, wide, one.height))
            y += high + GAP
        self.height = max(0.0, y - GAP)
        self.live = tuple(
            EmbeddedWidget(box, ChartView, one)
            for box, one in zip(self.boxes, self.layouts, strict=True)
        )

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Titles, which explain themselves, and points."""
        return tuple(
            Spot(QRectF(box.left(), box.top(), box.width(), one.title), None, one.chart.words)
            for box, one in zip(self.boxes, self.layouts, strict=True)
        ) + tuple(
            Spot(place.translated(box.topLeft()), key, words, words.replace("\n", ", "), act)
            for box, one in zip(self.boxes, self.layouts, strict=True)
            for place, words, key, act in _points(one)
        )

    def _row(self, layouts: Sequence[ChartLayout], n: int) -> Sequence[ChartLayout]:
        first = n - n % self.columns
        return layouts[first : first + self.columns]

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Chart after chart."""
        for one, box in zip(self.layouts, self.boxes, strict=True):
            with painter_moved(painter, box.topLeft().x(), box.topLeft().y()):
                paint_chart(painter, theme, one)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Nothing: on the screen, charts are widgets."""


def _points(at: ChartLayout) -> list[tuple[QRectF, str, Any, Any]]:
    """Where a chart's points stand while everything is shown, what is said of them, key and act."""
    full = limits_of(at.chart)
    mapping = Pixels(at.chart, full, full, at.plane)
    return [
        (
            QRectF(place.x() - 8, place.y() - 8, 16, 16),
            words,
            ("point", at.chart.title, n) if one.acts else None,
            one.acts[n] if one.acts else None,
        )
        for one in at.chart.series
        if isinstance(one, Points)
        for n, (place, words) in enumerate(
            zip(mapping.points(one.x, one.y), one.words, strict=True)
        )
    ]
