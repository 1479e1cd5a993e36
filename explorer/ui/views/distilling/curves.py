"""Curves over the temperature, both models in one picture, with the temperature of now marked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.distillation.softening import COOLEST, HOTTEST, Floats
from explorer.ui.matrices.scale import short
from explorer.ui.theme import Theme
from explorer.ui.views.distilling.roles import paint_line_sample
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
TICKS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)
PLOT_HEIGHT = 118.0
GAP = 22.0
NARROWEST = 215.0


@dataclass(frozen=True)
class Series:
    """One line.

    Attributes:
        name: In the legend, with its value now.
        values: One a temperature.
        colour: By its name in the theme.
        dashed: Drawn in dashes.
    """

    name: str
    values: Floats
    colour: str
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """What one picture shows.

    Attributes:
        title: Above it.
        words: What it means, for the tooltip.
        temperatures: In rising order.
        series: The lines.
        logarithmic: The values' axis goes by powers of ten.
        top: The end of the values' axis; None fits it.
    """

    title: str
    words: str
    temperatures: Floats
    series: tuple[Series, ...]
    logarithmic: bool = False
    top: float | None = None


def round_up(value: float) -> float:
    """The next number that reads well: 1, 2, 3 ... times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power
        for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
        if value <= step * power * (1 + 1e-9)
    )


class Charts:
    """A block of a page: pictures side by side, as many as fit."""

    def __init__(self, charts: Sequence[Chart], now: float, width: float) -> None:
        self.charts, self.now, self.width = tuple(charts), now, width
        fits = int((width + GAP) // (NARROWEST + GAP))
        self.columns = max(1, min(len(self.charts), fits))
        if self.columns == 3 and len(self.charts) == 4:
            self.columns = 2
        self.wide = (width - GAP * (self.columns - 1)) / self.columns
        lines = max((len(chart.series) for chart in self.charts), default=1)
        self.legend = lines * (text_height("small") + 1)
        self.title = text_height("strong") + 4
        self.axis = text_height("small") + 6
        self.each = self.title + self.legend + 6 + PLOT_HEIGHT + self.axis
        self.left = max(text_width("small", "0.025"), text_width("small", "10⁻³")) + 8
        self.spots = tuple(
            Spot(QRectF(x, y, self.wide, self.title), None, chart.words)
            for chart, (x, y) in zip(self.charts, self._corners(), strict=True)
        )

    @property
    def height(self) -> float:
        """Of all rows of pictures."""
        rows = -(-len(self.charts) // self.columns)
        return rows * self.each + (rows - 1) * GAP

    def _corners(self) -> list[tuple[float, float]]:
        return [
            (
                (n % self.columns) * (self.wide + GAP),
                (n // self.columns) * (self.each + GAP),
            )
            for n in range(len(self.charts))
        ]

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Picture after picture."""
        for chart, (x, y) in zip(self.charts, self._corners(), strict=True):
            painter.save()
            painter.translate(x, y)
            self._paint_chart(painter, theme, chart)
            painter.restore()

    def _paint_chart(self, painter: QPainter, theme: Theme, chart: Chart) -> None:
        title = QRectF(0, 0, self.wide, self.title)
        draw_text(painter, title, chart.title, "strong", theme.text, LEFT)
        y = self.title
        high = text_height("small") + 1
        for series in chart.series:
            colour = theme.colour(series.colour)
            paint_line_sample(painter, colour, QRectF(0, y, 20, high), dashed=series.dashed)
            words = f"{series.name} {self._at(chart, series):.3g} at T = {self.now:.3g}"
            place = QRectF(27, y, self.wide - 27, high)
            draw_text(painter, place, words, "small", theme.text, LEFT)
            y += high
        plot = QRectF(
            self.left, self.title + self.legend + 6, self.wide - self.left - 2, PLOT_HEIGHT
        )
        bottom, top = self._limits(chart)
        self._paint_axes(painter, theme, chart, plot, bottom, top)
        painter.save()
        painter.setClipRect(plot.adjusted(-3, -3, 3, 3))
        for series in chart.series:
            colour = theme.colour(series.colour)
            self._paint_line(painter, chart, series, plot, (bottom, top), colour)
        painter.restore()

    def _at(self, chart: Chart, series: Series) -> float:
        """A line's value at the temperature of now, between its points in a straight line."""
        return float(np.interp(math.log(self.now), np.log(chart.temperatures), series.values))

    @staticmethod
    def _limits(chart: Chart) -> tuple[float, float]:
        values = np.concatenate([series.values for series in chart.series])
        largest = float(values.max())
        if chart.logarithmic:
            positive = values[values > 0]
            top = 10.0 ** math.ceil(math.log10(largest)) if largest > 0 else 1.0
            least = float(positive.min()) if positive.size else top / 10
            bottom = 10.0 ** math.floor(math.log10(least))
            return max(bottom, top * 1e-6), top
        return 0.0, chart.top if chart.top is not None else round_up(largest)

    @staticmethod
    def _x(plot: QRectF, temperature: float) -> float:
        share = math.log(temperature / COOLEST) / math.log(HOTTEST / COOLEST)
        return plot.left() + plot.width() * share

    @staticmethod
    def _y(plot: QRectF, value: float, limits: tuple[float, float], logarithmic: bool) -> float:
        low, high = limits
        if logarithmic:
            share = math.log(max(value, low) / low) / math.log(high / low)
        else:
            share = (value - low) / (high - low)
        return plot.bottom() - plot.height() * min(max(share, 0.0), 1.0)

    def _paint_axes(
        self,
        painter: QPainter,
        theme: Theme,
        chart: Chart,
        plot: QRectF,
        bottom: float,
        top: float,
    ) -> None:
        fine = QPen(theme.border, 1.0)
        small = text_height("small")
        values = [bottom, top]
        if chart.logarithmic:
            decades = round(math.log10(top / bottom))
            step = max(1, -(-decades // 3))
            values = [bottom * 10.0**n for n in range(0, decades + 1, step)]
        else:
            values.insert(1, (bottom + top) / 2)
        for value in values:
            y = self._y(plot, value, (bottom, top), chart.logarithmic)
            painter.setPen(fine)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            place = QRectF(0, y - small / 2, self.left - 6, small)
            words = short(value) if chart.logarithmic else f"{value:g}"
            draw_text(painter, place, words, "small", theme.muted, RIGHT)
        end = -1e9
        for tick in TICKS:
            x = self._x(plot, tick)
            painter.setPen(fine)
            painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3))
            words = f"{tick:g}"
            wide = text_width("small", words)
            at = min(max(x - wide / 2, plot.left() - 4), plot.right() - wide + 2)
            if at > end + 5:
                place = QRectF(at, plot.bottom() + 4, wide + 1, small)
                draw_text(painter, place, words, "small", theme.muted, LEFT)
                end = at + wide
        marker = QPen(theme.mask, 1.2)
        painter.setPen(marker)
        x = self._x(plot, self.now)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + 3))

    def _paint_line(
        self,
        painter: QPainter,
        chart: Chart,
        series: Series,
        plot: QRectF,
        limits: tuple[float, float],
        colour: QColor,
    ) -> None:
        points = [
            QPointF(self._x(plot, float(t)), self._y(plot, float(v), limits, chart.logarithmic))
            for t, v in zip(chart.temperatures, series.values, strict=True)
        ]
        pen = QPen(colour, 2.0)
        if series.dashed:
            pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        now = self._at(chart, series)
        place = QPointF(self._x(plot, self.now), self._y(plot, now, limits, chart.logarithmic))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(place, 3.6, 3.6)
