"""A chart that can be looked into: zoom, pan, a cross-hair that reads values, a marker to drag."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QMenu

from explorer.text import _
from explorer.ui.charts.drawing import act_of, stops
from explorer.ui.charts.limits import number_at
from explorer.ui.charts.plot_view import CHOOSE
from explorer.ui.charts.surface import ChartSurface
from explorer.ui.guarded import guarded

REACH = 6.0
"""Pixels from a marker within which it is taken hold of."""


@guarded
class ChartView(ChartSurface):
    """Shows one chart as wide as it is.

    Left and right move the cross-hair from value to value, L switches between powers of ten and a
    straight axis where there is a choice. A click on a line's name hides the line; one on a point
    that has a gesture does it, as Enter does where the cross-hair stands on the point.

    Signals:
        chosen: (key, number) when the marker was dragged somewhere else.
        acted: The gesture of a point that was chosen.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def _is_on_marker(self, point: QPointF) -> bool:
        canvas = self.canvas
        if canvas is None or canvas.marker is None or canvas.marker.key is None:
            return False
        x = canvas.mapping().x(canvas.marker.x)
        return abs(point.x() - x) <= REACH and canvas.plane.adjusted(0, 0, 0, 6).contains(
            QPointF(canvas.plane.center().x(), point.y())
        )

    def _name_at(self, point: QPointF) -> str | None:
        at, chart = self.layout_now(), self._chart
        if at is None or chart is None or len(chart.lines) < 2:
            return None
        named = zip(chart.lines, at.legend, strict=True)
        return next((line.name for line, place in named if place.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the marker, or begin to pan."""
        super().mousePressEvent(event)
        self._drags_marker = self._drag.is_down and self._is_on_marker(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the marker, pan, or read the value under the pointer."""
        if self._drags_marker and self._drag.is_held(event):
            self._move_marker(event.position().x())
            return
        super().mouseMoveEvent(event)
        if self._drag.is_held(event):
            return
        point = event.position()
        if self._is_on_marker(point):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif self._name_at(point) is not None or self._act_of(self._pointed) is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def _move_marker(self, x: float) -> None:
        canvas, chart = self.canvas, self._chart
        if canvas is None or canvas.marker is None or chart is None:
            return
        marker = canvas.marker
        value = number_at(canvas.place_at(x, 0)[0], chart.x)
        first, last = (number_at(end, chart.x) for end in canvas.full[0])
        low = marker.least if marker.least is not None else first
        high = marker.most if marker.most is not None else last
        canvas.marker = replace(marker, x=min(max(value, low), high))
        self._describe()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell where the marker was left, or choose what was clicked."""
        if not self._drags_marker or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        self._drag.forget()
        self._drags_marker = False
        marker = self.canvas.marker if self.canvas is not None else None
        told = self._chart.marker if self._chart is not None else None
        if marker is not None and told is not None and marker.x != told.x:
            self.chosen.emit((marker.key, marker.x))
        self.update()

    def _choose_place(self, stop: int | None, event: QMouseEvent) -> None:
        """Hide the line whose name was clicked, or do what a point does."""
        name = self._name_at(event.position())
        if name is not None:
            self.toggle(name)
        else:
            self._act(stop)

    def _act_of(self, stop: int | None) -> object:
        """What choosing a point does; None for nothing."""
        if self._chart is None or stop is None:
            return None
        return act_of(self._chart, stop)

    def _act(self, stop: int | None) -> None:
        act = self._act_of(stop)
        if act is not None:
            self.acted.emit(act)

    def _keys(self) -> Mapping[Qt.Key, Callable[[], None]]:
        if self._chart is None:
            return {}
        keys: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Left: partial(self._step, -1),
            Qt.Key.Key_Right: partial(self._step, 1),
        }
        if self._given is not None and self._given.y.switched:
            keys[Qt.Key.Key_L] = self.switch_axis
        if self._act_of(self._pointed) is not None:
            keys |= dict.fromkeys(CHOOSE, partial(self._act, self._pointed))
        return keys

    def _step(self, step: int) -> None:
        assert self._chart is not None
        count = len(stops(self._chart))
        if count:
            start = -1 if self._pointed is None and step > 0 else self._pointed or 0
            self._by_key(min(max(start + step, 0), count - 1))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done, for those who do not know the keys."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(_("Show everything\t0"), self.show_all)
        if self._given is not None and self._given.y.switched:
            chosen = menu.addAction(_("Axis by powers of ten\tL"), self.switch_axis)
            chosen.setCheckable(True)
            chosen.setChecked(bool(self._chart and self._chart.y.logarithmic))
        menu.popup(event.globalPos())

    def _tip_at(self, point: QPointF) -> str:
        """The chart's words where the pointer rests on its title."""
        at, chart = self.layout_now(), self._chart
        return chart.words if at is not None and chart is not None and point.y() < at.title else ""
