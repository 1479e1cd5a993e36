"""Every head of every layer at once, small; one of them is chosen."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.ui.blocks.figure import Figure
from explorer.ui.charts.readout import paint_beside
from explorer.ui.controls.panning import STEP, Drag
from explorer.ui.controls.scrolling import bring_into_sight
from explorer.ui.guarded import guarded
from explorer.ui.matrices.heads.painting import (
    SMALLEST,
    GridContent,
    GridLayout,
    Head,
    Marked,
    arrange,
    grid_figure,
    head_at,
    place_of,
)
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals

if TYPE_CHECKING:
    from explorer.ui.matrices.heads.canvas import HeadCanvas

NARROWEST = 150
ZOOMS = {Qt.Key.Key_Plus: STEP, Qt.Key.Key_Equal: STEP, Qt.Key.Key_Minus: 1 / STEP}


@guarded
class HeadGrid(QWidget):
    """As many heads as there are, as large as fits.

    A click chooses a head, with Ctrl it is added or taken away. Arrow keys choose the next one,
    Home and End the first and the last, Space adds or takes away, Return opens. The wheel with
    Ctrl zooms about the pointer, and so do + and -; dragging pans then, 0 shows all heads.

    Signals:
        picked: Layer and head.
        toggled: Layer and head, to be added to the others or taken away.
        opened: Return was pressed, or a head double-clicked.
        hovered: (layer, head) under the pointer, or None.
    """

    picked = Signal(int, int)
    toggled = Signal(int, int)
    opened = Signal()
    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headGrid")
        self.setAccessibleName(_("All heads"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.describe: Callable[[Head], str] = lambda head: _(
            "Layer {layer}, head {head}", layer=head[0], head=head[1]
        )
        self._content: GridContent | None = None
        self.canvas: HeadCanvas | None = None
        self._drag = Drag()
        self._chosen: Head | None = None
        self._also: tuple[tuple[Head, QColor], ...] = ()
        self._pointed: Head | None = None
        theme_signals().changed.connect(self._forget_image)

    @property
    def content(self) -> GridContent | None:
        """What is shown."""
        return self._content

    @property
    def current(self) -> Head | None:
        """The head that is chosen."""
        return self._chosen

    def set_content(self, content: GridContent | None) -> None:
        """Show other heads; where they are as many in the same order, zoom and place stay."""
        old, self._content = self._content, content
        if old is content:
            return
        self._pointed = None
        if content is None or not content.count:
            if self.canvas is not None:
                self.canvas.delete()
            self.canvas = None
        elif self.canvas is not None:
            self.canvas.content = content
            kept = old is not None and old.maps.shape == content.maps.shape
            if not kept or (old is not None and old.order != content.order):
                self.canvas.show_all()
        self._forget_image()
        self.updateGeometry()

    def set_chosen(self, head: Head | None, also: Sequence[tuple[Head, QColor]] = ()) -> None:
        """Frame a head, and others in their colours; tells nobody."""
        before = self._chosen
        self._chosen, self._also = head, tuple(also)
        self.setAccessibleDescription(self.describe(head) if head is not None else "")
        if head != before:
            # The page is not scrolled to the first one: nobody went there.
            self._bring_into_view(scroll=before is not None)
        self.update()

    def _drawn(self) -> "HeadCanvas | None":
        """The scene, made when it is first needed: it takes pyqtgraph, which comes late."""
        if self.canvas is None and self._content is not None and self._content.count:
            from explorer.ui.matrices.heads.canvas import HeadCanvas

            self.canvas = HeadCanvas(self._content, self)
            self.canvas.arrange(self.width(), self.height(), self.devicePixelRatioF())
        return self.canvas

    def layout_now(self) -> GridLayout | None:
        """Where everything stands; None without content."""
        canvas = self._drawn()
        return canvas.at if canvas is not None else None

    @property
    def zoom(self) -> float:
        """1 where all heads are shown."""
        return self.canvas.zoom if self.canvas is not None else 1.0

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """See fewer heads larger, or more of them, about a point or the chosen head."""
        canvas = self._drawn()
        if canvas is None:
            return
        box = canvas.box_of(self._chosen) if self._chosen is not None else None
        middle = box.center() if box is not None else canvas.plane.center()
        canvas.zoom_by(factor, about if about is not None else middle)
        self.update()

    def look(self) -> Any:
        """How many heads there are, and the part that is zoomed in on; None for all of it."""
        if self.canvas is None or self._content is None or self.zoom <= 1 + 1e-9:
            return None
        return self._content.count, *self.canvas.corner, self.zoom

    def take_look(self, look: Any) -> None:
        """Zoom in on the same part, where there are as many heads."""
        count, left, top, zoom = look
        canvas = self._drawn()
        if canvas is not None and self._content is not None and self._content.count == count:
            canvas.arrange(self.width(), self.height(), self.devicePixelRatioF())
            canvas.see(left, top, zoom)
            self.update()

    def show_all(self) -> None:
        """See all heads."""
        canvas = self._drawn()
        if canvas is not None:
            canvas.show_all()
            self.update()

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """All heads as a picture; None without content."""
        return grid_figure(self._content, width, theme) if self._content is not None else None

    def _forget_image(self, _theme: object = None) -> None:
        if self.canvas is not None:
            self.canvas.arrange(self.width(), self.height(), self.devicePixelRatioF())
        self.update()

    def _bring_into_view(self, *, scroll: bool) -> None:
        at, content = self.layout_now(), self._content
        if at is None or content is None or self._chosen is None:
            return
        index = place_of(content, self._chosen)
        if index is not None and self.canvas is not None:
            self.canvas.bring_into_sight(index)
            at = self.canvas.at
        if index is not None and scroll:
            bring_into_sight(self, at.box(index))

    # ---- events -----------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(420, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """High enough for the smallest heads."""
        if self._content is None:
            return QSize(NARROWEST, 80)
        smallest = arrange(self._content, max(self.width(), NARROWEST), 1)
        return QSize(NARROWEST, min(int(smallest.height) + 1, 80 + int(SMALLEST * 400)))

    def resizeEvent(self, _event: QEvent) -> None:
        """Arrange anew."""
        self._forget_image()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is in sight, and what is known of the head under the pointer."""
        canvas = self._drawn()
        if canvas is None:
            return
        canvas.marked = Marked(self._chosen, self._also, self._pointed, self.hasFocus())
        painter = QPainter(self)
        canvas.render(painter)
        box = canvas.box_of(self._pointed) if self._pointed is not None else None
        if box is not None and self._pointed is not None:
            words, room = self.describe(self._pointed), QRectF(self.rect())
            paint_beside(painter, current_theme(), words, box, room)

    def _head_under(self, event: QMouseEvent) -> Head | None:
        canvas, content = self._drawn(), self._content
        if canvas is None or content is None:
            return None
        index = canvas.index_at(event.position())
        return head_at(content, index) if index is not None else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the head under the pointer, or pan."""
        if self._drag.is_held(event):
            moved = self._drag.moved(event)
            if self.canvas is not None and moved is not None:
                self.canvas.pan_by(moved.x(), moved.y())
                self.update()
            return
        head = self._head_under(event)
        if head != self._pointed:
            self._pointed = head
            self.hovered.emit(head)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Mark none."""
        super().leaveEvent(event)
        if self._pointed is not None:
            self._pointed = None
            self.hovered.emit(None)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan."""
        self._drag.begin(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose, or add, unless it was a pan."""
        is_click, head = self._drag.end(event), self._head_under(event)
        if head is None or not is_click:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.toggled.emit(*head)
        else:
            self.picked.emit(*head)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; else the heads scroll."""
        turned = event.angleDelta().y()
        if not turned or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        self.zoom_by(STEP ** (turned / 120), event.position())
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open."""
        if self._head_under(event) is not None:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From head to head."""
        at, content = self.layout_now(), self._content
        if at is None or content is None or not content.count:
            super().keyPressEvent(event)
            return
        index = place_of(content, self._chosen) if self._chosen is not None else None
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -at.columns,
            Qt.Key.Key_Down: at.columns,
            Qt.Key.Key_Home: -content.count,
            Qt.Key.Key_End: content.count,
        }
        key = Qt.Key(event.key())
        if key in steps:
            here = 0 if index is None else index
            there = here + steps[key]
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                there = min(max(there, 0), content.count - 1)
            if 0 <= there < content.count and there != index:
                self.picked.emit(*head_at(content, there if index is not None else 0))
        elif key == Qt.Key.Key_Space and index is not None:
            self.toggled.emit(*head_at(content, index))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in ZOOMS:
            self.zoom_by(ZOOMS[key])
        elif key == Qt.Key.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)
