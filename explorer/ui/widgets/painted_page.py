"""A page that paints itself: the same blocks on screen and in an exported picture.

A view is a column of blocks. A block knows its height at a width, paints itself, and may have
spots: places that can be hit with the mouse or reached with the keyboard.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme import FontRole, Theme, current_theme, theme_signals
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.text_block import paint_block, wrapped
from explorer.ui.widgets.token_layout import text_height

KEPT = 4
"""Widths at which a page is kept."""

AROUND = 8.0
"""Pixels that a block may paint beyond its height."""


@dataclass(frozen=True)
class Spot:
    """A place on a page.

    Attributes:
        box: Where it is, from the block's or the page's corner.
        key: What the page tells when it is chosen; None for a place that only explains itself.
        words: For the tooltip.
        spoken: For a screen reader.
    """

    box: QRectF
    key: Any = None
    words: str = ""
    spoken: str = ""


@dataclass(frozen=True)
class Live:
    """A part of a page that is a widget on the screen; everywhere else the block paints it.

    Attributes:
        box: Where it stands, from the block's or the page's corner.
        make: Makes the widget; its `show_content` is given the
            content, and what comes later in its place. It has a signal `chosen`, for keys.
        content: What it shows.
    """

    box: QRectF
    make: Callable[[QWidget], Any]
    content: Any


class Block(Protocol):
    """One part of a page, made for a width.

    A block with widgets on the screen has two members more: `live`, a sequence of Live, and
    `paint_still`, which paints what is left when those have painted themselves.
    """

    @property
    def height(self) -> float:
        """In pixels."""

    @property
    def spots(self) -> Sequence[Spot]:
        """Places in it, from its own corner."""

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint it with its corner at (0, 0)."""


@dataclass(frozen=True)
class Page:
    """Blocks one below the other.

    Attributes:
        width: In pixels.
        height: In pixels.
        spots: Of all blocks, from the page's corner.
        paint: Paints everything with the page's corner at (0, 0).
        live: What is a widget on the screen.
        still: Paints the rest; None where nothing is live.
    """

    width: float
    height: float
    spots: tuple[Spot, ...]
    paint: Callable[[QPainter, Theme], None]
    live: tuple[Live, ...] = ()
    still: Callable[[QPainter, Theme], None] | None = None

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Paint everything but what is a widget on the screen."""
        (self.still or self.paint)(painter, theme)

    def figure(self, theme: Theme) -> Figure:
        """The page as a picture."""
        return Figure(self.width, self.height, lambda painter: self.paint(painter, theme))


def stack(blocks: Sequence[tuple[float, Block]], width: float) -> Page:
    """Put blocks below each other.

    Args:
        blocks: The room above each, and the block.
        width: They were made for it.
    """
    places: list[tuple[float, Block]] = []
    spots: list[Spot] = []
    live: list[Live] = []
    y = 0.0
    for above, block in blocks:
        y += above if places else 0.0
        places.append((y, block))
        spots += [replace(spot, box=spot.box.translated(0, y)) for spot in block.spots]
        live += [replace(one, box=one.box.translated(0, y)) for one in live_of(block)]
        y += block.height

    def paint_all(painter: QPainter, theme: Theme, *, still: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = painter.clipBoundingRect() if painter.hasClipping() else None
        for top, block in places:
            if seen is not None and (top + block.height < seen.top() - AROUND):
                continue
            if seen is not None and top > seen.bottom() + AROUND:
                break
            painter.save()
            painter.translate(0, top)
            (still_painting(block) if still else block.paint)(painter, theme)
            painter.restore()

    paint, rest = partial(paint_all, still=False), partial(paint_all, still=True)
    return Page(width, y, tuple(spots), paint, tuple(live), rest)


def live_of(block: Block) -> Sequence[Live]:
    """The widgets a block is on the screen."""
    found: Sequence[Live] = getattr(block, "live", ())
    return found


def still_painting(block: Block) -> Callable[[QPainter, Theme], None]:
    """What paints a block beside its widgets."""
    found: Callable[[QPainter, Theme], None] = getattr(block, "paint_still", block.paint)
    return found


@dataclass(frozen=True)
class Words:
    """A paragraph.

    Attributes:
        text: Wrapped at the width.
        width: In pixels.
        role: Of the font.
        colour: By its name in the theme.
    """

    text: str
    width: float
    role: FontRole = "body"
    colour: str = "text"
    spots: tuple[Spot, ...] = ()
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", wrapped(self.role, self.text, self.width))

    @property
    def height(self) -> float:
        """Of its lines."""
        return len(self.lines) * text_height(self.role)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Line by line."""
        box = QRectF(0, 0, self.width, self.height)
        paint_block(painter, box, self.lines, self.role, theme.colour(self.colour))


