"""A chart that can be looked into: zoom, pan, a cross-hair that reads values, a marker to drag."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from explorer.text import _
from explorer.ui.charts.drawing import act_of, stops
from explorer.ui.charts.limits import number_at
from explorer.ui.charts.surface import ChartSurface
from explorer.ui.controls.panning import STEP, Drag
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded

REACH = 6.0
"""Pixels from a marker within which it is taken hold of."""


@guarded
class ChartView(ChartSurface):
    """Shows one chart as wide as it is.

    The wheel zooms about the pointer while Ctrl is held or the chart has the keyboard, else the
    page scrolls. Dragging pans, a double click shows everything. Left and right move the
    cross-hair from value to value, + and - zoom, 0 shows everything, L switches between powers
    of ten and a straight axis where there is a choice. A click on a line's name hides the line; one
    on a point that has a gesture does it, as Enter does where the cross-hair stands on the point.

    Signals:
        chosen: (key, number) when the marker was dragged somewhere else.
        acted: The gesture of a point that was chosen.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._drag = Drag()
        self._by_keys = False

    def _is_on_marker(self, point: QPointF) -> bool:
        canvas = self._canvas
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
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._drawn()
        self._drag.begin(event)
        self._drags_marker = self._is_on_marker(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the marker, pan, or read the value under the pointer."""
        canvas, point = self._drawn(), event.position()
        if canvas is None:
            return
        if self._drag.is_held(event):
            if self._drags_marker:
                self._move_marker(point.x())
            elif (moved := self._drag.moved(event)) is not None:
                canvas.pan_by(moved.x(), moved.y())
                self.update()
            return
        if self._is_on_marker(point):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif self._name_at(point) is not None or self._act_of(self._stop_near(point)) is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
        self._by_keys = False
        self.read_at(self._stop_near(point))

    def _move_marker(self, x: float) -> None:
        canvas, chart = self._canvas, self._chart
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
        """Tell where the marker was left, or hide the line whose name was clicked."""
        is_click = self._drag.end(event)
        if is_click is None:
            event.ignore()
            return
        if self._drags_marker:
            self._drags_marker = False
            marker = self._canvas.marker if self._canvas is not None else None
            told = self._chart.marker if self._chart is not None else None
            if marker is not None and told is not None and marker.x != told.x:
                self.chosen.emit((marker.key, marker.x))
        elif is_click:
            name = self._name_at(event.position())
            if name is not None:
                self.toggle(name)
            else:
                self._choose(self._stop_near(event.position()))
        self.update()

    def _act_of(self, stop: int | None) -> object:
        """What choosing a point does; None for nothing."""
        if self._chart is None or stop is None:
            return None
        return act_of(self._chart, stop)

    def _choose(self, stop: int | None) -> None:
        act = self._act_of(stop)
        if act is not None:
            self.acted.emit(act)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """See everything."""
        self._drag.forget()
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:
        """Read nothing, unless the keyboard does."""
        super().leaveEvent(event)
        if not (self._by_keys and self.hasFocus()):
            self.read_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring appears."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes, and the cross-hair with it."""
        super().focusOutEvent(event)
        self.read_at(None)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom where that is meant; else the page scrolls."""
        held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        turned = event.angleDelta().y()
        if not turned or not (held or self.hasFocus()):
            event.ignore()
            return
        self.zoom_by(STEP ** (turned / 120), event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From value to value, zoom, axis."""
        key = Qt.Key(event.key())
        done = self._keys().get(key)
        if self._chart is None or done is None:
            super().keyPressEvent(event)
            return
        done()

    def _keys(self) -> dict[Qt.Key, Callable[[], None]]:
        keys: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Left: lambda: self._step(-1),
            Qt.Key.Key_Right: lambda: self._step(1),
            Qt.Key.Key_Plus: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Equal: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Minus: lambda: self.zoom_by(1 / STEP),
            Qt.Key.Key_0: self.show_all,
        }
        if self._given is not None and self._given.y.switched:
            keys[Qt.Key.Key_L] = self.switch_axis
        if self._stop is not None:
            keys[Qt.Key.Key_Escape] = lambda: self.read_at(None)
            if self._act_of(self._stop) is not None:
                for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
                    keys[key] = lambda: self._choose(self._stop)
        return keys

    def _step(self, step: int) -> None:
        assert self._chart is not None
        count = len(stops(self._chart))
        if count:
            self._by_keys = True
            start = -1 if self._stop is None and step > 0 else self._stop or 0
            self.read_at(min(max(start + step, 0), count - 1))

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

    def event(self, event: QEvent) -> bool:
        """The chart's words where the pointer rests on its title; zoom by pinching."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at, chart = self.layout_now(), self._chart
            if at is not None and chart is not None and event.pos().y() < at.title:
                QToolTip.showText(event.globalPos(), plain_tip(chart.words), self)
            else:
                QToolTip.hideText()
            return True
        if (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.zoom_by(1 + event.value(), event.position())
            return True
        return super().event(event)
