"""What charts and matrices do alike with the mouse, the wheel and the keys.

A plot has places: values of a chart, cells, heads, tokens. One of them is pointed at, by the mouse
or by the keys; where there is a scene, it is zoomed and panned in.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.ui.charts.readout import paint_beside
from explorer.ui.controls.panning import STEP, Drag
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Theme, theme_signals

if TYPE_CHECKING:
    from explorer.ui.charts.scene import PlotScene

Scene = TypeVar("Scene", bound="PlotScene")

ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""How far each goes down and to the right."""
CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
STAYS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Why the keyboard goes where it comes back by itself."""


@guarded
class PlotView(QWidget, Generic[Scene]):
    """A plot on the screen, to be looked into.

    The wheel zooms about the pointer while Ctrl is held or the plot has the keyboard, else the
    page scrolls; sideways or with Shift it pans. Dragging pans, a double click shows everything,
    and so does 0; + and - zoom, Escape lets go of what the keys point at.

    Attributes:
        canvas: The scene; None before it is needed, and where there is nothing to show.
        wheel_zooms: The wheel zooms wherever the keyboard is: there is nothing to scroll.
        has_bubble: What is known of the place that is pointed at is written beside it.

    Signals:
        hovered: The place under the pointer or the keyboard's; None for none.
    """

    hovered = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas: Scene | None = None
        self.wheel_zooms, self.has_bubble = False, True
        self._drag = Drag()
        self._pointed: Any = None
        self._by_keys = False
        theme_signals().changed.connect(self._theme_changed)

    # ---- what a plot says of itself ---------------------------------------------------------

    def _make_scene(self) -> Scene | None:
        """Make the scene of what is shown; None where nothing is."""
        return None

    def _arrange(self) -> None:
        """Fit into the size and the theme there are now."""

    def _place_at(self, _point: QPointF) -> Any:
        """The place at a pixel; None for none."""
        return None

    def _box_of(self, _place: Any) -> QRectF | None:
        """Where a place is; None for one that is nowhere."""
        return None

    def _said_of(self, _place: Any) -> str:
        """What is known of a place."""
        return ""

    def _describe(self) -> None:
        """Tell a screen reader of what is pointed at."""

    def _choose_place(self, place: Any, event: QMouseEvent) -> None:
        """A place was clicked; None for a click beside all."""

    def _keys(self) -> Mapping[Qt.Key, Callable[[], None]]:
        """What keys do here, beside those of every plot."""
        return {}

    def _tip_at(self, _point: QPointF) -> str | None:
        """What is told where the pointer rests; None for the tooltip of the widget."""
        return None

    def _shape(self) -> Any:
        """What another plot must have the same of, to be zoomed in on the same part."""
        return None

    # ---- the scene, zoom, place -------------------------------------------------------------

    def _drawn(self) -> Scene | None:
        """The scene, made when it is first needed: it takes pyqtgraph, which comes late."""
        if self.canvas is None:
            self.canvas = self._make_scene()
            if self.canvas is not None:
                self._arrange()
        return self.canvas

    def _forget_scene(self) -> None:
        """There is nothing to show any more."""
        if self.canvas is not None:
            self.canvas.delete()
        self.canvas = None

    @property
    def zoom(self) -> float:
        """1 where everything is shown."""
        return self.canvas.zoom if self.canvas is not None else 1.0

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """See less of it larger, or more, about a point or what is pointed at."""
        canvas = self._drawn()
        if canvas is not None:
            box = self._box_of(self._centre()) if about is None else None
            middle = box.center() if box is not None else canvas.plane.center()
            about = about if about is not None else middle
            canvas.zoom_by(factor, about, across_only=self._zooms_across())
            self.update()

    def _centre(self) -> Any:
        """The place about which keys zoom."""
        return self._pointed

    def _zooms_across(self) -> bool:
        """Whether zooming leaves the other axis as it is."""
        return False

    def pan_by(self, dx: float, dy: float) -> None:
        """Move what is seen by so many pixels, as far as there is something to see."""
        canvas = self._drawn()
        if canvas is not None:
            canvas.pan_by(dx, dy)
            self.update()

    def show_all(self) -> None:
        """See everything."""
        canvas = self._drawn()
        if canvas is not None:
            canvas.reset()
            self.update()

    def look(self) -> Any:
        """What is shown, as far as it must be the same, and its part in sight; None for all."""
        canvas = self.canvas
        return (self._shape(), canvas.look()) if canvas is not None and canvas.is_zoomed else None

    def take_look(self, look: Any) -> None:
        """See the same part, where there is as much to see."""
        shape, part = look
        canvas = self._drawn()
        if canvas is not None and shape == self._shape():
            self._arrange()
            canvas.take_look(part)
            self.update()

    def point_at(self, place: Any) -> None:
        """Mark a place, tell of it, and bring it into sight; None for none."""
        box = self._box_of(place) if place != self._pointed and place is not None else None
        if box is not None and self.canvas is not None:
            self.canvas.bring_into_sight(box)
        self._point(place)

    def _point(self, place: Any) -> None:
        if place != self._pointed:
            self._pointed = place
            self._describe()
            self.hovered.emit(place)
            self.update()

    # ---- painting ---------------------------------------------------------------------------

    def _paint_bubble(self, painter: QPainter, theme: Theme) -> None:
        """What is known of the place that is pointed at, beside it."""
        box = self._box_of(self._pointed) if self._pointed is not None else None
        if box is not None and self.has_bubble:
            words = self._said_of(self._pointed)
            paint_beside(painter, theme, words, box, QRectF(self.rect()))

    def _paint_ring(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        """Where the keyboard is."""
        if self.hasFocus():
            painter.setPen(theme.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

    def _theme_changed(self, _theme: object) -> None:
        self._arrange()
        self.update()

    # ---- events -----------------------------------------------------------------------------

    def resizeEvent(self, _event: QEvent) -> None:
        """Fit anew."""
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag.begin(event)
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the place under the pointer, or pan."""
        if self._drag.is_held(event):
            moved = self._drag.moved(event)
            if moved is not None:
                self.pan_by(moved.x(), moved.y())
            return
        self._by_keys = False
        self._point(self._place_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose, unless it was a pan."""
        is_click = self._drag.end(event)
        if is_click is None:
            event.ignore()
        elif is_click:
            self._choose_place(self._place_at(event.position()), event)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """See everything."""
        self._drag.forget()
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:
        """Mark nothing, unless the keyboard does."""
        super().leaveEvent(event)
        if not (self._by_keys and self.hasFocus()):
            self._point(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring appears."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What the keyboard marked goes with it, unless it comes back by itself."""
        super().focusOutEvent(event)
        if self._by_keys and event.reason() not in STAYS:
            self._point(None)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom; sideways, or with Shift, pan; else the page scrolls."""
        turned, pixels = event.angleDelta(), event.pixelDelta()
        if turned.isNull() or not self._takes_wheel(event) or self._drawn() is None:
            event.ignore()
            return
        if turned.x():
            self.pan_by(pixels.x() or turned.x() / 2, 0.0)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan_by(pixels.y() or turned.y() / 2, 0.0)
        else:
            self.zoom_by(STEP ** (turned.y() / 120), event.position())
        event.accept()

    def _takes_wheel(self, event: QWheelEvent) -> bool:
        held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return self.wheel_zooms or held or self.hasFocus()

    def event(self, event: QEvent) -> bool:
        """What is told where the pointer rests; zoom by pinching."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self._tip_at(QPointF(event.pos()))
            if words is not None:
                QToolTip.showText(event.globalPos(), plain_tip(words), self)
                return True
        if (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.zoom_by(1 + event.value(), event.position())
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From place to place, zoom, choose."""
        key = Qt.Key(event.key())
        done = {**self._keys_of_all(), **self._keys()}.get(key)
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if done is None or (key in ARROWS and not is_plain):
            super().keyPressEvent(event)
        else:
            done()

    def _keys_of_all(self) -> dict[Qt.Key, Callable[[], None]]:
        keys: dict[Qt.Key, Callable[[], None]] = {}
        if self._drawn() is not None:
            keys = {
                Qt.Key.Key_Plus: lambda: self.zoom_by(STEP),
                Qt.Key.Key_Equal: lambda: self.zoom_by(STEP),
                Qt.Key.Key_Minus: lambda: self.zoom_by(1 / STEP),
                Qt.Key.Key_0: self.show_all,
            }
        # What the mouse rests on is no reason to keep Escape from the stage of a lecture.
        if self._by_keys and self._pointed is not None:
            keys[Qt.Key.Key_Escape] = lambda: self.point_at(None)
        return keys

    def _by_key(self, place: Any) -> None:
        """Point at a place with the keyboard."""
        self._by_keys = True
        self.point_at(place)
