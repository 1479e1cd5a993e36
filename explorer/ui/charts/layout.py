"""Where the parts of a chart stand at a width: title, legend, numbers, plot."""

import math
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import significant
from explorer.ui.charts.description import Chart, Line
from explorer.ui.charts.drawing import Mapping, pen, value_at
from explorer.ui.charts.limits import limits_of, numbers_beside, ticks_in
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.mark import draw_mark, room_of_mark
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

LEFT = Qt.AlignmentFlag.AlignLeft
SAMPLE = 20.0
BETWEEN = 16.0
ROW_NAMES = 0.45
"""Of the width, the most that the titles of rows take."""
BESIDE_ROWS = 8.0
"""Between the titles of rows and the plot, in pixels."""
ABOVE_NUMBERS = 4.0
"""Between what the axis is called and its highest number."""
AROUND_ROWS = 0.2
"""Of a row, what a chart of rows has above the first and below the last besides their halves."""


def plot_height(chart: Chart, width: float) -> float:
    """As it is declared, or as high as the texts beside it need in the letters of now.

    Args:
        chart: What is shown.
        width: Of everything, in pixels: where it is narrow, titles of rows have several lines.
    """
    lines = max((len(one) for one in _row_titles(chart, width)), default=1)
    one_row = lines * text_height("strong") + text_height("small")
    rows = (len(chart.rows) + AROUND_ROWS) * one_row
    words = (len(chart.y.words or ()) + AROUND_ROWS) * text_height("small")
    return max(chart.height, rows if chart.rows else 0.0, words)


def _row_names(chart: Chart, width: float) -> float:
    """Room for the titles of rows."""
    wide = [max(text_width("strong", r.title), text_width("small", r.about)) for r in chart.rows]
    return min(max(wide), ROW_NAMES * width) + BESIDE_ROWS if wide else 0.0


def _row_titles(chart: Chart, width: float) -> list[list[str]]:
    """The titles of rows, each in as many lines as it needs."""
    wide = _row_names(chart, width) - BESIDE_ROWS + 1
    return [wrapped_lines("strong", one.title, wide) for one in chart.rows]


