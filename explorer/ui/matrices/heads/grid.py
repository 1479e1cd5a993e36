"""Every head of every layer at once, small; one of them is chosen."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.ui.blocks.figure import Figure
from explorer.ui.charts.plot_view import PlotView
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
from explorer.ui.theme.schemes import Theme, current_theme

if TYPE_CHECKING:
    from explorer.ui.matrices.heads.canvas import HeadCanvas

NARROWEST = 150


@guarded
class HeadGrid(PlotView["HeadCanvas"]):
    """As many heads as there are, as large as fits.

    A click chooses a head, with Ctrl it is added or taken away. Arrow keys choose the next one,
    Home and End the first and the last, Space adds or takes away, Return opens. The wheel zooms
    with Ctrl alone.

    Signals:
        picked: Layer and head.
        toggled: Layer and head, to be added to the others or taken away.
        opened: Return was pressed, or a head double-clicked.
    """

    picked = Signal(int, int)
    toggled = Signal(int, int)
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("headGrid", parent)
        self.setAccessibleName(_("All heads"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.describe: Callable[[Head], str] = lambda head: _(
            "Layer {layer}, head {head}", layer=head[0], head=head[1]
        )
        self._content: GridContent | None = None
        self._chosen: Head | None = None
        self._also: tuple[tuple[Head, QColor], ...] = ()

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
            self._forget_scene()
        elif self.canvas is not None:
            self.canvas.content = content
            kept = old is not None and old.maps.shape == content.maps.shape
            if not kept or (old is not None and old.order != content.order):
                self.canvas.reset()
        self._arrange()
        self.update()
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

    def _make_scene(self) -> "HeadCanvas | None":
        if self._content is None or not self._content.count:
            return None
        from explorer.ui.matrices.heads.canvas import HeadCanvas

        return HeadCanvas(self._content, self)

    def _arrange(self) -> None:
        if self.canvas is not None:
            self.canvas.arrange(self.width(), self.height(), self.devicePixelRatioF())

    def _shape(self) -> int:
        return self._content.count if self._content is not None else 0

    def layout_now(self) -> GridLayout | None:
        """Where everything stands; None without content."""
        canvas = self._drawn()
        return canvas.at if canvas is not None else None

    def _centre(self) -> Head | None:
        return self._chosen

    def _place_at(self, point: QPointF) -> Head | None:
        canvas, content = self._drawn(), self._content
        if canvas is None or content is None:
            return None
        index = canvas.index_at(point)
        return head_at(content, index) if index is not None else None

    def _box_of(self, head: Head | None) -> QRectF | None:
        at, content = self.layout_now(), self._content
        if at is None or content is None or head is None:
            return None
        index = place_of(content, head)
        return at.box(index) if index is not None else None

    def _said_of(self, head: Head) -> str:
        return self.describe(head)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """All heads as a picture; None without content."""
        return grid_figure(self._content, width, theme) if self._content is not None else None

    def _bring_into_view(self, *, scroll: bool) -> None:
        box = self._box_of(self._chosen)
        if box is None or self.canvas is None:
            return
        self.canvas.bring_into_sight(box)
        box = self._box_of(self._chosen)
        if box is not None and scroll:
            bring_into_sight(self, box)

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

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is in sight, and what is known of the head under the pointer."""
        canvas = self._drawn()
        if canvas is None:
            return
        canvas.marked = Marked(self._chosen, self._also, self._pointed, self.hasFocus())
        painter = QPainter(self)
        canvas.render(painter)
        self._paint_bubble(painter, current_theme())

    def _choose_place(self, head: Head | None, event: QMouseEvent) -> None:
        if head is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.toggled.emit(*head)
        else:
            self.picked.emit(*head)

    def _takes_wheel(self, event: QWheelEvent) -> bool:
        # Without Ctrl the heads scroll.
        return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open."""
        if self._place_at(event.position()) is not None:
            self.opened.emit()

    def _keys(self) -> Mapping[Qt.Key, Callable[[], None]]:
        at, content = self.layout_now(), self._content
        if at is None or content is None:
            return {}
        last = content.count - 1
        index = place_of(content, self._chosen) if self._chosen is not None else None
        here = index or 0
        steps = {
            Qt.Key.Key_Left: here - 1,
            Qt.Key.Key_Right: here + 1,
            Qt.Key.Key_Up: here - at.columns,
            Qt.Key.Key_Down: here + at.columns,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        keys: dict[Qt.Key, Callable[[], None]] = {
            key: partial(self._go, there, index) for key, there in steps.items()
        }
        keys |= dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self.opened.emit)
        if index is not None:
            keys[Qt.Key.Key_Space] = partial(self.toggled.emit, *head_at(content, index))
        return keys

    def _go(self, there: int, index: int | None) -> None:
        """To the head at a place; from none, to the first."""
        content = self._content
        if content is not None and 0 <= there < content.count and there != index:
            self.picked.emit(*head_at(content, there if index is not None else 0))
