"""The widget that shows a page of painted blocks: mouse, keyboard, tooltips."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.text import ngettext
from explorer.ui.blocks.block import LaidPage, Spot
from explorer.ui.blocks.page.page import Explain, Write
from explorer.ui.blocks.widget import accessible
from explorer.ui.blocks.widget.gliding_axes import GlidingAxes
from explorer.ui.blocks.widget.keyboard import SpotMove
from explorer.ui.blocks.widget.looks import Looks
from explorer.ui.blocks.widget.selecting import Selecting
from explorer.ui.blocks.widget.spot_words import copied_of, explain
from explorer.ui.blocks.widget.writing import PageLineEdit
from explorer.ui.controls.scrolling import bring_into_sight, update_boxes
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.theme.shapes import draw_rounded

HINT = 320
"""Pixels of width that layouts are told; they ask how high a page is at it, and show none."""
KEPT = 4
"""Widths at which a page is kept."""
RESTING_MS = 700
"""After the keyboard stayed on a spot so long, its words appear as under the mouse."""


@guarded
class PaintedPage(QWidget):
    """Shows a page as wide as it is; stands in a scroll area.

    Signals:
        chosen: The key of the spot that was clicked, or that Enter was pressed on.
        acted: The gesture of that spot, where it has one.
        looked_at: What is under the mouse or the keyboard in a live part that tells; None for
            nothing any more.
    """

    chosen = Signal(object)
    acted = Signal(object)
    looked_at = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._make: Callable[[float], LaidPage] | None = None
        self._made: dict[float, LaidPage] = {}
        self._hover: int | None = None
        self._current: int | None = None
        self._pressed: Spot | None = None
        self._dragged: tuple[Spot, float, Any] | None = None
        self.selecting = Selecting()
        self.writing = PageLineEdit(self)
        self.writing.done.connect(self.acted)
        self._widgets: list[tuple[Callable[[QWidget], Any], Any]] = []
        self._looks, self._axes = Looks(), GlidingAxes(self)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(RESTING_MS)
        self._resting.timeout.connect(self._explain)
        theme_signals().changed.connect(self._theme_changed)
        accessible.tell_of(self, accessible.PageInterface(self))

    def show_page(self, make: Callable[[float], LaidPage] | None) -> None:
        """Show another page, made anew for every width."""
        before, then = self.current, self.page
        self._make, self._made = make, {}
        self.selecting.clear()
        self._hover = None
        self._current = self._found_again(before)
        self._axes.follow(then, self.page)
        self._describe()
        self._place_live()
        self._follow_writing()
        self.updateGeometry()
        self.update()

    @property
    def looks(self) -> Looks:
        """How its live parts are looked at, and are to be that are not there yet."""
        return self._looks.and_of(self._widgets)

    def take_looks(self, looks: Looks) -> None:
        """Let live parts be looked at as those of another page are, once they are made."""
        self._looks = looks

    def _follow_writing(self) -> None:
        if self.writing.is_open:
            spots = self.page.spots if self.page is not None else ()
            self.writing.follow({spot.key: spot.box for spot in spots if spot.key is not None})

    def _place_live(self) -> None:
        """Put the widgets of live parts where they stand; one of the same kind is kept."""
        page = self.page
        live = page.live if page is not None else ()
        for n, one in enumerate(live):
            if n < len(self._widgets) and self._widgets[n][0] is not one.make:
                self._widgets[n][1].hide()
                self._widgets[n][1].deleteLater()
                del self._widgets[n]
            is_new = n >= len(self._widgets) or self._widgets[n][0] is not one.make
            if is_new:
                made = one.make(self)
                made.chosen.connect(self.chosen)
                made.acted.connect(self.acted)
                if hasattr(made, "looked_at"):
                    made.looked_at.connect(self.looked_at)
                if hasattr(made, "opened"):
                    made.opened.connect(partial(self._focus_after, made))
                self._widgets.insert(n, (one.make, made))
            widget = self._widgets[n][1]
            widget.show_content(one.content)
            widget.setGeometry(one.box.toAlignedRect())
            widget.show()
            if is_new:
                self._looks.hand_on(n, one.make, widget)
        for _make, widget in self._widgets[len(live) :]:
            widget.hide()
            widget.deleteLater()
        del self._widgets[len(live) :]

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """Those of the live parts, from above."""
        return tuple(widget for _, widget in self._widgets)

    def _focus_after(self, opener: QWidget) -> None:
        """What was chosen in a live part is drawn in the next one, which gets the keyboard."""
        for widget in self.widgets[self.widgets.index(opener) + 1 :][:1]:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def rearrange(self) -> None:
        """Lay the same page out anew: there is more or less height to fill."""
        self._made.clear()
        self._place_live()
        self.updateGeometry()
        self.update()

    def _found_again(self, before: Spot | None) -> int | None:
        """Where the keyboard is on a new page: on the spot with the same key, or as near."""
        if before is None:
            return None
        spots = self.reached
        if before.key is not None:
            for index, spot in enumerate(spots):
                if spot.key == before.key:
                    return index
        at = self._current
        return at if at is not None and at < len(spots) else None

    @property
    def page(self) -> LaidPage | None:
        """What is shown at the width of now."""
        return self._at(float(max(self.width(), 120)))

    def _at(self, width: float) -> LaidPage | None:
        """The page at a width; layouts ask for several before one is shown."""
        if self._make is None:
            return None
        if width not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[width] = self._make(width)
            self._axes.hand_on(self._made[width])
        return self._made[width]

    @property
    def current(self) -> Spot | None:
        """The spot the keyboard is on."""
        return self._spot(self._current)

    def _spot(self, number: int | None) -> Spot | None:
        """The spot of a number, where there still is one."""
        if number is None:
            return None
        spots = self.reached
        return spots[number] if number < len(spots) else None

    @property
    def current_node(self) -> tuple[int, int] | None:
        """Which of the page's nodes the keyboard is in, and on which of that one's spots."""
        spot = self.current
        return self.page.node_of(spot) if self.page is not None and spot is not None else None

    def spot_at(self, point: QPoint) -> Spot | None:
        """The spot under a point."""
        page = self.page
        found = (s for s in page.spots if s.box.contains(point.toPointF())) if page else iter(())
        return next(found, None)

    @property
    def reached(self) -> tuple[Spot, ...]:
        """The spots the keyboard goes to: those that do something, and those that say something."""
        return self.page.reached if self.page is not None else ()

    def _number_of(self, spot: Spot) -> int | None:
        return self.page.number_of(spot) if self.page is not None else None

    def hasHeightForWidth(self) -> bool:
        """Narrower is taller."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of the page at a width; at that of the hint any will do, which nobody sees."""
        any_known = next(iter(self._made.values()), None)
        page = any_known if width == HINT != self.width() else self._at(float(max(width, 120)))
        return int(page.height + 0.999) if page is not None else 0

    def sizeHint(self) -> QSize:
        """Its height is a matter of its width.

        None is named here: with that of the width of now, what is the higher the wider it is (as
        matrices are) would be laid out beside and without a scroll bar, each within the other.
        """
        return QSize(HINT, 0)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a column."""
        return QSize(160, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width is another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.selecting.clear()
            self._place_live()
            self._follow_writing()
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight, what is under the mouse, and the ring of the keyboard."""
        page = self.page
        if page is None:
            return
        painter = QPainter(self)
        painter.setClipRect(event.rect())
        theme = current_theme()
        hover = self._spot(self._hover)
        if hover is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_rounded(painter, hover.box.adjusted(1, 1, -1, -1), 5, theme.hover)
        page.paint_still(painter, theme)
        self.selecting.paint(painter, theme)
        if hover is not None:
            draw_rounded(painter, hover.box.adjusted(1, 1, -1, -1), 5, edge=QPen(theme.muted, 1.2))
        current = self.current
        if current is not None and self.hasFocus():
            draw_rounded(painter, current.box.adjusted(1, 1, -1, -1), 5, edge=QPen(theme.focus, 2))

    def _theme_changed(self, _theme: object) -> None:
        self.rearrange()

    # ---- mouse and keyboard -----------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked, or drag what was taken hold of."""
        if self._dragged is not None:
            self._drag_to(event.position().x())
            return
        if event.buttons() & Qt.MouseButton.LeftButton and self.selecting.drag(event.position()):
            bring_into_sight(self, QRectF(event.position(), QSizeF(1, 1)))
            self.update()
        if self.selecting.is_dragged:
            return
        spot = self.spot_at(event.position().toPoint())
        can = spot is not None and spot.can_choose
        hover = self._number_of(spot) if spot is not None and can else None
        if hover != self._hover:
            before, self._hover = self._spot(self._hover), hover
            update_boxes(self, *(one.box for one in (before, spot) if one is not None))
        shape = Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor
        if spot is not None and spot.drag is not None:
            shape = Qt.CursorShape.SizeHorCursor
        elif spot is not None and isinstance(spot.twice, Write):
            shape = Qt.CursorShape.IBeamCursor
        self.setCursor(shape)

    def _drag_to(self, x: float) -> None:
        assert self._dragged is not None
        spot, start, last = self._dragged
        assert spot.drag is not None
        gesture = spot.drag(x - start)
        if gesture != last:
            self._dragged = spot, start, gesture
            self.acted.emit(gesture)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember what is pressed: a click begins and ends on the same spot."""
        super().mousePressEvent(event)
        event.accept()
        spot = self.spot_at(event.position().toPoint())
        self.writing.close()
        if spot is not None and spot.drag is not None:
            if event.button() == Qt.MouseButton.LeftButton:
                self._dragged = spot, event.position().x(), None
            return
        self._pressed = spot
        if event.button() == Qt.MouseButton.LeftButton:
            self.selecting.press(event.position(), self.page)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do what a double click on the spot does; anywhere else it is a click."""
        spot = self.spot_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and spot is not None and spot.twice:
            self._do(spot, spot.twice)
        else:
            self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the spot under the mouse, if it was pressed there; let go of what was dragged."""
        if self._dragged is not None:
            self._dragged = None
            return
        if self.selecting.release():
            self._pressed = None
            accessible.announce(self, self.selecting.said)
            return
        spot = self.spot_at(event.position().toPoint())
        pressed, self._pressed = self._pressed, None
        if event.button() != Qt.MouseButton.LeftButton or spot is None or not spot.can_choose:
            return
        if pressed is not None and (pressed.key, pressed.box) == (spot.key, spot.box):
            number = self._number_of(spot)
            if number is not None:
                self._go(number)
            self.choose(spot)

    def choose(self, spot: Spot) -> None:
        """Do what choosing a spot does."""
        if spot.key is not None:
            self.chosen.emit(spot.key)
        if spot.act is not None:
            self._do(spot, spot.act)

    def _do(self, spot: Spot, gesture: Any) -> None:
        """Pass a gesture on; typing and explaining are done here."""
        if isinstance(gesture, Explain):
            explain(self, spot)
        elif isinstance(gesture, Write):
            spots = self.page.spots if self.page is not None else ()
            over = (one for one in spots if gesture.over is not None and one.key == gesture.over)
            self.writing.open(gesture, next(over, spot))
        else:
            self.acted.emit(gesture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from spot to spot, or with Shift select; Enter chooses; Ctrl+C copies."""
        page = self.page
        move = _MOVES.get(event.key())
        current = self.current
        if move is not None and page is not None and page.reached:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._extend(page, move)
                return
            if self.selecting.clear():
                self.update()
            self._go(page.lines.step(self._current, move))
            self._resting.start()
        elif current is not None and event.key() in current.keys:
            self._do(current, current.keys[Qt.Key(event.key())])
        elif event.key() in _CHOOSE and current is not None and current.can_choose:
            self.choose(current)
        elif event.matches(QKeySequence.StandardKey.Copy) and (self.selecting.chosen or current):
            copied = self.selecting.copied or (copied_of(current) if current is not None else "")
            QGuiApplication.clipboard().setText(copied)
        elif event.matches(QKeySequence.StandardKey.SelectAll) and page is not None:
            self.selecting.everything(page)
            self._tell_selected()
        elif event.key() == Qt.Key.Key_Escape and self.selecting.clear():
            self.update()
        elif event.key() == Qt.Key.Key_Escape and QToolTip.isVisible():
            QToolTip.hideText()
        else:
            super().keyPressEvent(event)

    def _extend(self, page: LaidPage, move: SpotMove) -> None:
        """Select up to the next spot, or other cells of the rows that are selected."""
        before = self.current
        if before is not None and before.cells and move in (SpotMove.LEFT, SpotMove.RIGHT):
            self.selecting.widen(before, page, 1 if move is SpotMove.RIGHT else -1)
        else:
            self._go(page.lines.step(self._current, move))
            if (after := self.current) is not None:
                self.selecting.extend(before or after, after, page)
        self._tell_selected()

    def _tell_selected(self) -> None:
        accessible.announce(self, self.selecting.said)
        self.update()

    def _go(self, index: int | None) -> None:
        """Put the keyboard on a spot."""
        before, self._current = self.current, index
        self._describe()
        current = self.current
        update_boxes(self, *(one.box for one in (before, current) if one is not None))
        if current is not None:
            bring_into_sight(self, current.box)
            accessible.went_to(self)

    def _explain(self) -> None:
        """Show the words of the spot the keyboard rests on."""
        spot = self.current
        if spot is not None and spot.words and self.hasFocus():
            explain(self, spot)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring appears; reached by Tab, it is on the first spot."""
        super().focusInEvent(event)
        tabs = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if self.page is not None and self.current is None and event.reason() in tabs:
            self._go(self.page.lines.step(None, SpotMove.FIRST))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self._resting.stop()
        self.update()

    def show_anchor(self, key: Any) -> None:
        """Bring a part of the page into sight, where it has such a part."""
        box = self.page.anchors.get(key) if self.page is not None else None
        if box is not None:
            bring_into_sight(self, box)

    def accessibleDescription(self) -> str:  # noqa: N802 - Qt's
        """Where the keyboard is; else how many places there are, which are counted when asked."""
        if (spot := self.current) is not None:
            return spot.said
        return ngettext("{count} place.", "{count} places.", len(self.reached))

    def _describe(self) -> None:
        if QAccessible.isActive():
            self.setAccessibleDescription(self.accessibleDescription())

    def event(self, event: QEvent) -> bool:
        """Tooltips of the spot under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            explain(self, self.spot_at(event.pos()), event.pos())
            return True
        return super().event(event)


_MOVES: dict[Any, SpotMove] = {
    Qt.Key.Key_Left: SpotMove.LEFT,
    Qt.Key.Key_Up: SpotMove.UP,
    Qt.Key.Key_Right: SpotMove.RIGHT,
    Qt.Key.Key_Down: SpotMove.DOWN,
    Qt.Key.Key_Home: SpotMove.FIRST,
    Qt.Key.Key_End: SpotMove.LAST,
}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
