"""A matrix of numbers as colours, with its labels always in view.

The cells in sight are one image with a colour a cell, enlarged without smoothing; cells smaller
than a pixel are pooled so that the strongest is seen.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.blocks.figure import Figure
from explorer.ui.charts.readout import paint_beside
from explorer.ui.controls.panning import STEP, Drag
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.matrices.heat_layout import HeatContent, HeatLayout, cut_label_at
from explorer.ui.matrices.heat_painting import heat_figure
from explorer.ui.matrices.scale import number
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from explorer.ui.matrices.heat_canvas import HeatCanvas

    Values = npt.NDArray[np.floating[Any]]

ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}

CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@guarded
class HeatMap(QWidget):
    """Rows x columns of coloured cells.

    The mouse's wheel zooms about the pointer, dragging pans, a double click shows everything
    again. Arrow keys go from cell to cell, + and - zoom, 0 shows everything, Return clicks.

    Attributes:
        has_bubble: What is known of the marked cell is written beside it.

    Signals:
        hovered: (row, column) under the pointer or the keyboard's, or None.
        clicked: Row and column.
    """

    hovered = Signal(object)
    clicked = Signal(int, int)

    def __init__(self, name: str = "heatMap", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._content: HeatContent | None = None
        self._canvas: HeatCanvas | None = None
        self._pointed: tuple[int, int] | None = None
        self._chosen: tuple[int, int] | None = None
        self._by_keys = False
        self._drag = Drag()
        self.has_bubble = True
        self._clicked: tuple[int, int] | None = None
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._click)
        theme_signals().changed.connect(self._theme_changed)

    # ---- what it shows ----------------------------------------------------------------------

    @property
    def content(self) -> HeatContent | None:
        """What is shown now."""
        return self._content

    @property
    def pointed(self) -> tuple[int, int] | None:
        """Row and column of the marked cell."""
        return self._pointed

    @property
    def zoom(self) -> float:
        """1 where everything is shown."""
        return self._canvas.zoom if self._canvas is not None else 1.0

    def set_content(self, content: HeatContent | None) -> None:
        """Show something else; where labels stay the same, so do zoom and place."""
        old, self._content = self._content, content
        if old is content:
            return
        same = (
            old is not None
            and content is not None
            and (old.rows, old.columns) == (content.rows, content.columns)
        )
        if not same:
            self._pointed = self._clicked = self._chosen = None
        if content is None or not content.values.size:
            if self._canvas is not None:
                self._canvas.delete()
            self._canvas = None
        elif self._canvas is None:
            # Here: it needs pyqtgraph, which is imported after the window can be seen.
            from explorer.ui.matrices.heat_canvas import HeatCanvas

            self._canvas = HeatCanvas(content, self)
            self._canvas.show_all()
        else:
            self._canvas.show(content)
            if not same:
                self._canvas.show_all()
        self._arrange()
        self._describe()
        self.update()

    def _arrange(self) -> None:
        """Fit into the size there is now; what was zoomed in on stays zoomed in on."""
        if self._canvas is not None:
            self._canvas.arrange(self.width(), self.height())

    def layout_now(self) -> HeatLayout | None:
        """Where everything stands; None without content."""
        return self._canvas.at if self._canvas is not None else None

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """All of it as a picture, whatever part is zoomed in on; None without content."""
        return heat_figure(self._content, width, theme) if self._content is not None else None

    # ---- zoom and pan -----------------------------------------------------------------------

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Make cells larger or smaller, about a point or the marked cell."""
        if self._canvas is None:
            return
        if about is None:
            about = self._canvas.plane.center()
            if self._pointed is not None:
                about = self._canvas.at.box(*self._pointed).center()
        self._canvas.zoom_by(factor, about)
        self.update()

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the cells by so many pixels, as far as there are cells."""
        if self._canvas is not None:
            self._canvas.pan_by(dx, dy)
            self.update()

    def show_all(self) -> None:
        """Zoom out to everything."""
        if self._canvas is not None:
            self._canvas.show_all()
        self.update()

    def look(self) -> Any:
        """The size of what is shown, and its part that is zoomed in on; None for all of it."""
        if self._canvas is None or self._content is None or self.zoom <= 1 + 1e-9:
            return None
        (left, _), (top, _) = self._canvas.seen
        return self._content.values.shape, left, top, self.zoom

    def take_look(self, look: Any) -> None:
        """Zoom in on the same part, where as many cells are shown."""
        shape, left, top, zoom = look
        if self._canvas is not None and self._content is not None:
            if self._content.values.shape == shape:
                self._arrange()
                self._canvas.see(left, top, zoom)
            self.update()

    def point_at(self, cell: tuple[int, int] | None) -> None:
        """Mark a cell, tell of it, and bring it into sight."""
        if cell == self._pointed:
            return
        self._pointed = cell
        if cell is not None and self._canvas is not None:
            self._canvas.bring_into_sight(cell)
        self._describe()
        self.hovered.emit(cell)
        self.update()

    def words_at(self, row: int, column: int) -> str:
        """What a cell says: "cat → sat: 0.1234"."""
        content = self._content
        if content is None:
            return ""
        if content.said is not None:
            return content.said(row, column)
        at = f"{isolated(content.rows[row])} → {isolated(content.columns[column])}"
        if content.is_blocked(row, column):
            return f"{at}: {content.blocked_words or 'none'}"
        return f"{at}: {number(float(content.values[row, column]), signed=content.signed)}"

    def _describe(self) -> None:
        if self._content is None:
            self.setAccessibleDescription("")
        elif self._pointed is not None:
            self.setAccessibleDescription(self.words_at(*self._pointed))
        else:
            size = _(
                "{rows} rows and {columns} columns.",
                rows=len(self._content.rows),
                columns=len(self._content.columns),
            )
            self.setAccessibleDescription(size)

    def _cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column at a point."""
        if self._content is None or self._canvas is None:
            return None
        return self._canvas.at.cell_at(point, self._content)

    # ---- events -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is in sight."""
        canvas = self._canvas
        if canvas is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        canvas.pointed = self._pointed
        canvas.render(painter)
        if self._pointed is not None and self.has_bubble:
            box, words = canvas.box_of(self._pointed), self.words_at(*self._pointed)
            paint_beside(painter, theme, words, box, QRectF(self.rect()))
        if self.hasFocus():
            painter.setPen(theme.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(canvas.plane).adjusted(-0.5, -0.5, -0.5, -0.5))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew."""
        super().resizeEvent(event)
        self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the cell under the pointer, or pan."""
        if self._content is None or self._canvas is None:
            return
        if self._drag.is_held(event):
            moved = self._drag.moved(event)
            if moved is not None:
                self.pan_by(moved.x(), moved.y())
            return
        cell = self._cell_at(event.position())
        if cell != self._pointed:
            self._pointed, self._by_keys = cell, False
            self._describe()
            self.hovered.emit(cell)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan."""
        self._drag.begin(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click, unless it was a pan."""
        if not self._drag.end(event) or self._content is None or self._canvas is None:
            return
        cell = self._cell_at(event.position())
        if cell is None:
            return
        self._chosen = cell
        if self.zoom > 1 + 1e-9:
            # It may be half of a double click, which shows everything and chooses nothing.
            self._clicked = cell
            self._patience.start(QApplication.doubleClickInterval())
        else:
            self.clicked.emit(*cell)

    def _click(self) -> None:
        if self._clicked is not None:
            cell, self._clicked = self._clicked, None
            self.clicked.emit(*cell)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Show everything."""
        self._clicked = None
        self._drag.forget()
        self._patience.stop()
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:
        """Mark nothing, unless the keyboard does."""
        super().leaveEvent(event)
        if not (self._by_keys and self.hasFocus()):
            self.point_at(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What the keyboard marked goes with it, unless it comes back by itself."""
        super().focusOutEvent(event)
        stays = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if self._by_keys and event.reason() not in stays:
            self.point_at(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom; sideways, or with Shift, pan."""
        if self._canvas is None:
            event.ignore()
            return
        turned, pixels = event.angleDelta(), event.pixelDelta()
        sideways = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if turned.x() or sideways:
            dx = pixels.x() or turned.x() / 2
            dy = 0.0 if turned.x() else (pixels.y() or turned.y() / 2)
            self.pan_by(dx or dy, 0.0 if dx or sideways else dy)
        elif turned.y():
            self.zoom_by(STEP ** (turned.y() / 120), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """The whole of a label that is cut, where the pointer rests on it; zoom by pinching."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at, content = self.layout_now(), self._content
            words = (
                ""
                if at is None or content is None
                else cut_label_at(content, at, QPointF(event.pos()))
            )
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
        """From cell to cell, zoom, click."""
        key = Qt.Key(event.key())
        if self._content is None or not self._content.values.size:
            super().keyPressEvent(event)
        elif key in ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            down, right = ARROWS[key]
            self._by_keys = True
            self._step(down, -right if self._content.from_right else right)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.show_all()
        elif key in CHOOSE and self._pointed is not None:
            self.clicked.emit(*self._pointed)
        elif key == Qt.Key.Key_Escape and self._pointed is not None:
            self.point_at(None)
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, right: int) -> None:
        assert self._content is not None
        if self._pointed is None:
            self.point_at(self._chosen or (0, 0))
            return
        row = min(max(self._pointed[0] + down, 0), len(self._content.rows) - 1)
        column = min(max(self._pointed[1] + right, 0), len(self._content.columns) - 1)
        self.point_at((row, column))

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(420, 420)

    def minimumSizeHint(self) -> QSize:
        """Small enough for any dock."""
        return QSize(140, 120)

    def _theme_changed(self, _theme: object) -> None:
        self._arrange()
        self.update()
