"""Every head of every layer at once, small; one of them is chosen."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.matrices.head_grid_painting import (
    SMALLEST,
    GridContent,
    GridLayout,
    Head,
    Marked,
    arrange,
    grid_figure,
    grid_image,
    head_at,
    paint_grid,
    place_of,
)
from explorer.ui.theme import Theme, current_theme, theme_signals
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

NARROWEST = 150


@guarded
class HeadGrid(QWidget):
    """Stands in a resizable scroll area; scrolls only where heads would get too small.

    A click chooses a head, with Ctrl it is added or taken away. Arrow keys choose the next one,
    Home and End the first and the last, Space adds or takes away, Return opens.

    Signals:
        chosen: Layer and head.
        toggled: Layer and head, to be added to the others or taken away.
        opened: Return was pressed, or a head double-clicked.
        hovered: (layer, head) under the pointer, or None.
    """

    chosen = Signal(int, int)
    toggled = Signal(int, int)
    opened = Signal()
    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headGrid")
        self.setAccessibleName("All heads")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.describe: Callable[[Head], str] = lambda head: f"Layer {head[0]}, head {head[1]}"
        self._content: GridContent | None = None
        self._layout: GridLayout | None = None
        self._image: QImage | None = None
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
        """Show other heads."""
        self._content = content
        self._pointed = None
        self._forget_image()
        self.updateGeometry()

    def set_chosen(self, head: Head | None, also: Sequence[tuple[Head, QColor]] = ()) -> None:
        """Frame a head, and others in their colours; tells nobody."""
        moved = head != self._chosen
        self._chosen, self._also = head, tuple(also)
        self.setAccessibleDescription(self.describe(head) if head is not None else "")
        if moved:
            self._bring_into_view()
        self.update()

    def layout_now(self) -> GridLayout | None:
        """Where everything stands; None without content."""
        if self._content is None:
            return None
        if self._layout is None:
            self._layout = arrange(self._content, self.width(), self.height())
        return self._layout

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """All heads as a picture; None without content."""
        return grid_figure(self._content, width, theme) if self._content is not None else None

    def _forget_image(self, _theme: object = None) -> None:
        self._layout = self._image = None
        self.update()

    def _bring_into_view(self) -> None:
        at, content = self.layout_now(), self._content
        parent = self.parentWidget()
        area = parent.parentWidget() if parent is not None else None
        if at is None or content is None or self._chosen is None:
            return
        index = place_of(content, self._chosen)
        if isinstance(area, QScrollArea) and index is not None:
            box = at.box(index).toAlignedRect()
            area.ensureVisible(box.center().x(), box.center().y(), box.width(), box.height())

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
        """Paint the one picture, and the marks on it."""
        at, content = self.layout_now(), self._content
        if at is None or content is None or not content.count:
            return
        theme = current_theme()
        if self._image is None:
            self._image = grid_image(content, at, theme, self.devicePixelRatioF())
        painter = QPainter(self)
        marked = Marked(self._chosen, self._also, self._pointed, self.hasFocus())
        paint_grid(painter, theme, content, at, self._image, marked)
        if self._pointed is not None:
            self._paint_bubble(painter, theme, at, content, self._pointed)

    def _paint_bubble(
        self, painter: QPainter, theme: Theme, at: GridLayout, content: GridContent, head: Head
    ) -> None:
        """What is known of the head under the pointer."""
        lines = self.describe(head).splitlines()
        index = place_of(content, head)
        if index is None or not lines:
            return
        box, high = at.box(index), text_height("small")
        wide = max(text_width("strong" if i == 0 else "small", s) for i, s in enumerate(lines)) + 16
        tall = text_height("strong") + high * (len(lines) - 1) + 10
        x = box.right() + 6 if box.right() + 6 + wide <= self.width() else box.left() - 6 - wide
        x = min(max(x, 2.0), max(self.width() - wide - 2, 2.0))
        y = min(max(box.top(), 2.0), max(self.height() - tall - 2, 2.0))
        if QRectF(x, y, wide, tall).intersects(box):
            y = (
                box.bottom() + 6
                if box.bottom() + 6 + tall < self.height()
                else box.top() - tall - 6
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.border)
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(QRectF(x, y, wide, tall), 4, 4)
        y += 4
        for number, line in enumerate(lines):
            role = "strong" if number == 0 else "small"
            step = text_height("strong") if number == 0 else high
            place = QRectF(x + 8, y, wide - 16, step)
            left = Qt.AlignmentFlag.AlignLeft
            draw_text(painter, place, line, role, theme.text, left)  # type: ignore[arg-type]
            y += step

    def _head_under(self, event: QMouseEvent) -> Head | None:
        at, content = self.layout_now(), self._content
        if at is None or content is None:
            return None
        index = at.index_at(event.position(), content.count)
        return head_at(content, index) if index is not None else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the head under the pointer."""
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
        """Choose, or add."""
        head = self._head_under(event)
        if head is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.toggled.emit(*head)
        else:
            self.chosen.emit(*head)

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
                self.chosen.emit(*head_at(content, there if index is not None else 0))
        elif key == Qt.Key.Key_Space and index is not None:
            self.toggled.emit(*head_at(content, index))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)
