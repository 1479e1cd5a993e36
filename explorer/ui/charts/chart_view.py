"""A chart that can be looked into: zoom, pan, a cross-hair that reads values, a marker to drag."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from explorer.ui.charts.description import Chart, Points
from explorer.ui.charts.drawing import said_at, stops
from explorer.ui.charts.layout import ChartLayout
from explorer.ui.charts.limits import number_at
from explorer.ui.charts.readout import paint_readout
from explorer.ui.guarded import guarded
from explorer.ui.theme import current_theme, theme_signals

if TYPE_CHECKING:
    from explorer.ui.charts.plot import Canvas

STEP = 1.25
"""Of zooming, a notch of the wheel or a key."""
REACH = 6.0
"""Pixels from a marker within which it is taken hold of."""
NEAR = 14.0
"""Pixels from a point within which it is read."""
NARROWEST = 120


@guarded
class ChartView(QWidget):
    """Shows one chart as wide as it is.

    The wheel zooms about the pointer while Ctrl is held or the chart has the keyboard, else the
    page scrolls. Dragging pans, a double click shows everything. Left and right move the
    cross-hair from value to value, + and - zoom, 0 shows everything, L switches between powers
    of ten and a straight axis where there is a choice. A click on a line's name hides the line.

    Signals:
        chosen: (key, number) when the marker was dragged somewhere else.
    """

    chosen = Signal(object)

    def __init__(self, name: str = "chart", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._given: Chart | None = None
        self._chart: Chart | None = None
        self._canvas: Canvas | None = None
        self._layout: ChartLayout | None = None
        self._beside = 0
        self._stop: int | None = None
        self._pressed: QPointF | None = None
        self._panned = self._drags_marker = self._switched = False
        theme_signals().changed.connect(self._theme_changed)

    # ---- what it shows ----------------------------------------------------------------------

    @property
    def chart(self) -> Chart | None:
        """What is shown, with the axis that was chosen."""
        return self._chart

    @property
    def canvas(self) -> "Canvas | None":
        """The scene, once it was painted."""
        return self._canvas

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the lines that are not drawn."""
        return self._canvas.hidden if self._canvas is not None else frozenset()

    def show_content(self, content: Chart | ChartLayout) -> None:
        """Show another one; what is zoomed in on stays where the axes do."""
        chart = content.chart if isinstance(content, ChartLayout) else content
        self._beside = content.beside if isinstance(content, ChartLayout) else 0
        if self._given is not None and chart.title != self._given.title:
            self._switched, self._stop = False, None
            if self._canvas is not None:
                self._canvas.hidden = frozenset()
                self._canvas.reset()
        self._given = chart
        self._apply()

    def _apply(self) -> None:
        chart = self._given
        if chart is None:
            return
        if self._switched:
            y = replace(chart.y, logarithmic=not chart.y.logarithmic, low=None, high=None)
            chart = replace(chart, y=y)
        self._chart, self._layout = chart, None
        if self._stop is not None and self._stop >= len(stops(chart)):
            self._stop = None
        if self._canvas is not None:
            self._canvas.show_chart(chart)
            self._arrange()
        self.setAccessibleName(chart.title or self.accessibleName())
        self._describe()
        self.updateGeometry()
        self.update()

    def layout_now(self) -> ChartLayout | None:
        """Where everything stands."""
        if self._chart is None:
            return None
        if self._layout is None:
            self._layout = ChartLayout(
                self._chart, float(self.width()), self._chart.height, self._beside
            )
        return self._layout

    def _drawn(self) -> "Canvas | None":
        """The scene, made when it is first needed: it takes pyqtgraph, which comes late."""
        if self._canvas is None and self._chart is not None:
            from explorer.ui.charts.plot import Canvas

            self._canvas = Canvas(self._chart, self)
            self._arrange()
        return self._canvas

    def _arrange(self) -> None:
        at = self.layout_now()
        if at is not None and self._canvas is not None:
            self._canvas.place(at.width, at.height, at.plane)

    def _describe(self) -> None:
        chart, at = self._chart, self.layout_now()
        if chart is None or at is None:
            return
        if self._stop is not None:
            said = said_at(chart, self._stop, self.hidden).replace("\n", ". ")
        else:
            x = self._reads_at()
            said = chart.spoken or ", ".join(at.legend_words(line, x) for line in chart.lines)
        self.setAccessibleDescription(said)

    def _reads_at(self) -> float:
        """Where the legend's values are: at the cross-hair, at the marker, or at the end."""
        chart = self._chart
        assert chart is not None
        if self._stop is not None and not any(isinstance(one, Points) for one in chart.series):
            return stops(chart)[self._stop][0]
        marker = self._canvas.marker if self._canvas is not None else chart.marker
        if marker is not None:
            return marker.x
        return float(chart.lines[0].x[-1]) if chart.lines else 0.0

    # ---- zoom, pan, cross-hair --------------------------------------------------------------

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """See less of it, or more, about a point."""
        canvas, at = self._drawn(), self.layout_now()
        if canvas is None or at is None:
            return
        about = about if about is not None else at.plane.center()
        across_only = bool(self._chart and self._chart.rows)
        canvas.zoom_by(factor, about.x(), about.y(), across_only=across_only)
        self.update()

    def show_all(self) -> None:
        """See everything."""
        canvas = self._drawn()
        if canvas is not None:
            canvas.reset()
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

    def read_at(self, stop: int | None) -> None:
        """Put the cross-hair on the n-th value, or take it away."""
        if stop != self._stop:
            self._stop = stop
            self._describe()
            self.update()

    def _stop_near(self, point: QPointF) -> int | None:
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
        at.paint_rows(painter, theme, canvas.seen[1])
        canvas.render(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme.focus, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(at.plane.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self._stop is None or self._drags_marker:
            return
        mapping = canvas.mapping()
        x, y = stops(chart)[self._stop]
        place = mapping.point(x, y)
        if not at.plane.adjusted(-1, -1, 1, 1).contains(QPointF(place.x(), at.plane.center().y())):
            return
        painter.setPen(QPen(theme.muted, 1.0))
        painter.drawLine(QLineF(place.x(), at.plane.top(), place.x(), at.plane.bottom()))
        if at.plane.top() <= place.y() <= at.plane.bottom():
            painter.drawLine(QLineF(at.plane.left(), place.y(), at.plane.right(), place.y()))
        words = said_at(chart, self._stop, canvas.hidden)
        paint_readout(painter, theme, words, place, QRectF(self.rect()))

    def _theme_changed(self, _theme: object) -> None:
        self._layout = None
        self._arrange()
        self.updateGeometry()
        self.update()

    # ---- size -------------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """Legends wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of title, legend, plot and axis."""
        if self._given is None:
            return 0
        wide = float(max(width, NARROWEST))
        at = ChartLayout(self._given, wide, self._given.height, self._beside)
        return int(at.height + 0.999)

    def sizeHint(self) -> QSize:
        """Wide enough to be read."""
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a column."""
        return QSize(NARROWEST, self.heightForWidth(max(self.width(), NARROWEST)))

    def resizeEvent(self, _event: QEvent) -> None:
        """Arrange anew."""
        self._layout = None
        self._arrange()

    # ---- mouse and keyboard -----------------------------------------------------------------

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
        self._pressed, self._panned = event.position(), False
        self._drags_marker = self._is_on_marker(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the marker, pan, or read the value under the pointer."""
        canvas, point = self._drawn(), event.position()
        if canvas is None:
            return
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            if self._drags_marker:
                self._move_marker(point.x())
            else:
                moved = point - self._pressed
                if self._panned or moved.manhattanLength() > 4:
                    self._panned, self._pressed = True, point
                    canvas.pan_by(moved.x(), moved.y())
                    self.update()
            return
        if self._is_on_marker(point):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif self._name_at(point) is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
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
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            event.ignore()
            return
        self._pressed = None
        if self._drags_marker:
            self._drags_marker = False
            marker = self._canvas.marker if self._canvas is not None else None
            told = self._chart.marker if self._chart is not None else None
            if marker is not None and told is not None and marker.x != told.x:
                self.chosen.emit((marker.key, marker.x))
        elif not self._panned:
            name = self._name_at(event.position())
            if name is not None:
                self.toggle(name)
        self.update()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """See everything."""
        self._pressed = None
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:
        """Read nothing, unless the keyboard does."""
        super().leaveEvent(event)
        if not self.hasFocus():
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
        return keys

    def _step(self, step: int) -> None:
        assert self._chart is not None
        count = len(stops(self._chart))
        if count:
            start = -1 if self._stop is None and step > 0 else self._stop or 0
            self.read_at(min(max(start + step, 0), count - 1))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done, for those who do not know the keys."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show everything\t0", self.show_all)
        if self._given is not None and self._given.y.switched:
            chosen = menu.addAction("Axis by powers of ten\tL", self.switch_axis)
            chosen.setCheckable(True)
            chosen.setChecked(bool(self._chart and self._chart.y.logarithmic))
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """The chart's words where the pointer rests on its title; zoom by pinching."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at, chart = self.layout_now(), self._chart
            if at is not None and chart is not None and event.pos().y() < at.title:
                QToolTip.showText(event.globalPos(), chart.words, self)
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