@guarded
class PaintedPage(QWidget):
    """Shows a page as wide as it is; stands in a scroll area.

    Signals:
        chosen: The key of the spot that was clicked, or that Enter was pressed on.
    """

    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._make: Callable[[float], Page] | None = None
        self._made: dict[float, Page] = {}
        self._hover: int | None = None
        self._current: int | None = None
        self._widgets: list[tuple[Callable[[QWidget], Any], Any]] = []
        theme_signals().changed.connect(self._theme_changed)

    def show_page(self, make: Callable[[float], Page] | None) -> None:
        """Show another page, made anew for every width."""
        self._make, self._made = make, {}
        self._hover = None
        count = len(self._keys())
        if self._current is not None and self._current >= count:
            self._current = None
        self._describe()
        self._place_live()
        self.updateGeometry()
        self.update()

    def _place_live(self) -> None:
        """Put the widgets of live parts where they stand; one of the same kind is kept."""
        page = self.page
        live = page.live if page is not None else ()
        for n, one in enumerate(live):
            if n < len(self._widgets) and self._widgets[n][0] is not one.make:
                self._widgets[n][1].deleteLater()
                del self._widgets[n]
            if n >= len(self._widgets) or self._widgets[n][0] is not one.make:
                made = one.make(self)
                made.chosen.connect(self.chosen)
                self._widgets.insert(n, (one.make, made))
            widget = self._widgets[n][1]
            widget.show_content(one.content)
            widget.setGeometry(one.box.toAlignedRect())
            widget.show()
        for _, widget in self._widgets[len(live) :]:
            widget.hide()
            widget.deleteLater()
        del self._widgets[len(live) :]

    @property
    def page(self) -> Page | None:
        """What is shown at the width of now."""
        return self._at(self._room())

    def _at(self, width: float) -> Page | None:
        """The page at a width; layouts ask for several before one is shown."""
        if self._make is None:
            return None
        if width not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[width] = self._make(width)
        return self._made[width]

    @property
    def current(self) -> Spot | None:
        """The spot the keyboard is on."""
        keys = self._keys()
        return keys[self._current] if self._current is not None else None

    def spot_at(self, point: QPoint) -> Spot | None:
        """The spot under a point."""
        page = self.page
        found = (s for s in page.spots if s.box.contains(point.toPointF())) if page else iter(())
        return next(found, None)

    def _room(self) -> float:
        return float(max(self.width(), 120))

    def _keys(self) -> tuple[Spot, ...]:
        page = self.page
        return tuple(spot for spot in page.spots if spot.key is not None) if page else ()

    def hasHeightForWidth(self) -> bool:
        """Narrower is taller."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of the page at a width."""
        page = self._at(float(max(width, 120)))
        return int(page.height + 0.999) if page is not None else 0

    def sizeHint(self) -> QSize:
        """As tall as the page at the width of now."""
        return QSize(320, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a column."""
        return QSize(160, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width is another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place_live()
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight, what is under the mouse, and the ring of the keyboard."""
        page = self.page
        if page is None:
            return
        painter = QPainter(self)
        painter.setClipRect(event.rect())
        theme = current_theme()
        page.paint_still(painter, theme)
        keys = self._keys()
        if self._hover is not None and self._hover < len(keys):
            self._ring(painter, keys[self._hover].box, QPen(theme.muted, 1.2))
        if self._current is not None and self.hasFocus():
            self._ring(painter, keys[self._current].box, QPen(theme.focus, 2.0))

    @staticmethod
    def _ring(painter: QPainter, box: QRectF, pen: QPen) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 5, 5)

    def _theme_changed(self, _theme: object) -> None:
        self._made.clear()
        self._place_live()
        self.updateGeometry()
        self.update()

    # ---- mouse and keyboard -----------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked."""
        spot = self.spot_at(event.position().toPoint())
        keys = self._keys()
        hover = keys.index(spot) if spot in keys else None
        if hover != self._hover:
            self._hover = hover
            can = hover is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the spot under the mouse."""
        spot = self.spot_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and spot and spot.key is not None:
            self._current = self._keys().index(spot)
            self._describe()
            self.chosen.emit(spot.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from spot to spot; Enter or Space chooses."""
        keys = self._keys()
        step = _STEPS.get(event.key())
        if step is not None and keys:
            start = -1 if self._current is None and step > 0 else self._current or 0
            self._current = min(max(start + step, 0), len(keys) - 1)
            self._describe()
            self._bring_into_view(keys[self._current].box)
            self.update()
        elif event.key() in _CHOOSE and self.current is not None:
            self.chosen.emit(self.current.key)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring appears."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def _bring_into_view(self, box: QRectF) -> None:
        content = self.parentWidget()
        area = content.parentWidget() if content is not None else None
        area = area.parentWidget() if area is not None else None
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        inside = area.widget() if isinstance(area, QScrollArea) else None
        if isinstance(area, QScrollArea) and inside is not None:
            middle = self.mapTo(inside, box.center().toPoint())
            area.ensureVisible(middle.x(), middle.y(), 0, int(box.height()))

    def _describe(self) -> None:
        spot = self.current
        count = len(self._keys())
        self.setAccessibleDescription(spot.spoken or spot.words if spot else f"{count} places.")

    def event(self, event: QEvent) -> bool:
        """Tooltips of the spot under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            spot = self.spot_at(event.pos())
            if spot is None or not spot.words:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), spot.words, self)
            return True
        return super().event(event)


_STEPS: dict[Any, int] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