@dataclass(frozen=True)
class ChartLayout:
    """A chart at a width.

    Attributes:
        chart: What is shown.
        width: Of everything, in pixels.
        plot_height: Between the axes.
        beside: Rows of the legend for which there is room at least: as many as its neighbour has.
        titles: Lines of the title for which there is room at least, for the same reason.
    """

    chart: Chart
    width: float
    plot_height: float
    beside: int = 0
    titles: int = 0

    @cached_property
    def title_lines(self) -> tuple[str, ...]:
        """The title, in as many lines as it needs."""
        room = room_of_mark("strong") if self.chart.words else 0.0
        return tuple(wrapped_lines("strong", self.chart.title, self.width + 1 - room))

    @cached_property
    def title(self) -> float:
        """Height of the title."""
        lines = max(len(self.title_lines), self.titles)
        return lines * text_height("strong") + 4 if lines else 0.0

    @cached_property
    def legend(self) -> tuple[QRectF, ...]:
        """A place for each line's name, in as few rows as hold them."""
        high = text_height("small") + 1
        places: list[QRectF] = []
        x, y = 0.0, self.title
        for line in self.chart.lines:
            wide = SAMPLE + 7 + text_width("small", self._longest(line))
            if places and (self._stacked or x + wide > self.width):
                x, y = 0.0, y + high
            places.append(QRectF(x, y, min(wide, self.width), high))
            x += wide + BETWEEN
        return tuple(places)

    @property
    def _stacked(self) -> bool:
        """Values that change while the marker is dragged would push their neighbours about."""
        return self.chart.marker is not None and self.chart.marker.key is not None

    def _longest(self, line: Line) -> str:
        x = self.chart.marker.x if self.chart.marker is not None else float(line.x[-1])
        return self.legend_words(line, x)

    @property
    def legend_rows(self) -> int:
        """Of the legend."""
        return len({place.top() for place in self.legend})

    @cached_property
    def head(self) -> float:
        """Height of title and legend together."""
        rows = max(self.legend_rows, self.beside)
        if not rows and self.chart.remark:
            rows = 1
        small = text_height("small")
        # The highest number beside the plot stands half above it.
        unit = small + ABOVE_NUMBERS if self.chart.y.title else max(0.0, small / 2 - 4)
        return self.title + rows * (small + 1) + 6 + (unit if rows or self.chart.y.title else 0.0)

    @cached_property
    def left(self) -> float:
        """Room for what stands left of the plot."""
        _, (low, high) = limits_of(self.chart)
        ticks = ticks_in(self.chart.y, low, high, numbers_beside(self.plot_height))
        numbers = max((text_width("small", text) for _, text in ticks), default=0.0)
        if self.chart.y.words == () and self.chart.y.ticks == ():
            # What is zoomed in on has longer numbers.
            numbers = max(numbers, text_width("small", "0.025"))
        return self.row_names + numbers + 8

    @cached_property
    def row_names(self) -> float:
        """Room for the titles of rows."""
        return _row_names(self.chart, self.width)

    @cached_property
    def foot(self) -> float:
        """Room below the plot."""
        small = text_height("small")
        numbers = small + 6 + (2 if self.chart.x.strokes else 0)
        return numbers + (small if self.chart.x.title else 0)

    @property
    def right(self) -> float:
        """Room right of the plot."""
        return 2.0

    @property
    def height(self) -> float:
        """Of everything."""
        return self.head + self.plot_height + self.foot

    @cached_property
    def plane(self) -> QRectF:
        """Between the axes, from the chart's corner."""
        wide = max(self.width - self.left - self.right, 40.0)
        return QRectF(self.left, self.head, wide, self.plot_height)

    def legend_words(self, line: Line, x: float, room: float = math.inf) -> str:
        """A line's name and its value at a number; which number that is, where there is room."""
        if line.after is not None:
            return f"{isolated(line.name)}{line.after}"
        if not line.marked or not math.isfinite(x):
            return line.name
        value = significant(value_at(self.chart, line, x), 3, zeros=True)
        if not self.chart.at:
            return f"{isolated(line.name)} {value}"
        words = _(
            "{name} {value} at {axis} = {x}",
            name=line.name,
            value=value,
            axis=self.chart.at,
            x=significant(x, 3),
        )
        return words if text_width("small", words) <= room else f"{isolated(line.name)} {value}"

    def paint_head(
        self, painter: QPainter, theme: Theme, x: float, hidden: frozenset[str] = frozenset()
    ) -> None:
        """Title, legend and row names.

        Args:
            painter: On any device.
            theme: Colours.
            x: Where the legend says the values.
            hidden: Names of lines that are not drawn.
        """
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chart = self.chart
        draw_lines(painter, self._title_box, self.title_lines, "strong", theme.text)
        if chart.y.title:
            high = text_height("small")
            top = self.head - high - 5 - ABOVE_NUMBERS
            box = QRectF(self.row_names, top, self.width - self.row_names, high)
            # Below a remark it would be read as one more.
            words = f"↑ {chart.y.title}" if chart.remark and not self.legend else chart.y.title
            draw_text(painter, box, words, "small", theme.muted, LEFT)
        end = 0.0
        for line, place in zip(chart.lines, self.legend, strict=True):
            off = line.name in hidden
            y = place.center().y()
            painter.setPen(pen(theme.colour("border" if off else line.colour), 2.0, line.dash))
            painter.drawLine(QLineF(QPointF(place.left(), y), QPointF(place.left() + SAMPLE, y)))
            left = place.left() + SAMPLE + 7
            room = QRectF(left, place.top(), self.width - left, place.height())
            words = line.name if off else self.legend_words(line, x, room.width() + 1)
            draw_text(painter, room, words, "small", theme.muted if off else theme.text, LEFT)
            end = max(end, place.right()) if self._stacked else place.right()
        if chart.remark and self.legend:
            x = end + BETWEEN
            last = self.legend[-1]
            if x + text_width("small", chart.remark) < self.width:
                box = QRectF(x, last.top(), self.width - x, last.height())
                draw_text(painter, box, chart.remark, "small", theme.muted, LEFT)
        elif chart.remark:
            box = QRectF(0, self.title, self.width, text_height("small"))
            draw_text(painter, box, chart.remark, "small", theme.muted, LEFT)

    @property
    def _title_box(self) -> QRectF:
        return QRectF(0, 2, self.width, self.title)

    def paint_mark(self, painter: QPainter) -> None:
        """The (i) after the title, on the screen alone: the chart says there what it means."""
        if self.chart.words:
            draw_mark(painter, self._title_box, self.title_lines, "strong")

    def paint_rows(self, painter: QPainter, theme: Theme, at: Mapping) -> None:
        """Titles of rows, beside the part of the plot that is in sight."""
        small, strong = text_height("small"), text_height("strong")
        wide = self.row_names - BESIDE_ROWS
        titles = _row_titles(self.chart, self.width)
        for row, lines in zip(self.chart.rows, titles, strict=True):
            high = len(lines) * strong
            top = at.y_at(row.y) - (small + high) / 2
            draw_lines(painter, QRectF(0, top, wide, high), lines, "strong", theme.text)
            about = QRectF(0, top + high, wide, small)
            elide = Qt.TextElideMode.ElideRight
            draw_text(painter, about, row.about, "small", theme.muted, LEFT, elide)
