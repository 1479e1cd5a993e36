"""The picture of an architecture: its columns from below, and what makes it different beside."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from explorer.api.family import Role, Trait
from explorer.architecture.shapes import (
    FORMS,
    Arrow,
    Column,
    Fork,
    Repeat,
    Shape,
    Sketch,
)
from explorer.text import _, said
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.model_picture.frames import (
    paint_arrow,
    paint_frame,
    paint_head,
)
from explorer.ui.model_picture.painting import (
    height_of,
    paint_shape,
    width_of,
)
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded, painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

PathOf = Callable[[tuple[str, ...], str], str]
"""From roles and the beginning of a stack's names to the path of a part; "" where there is none."""

ARROW, BARE_ARROW = 26.0, 16.0
"""How high an arrow is with words beside it, and without."""
STEP = 9.0
PAD = 14.0
BEHIND = 8.0
"""How far the frames of other layers stand out at the right."""
GAP = 46.0
NARROWEST, WIDEST = 280, 400
FORKED = 325
"""The least of a column with heads side by side, whose words are cut where it is narrower."""
NOTES = 250
"""Pixels of the words beside the columns; like those of columns, at the usual size of text."""
OF_A_PART = 2
"""The most shapes that the residual of one part of a layer passes: the part and its norm."""


@dataclass
class PlacedShape:
    """A shape, an arrow or a frame of layers, and where it stands."""

    item: Shape | Arrow | Repeat
    box: QRectF
    start: float = 0.0
    path: str = ""
    shift: float = 0.0
    zoom: float = 1.0


class BoardColumn:
    """One column: everything in it placed, bottom at 0 and growing upwards as negative y."""

    def __init__(self, column: Column, width: float, widest: int, path_of: PathOf) -> None:
        self.column = column
        self.width = width
        self.placed: list[PlacedShape] = []
        self._widest = widest
        self._path_of = path_of
        self.forks: list[tuple[float, float]] = []
        self.ends: list[tuple[float, float]] = []
        self._y = 0.0
        for item in column.items:
            if isinstance(item, Repeat):
                self._repeat(item)
            elif isinstance(item, Fork):
                self._fork(item)
            else:
                self._put(item, width)
        self.height = -self._y

    def scale(self, size: int) -> float:
        """Pixels for a vector of so many entries; areas are told apart, so by the root."""
        if size <= 0:
            return 0.0
        share = min(1.0, math.sqrt(size / self._widest))
        return 46.0 + (self.width - 2 * PAD - 60.0) * share

    def _scaled(self, zoom: float, size: int) -> float:
        return zoom * self.scale(size)

    def _put(self, item: Shape | Arrow, room: float, zoom: float = 1.0) -> PlacedShape:
        if isinstance(item, Arrow):
            high = max(ARROW, text_height("small") + 2) if item.words else BARE_ARROW
            self._y -= high
            placed = PlacedShape(item, QRectF(0, self._y, self.width, high))
        else:
            wide = width_of(item, partial(self._scaled, zoom), room)
            high = height_of(item)
            self._y -= high
            box = QRectF((self.width - wide) / 2, self._y, wide, high)
            placed = PlacedShape(item, box, path=self._path_of(item.roles, self.column.stack))
        self.placed.append(placed)
        return placed

    def _repeat(self, layers: Repeat) -> None:
        bottom = self._y
        frame = PlacedShape(layers, QRectF())
        self.placed.append(frame)
        self._y -= PAD
        below: list[float] = []
        for item in layers.items:
            if isinstance(item, Shape):
                below.append(self._y)
                self._y -= STEP
            placed = self._put(item, self.width - 2 * PAD - 26)
            if isinstance(item, Shape) and item.around:
                placed.start = below[-1 - item.around]
        self._y -= PAD + text_height("strong")
        frame.box = QRectF(2, self._y, self.width - 4 - BEHIND, bottom - self._y)
        frame.path = self._path_of((Role.FEED_FORWARD_IN, Role.ATTENTION_OUTPUT), self.column.stack)

    def _fork(self, fork: Fork) -> None:
        """Heads side by side, from the same states."""
        bottom, top = self._y, self._y
        room = self.width / len(fork.branches)
        for number, branch in enumerate(fork.branches):
            self._y = bottom - ARROW / 2
            left = number * room - (self.width - room) / 2
            self.forks.append((self.width / 2 + left, bottom))
            for item in branch:
                placed = self._put(item, room - 10, room / self.width)
                placed.box = placed.box.translated(left, 0)
                placed.shift, placed.zoom = left, room / self.width
            self.ends.append((self.width / 2 + left, self._y))
            top = min(top, self._y)
        self._y = top

    def find(self, where: str) -> QRectF | None:
        """What a trait is pinned to."""
        if where in {"stack", "block"}:
            frames = [p.box for p in self.placed if isinstance(p.item, Repeat)]
            if not frames:
                return None
            box = frames[0]
            top = box.top() + (12 if where == "stack" else box.height() * 0.5)
            return QRectF(box.left(), top, box.width(), 2)
        for placed in self.placed:
            if isinstance(placed.item, Shape) and placed.item.where == where:
                return placed.box
        # A head of its own that this checkpoint lacks: beside the others.
        return self.find("head") if where in {"replaced", "span"} else None

    def paint(self, painter: QPainter, theme: Theme, selected: str) -> None:
        """Paint it with its lower left corner at (0, 0)."""
        middle = self.width / 2
        painter.setPen(QPen(theme.muted, 1.2))
        top = self.forks[0][1] - 4 if self.forks else -self.height + 6
        painter.drawLine(QPointF(middle, -6), QPointF(middle, top))
        for (x, bottom), (_unused, end) in zip(self.forks, self.ends, strict=True):
            painter.drawLine(QPointF(middle, bottom - 4), QPointF(x, bottom - 4))
            painter.drawLine(QPointF(x, bottom - 4), QPointF(x, end + 6))
        for placed in self.placed:
            if isinstance(placed.item, Repeat):
                paint_frame(painter, theme, placed.item, placed.box, middle)
        for placed in self.placed:
            item = placed.item
            if isinstance(item, Arrow):
                paint_arrow(painter, theme, item, placed.box, middle + placed.shift)
            elif isinstance(item, Shape):
                if item.form == "add" and placed.start:
                    self._paint_residual(painter, theme, placed, middle)
                paint_shape(painter, theme, item, placed.box, partial(self._scaled, placed.zoom))
                if placed.path and placed.path == selected:
                    draw_rounded(
                        painter, placed.box.adjusted(-3, -3, 3, 3), 6, edge=QPen(theme.focus, 2.2)
                    )

    def _paint_residual(
        self, painter: QPainter, theme: Theme, placed: PlacedShape, middle: float
    ) -> None:
        """What goes around a part of a layer and is added to what it gives."""
        # One around the whole layer (a bottleneck's) runs outside of those around its parts.
        outside = isinstance(placed.item, Shape) and placed.item.around > OF_A_PART
        x = PAD - 4.0 if outside else PAD + 6.0
        path = QPainterPath(QPointF(middle, placed.start - 3))
        path.lineTo(x, placed.start - 3)
        path.lineTo(x, placed.box.center().y())
        path.lineTo(placed.box.left() - 1, placed.box.center().y())
        painter.setPen(QPen(theme.muted, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        paint_head(painter, theme.muted, QPointF(placed.box.left(), placed.box.center().y()), "r")


class Board(PlacedBlock):
    """All columns, the link between them, and the traits.

    Args:
        sketch: What is drawn.
        traits: What makes it different.
        width: In pixels.
        path_of: From roles to the path of a part.
        act_of: What choosing a part does, by its path.
        selected: The path of the part that is open.
    """

    def __init__(
        self,
        sketch: Sketch,
        traits: Sequence[Trait],
        width: float,
        path_of: PathOf,
        act_of: Callable[[str], Any],
        selected: str = "",
    ) -> None:
        self._sketch, self._act_of = sketch, act_of
        self._selected = selected
        self.width = width
        count = len(sketch.columns)
        notes = zoomed(NOTES) + GAP
        forks = any(isinstance(item, Fork) for one in sketch.columns for item in one.items)
        least = zoomed(FORKED if forks else NARROWEST)
        beside = width - count * least - (count - 1) * GAP >= notes
        room = width - (notes if beside else 0.0) - (count - 1) * GAP
        each = max(150.0, min(zoomed(WIDEST), room / count))
        self.stacks = [BoardColumn(c, each, sketch.widest, path_of) for c in sketch.columns]
        self._lefts = [number * (each + GAP) for number in range(count)]
        self._titles = text_height("strong") + 8 if any(c.title for c in sketch.columns) else 0.0
        tall = max(stack.height for stack in self.stacks)
        self._floor = self._titles + tall + 4
        right = self._lefts[-1] + each
        self._notes = self._place_notes(traits, right, beside)
        lowest = max((box.bottom() for box, *_unused in self._notes), default=0.0)
        self.height = max(self._floor + 4, lowest + 4)
        self.spots = self._spots()

    def _place_notes(
        self, traits: Sequence[Trait], right: float, beside: bool
    ) -> list[tuple[QRectF, Trait, QPointF | None, list[str], list[str]]]:
        """Each trait's words, and the point that its line leads to."""
        left = right + GAP if beside else 0.0
        wide = self.width - left
        found = []
        for trait in traits:
            anchor: QPointF | None = None
            for x, stack in zip(self._lefts, self.stacks, strict=True):
                box = stack.find(trait.where) if stack.column.mine else None
                if box is not None:
                    anchor = QPointF(x + box.right(), self._floor + box.center().y())
                    break
            words = wrapped_lines("strong", said(trait.words), wide)
            why = wrapped_lines("small", said(trait.why), wide)
            high = len(words) * text_height("strong") + len(why) * text_height("small") + 6
            found.append((high, trait, anchor, words, why))
        found.sort(key=lambda one: one[2].y() if one[2] is not None else 0.0)
        y = 0.0 if beside else self._floor + 18
        placed = []
        for high, trait, anchor, words, why in found:
            wanted = anchor.y() - high / 2 if anchor is not None and beside else y
            y = max(y, wanted)
            box = QRectF(left, y, wide, high)
            placed.append((box, trait, anchor if beside else None, words, why))
            y = box.bottom() + 10
        over = y - 10 - self._floor if beside else 0.0
        if over > 0:
            placed = _lifted(placed, over)
        return placed

    def _spots(self) -> tuple[Spot, ...]:
        found = []
        for x, stack in zip(self._lefts, self.stacks, strict=True):
            if not stack.column.mine:
                continue
            for placed in stack.placed:
                if isinstance(placed.item, Shape) and placed.path:
                    words = placed.item.words or _(FORMS[placed.item.form])
                    box = placed.box.translated(x, self._floor)
                    tip = _("{words}\n{path}\nClick to open it.", words=words, path=placed.path)
                    key, act = ("part", placed.path), self._act_of(placed.path)
                    found.append(Spot(box, key, tip, f"{words}, {placed.path}", act))
        # From the top down, as the arrow keys go.
        return tuple(sorted(found, key=lambda spot: (spot.box.left() // 200, spot.box.top())))

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint it with its corner at (0, 0)."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x, stack in zip(self._lefts, self.stacks, strict=True):
            self._paint_column(painter, theme, x, stack)
        self._paint_link(painter, theme)
        for box, _unused, anchor, words, why in self._notes:
            if anchor is not None:
                painter.setPen(QPen(theme.border, 1.0, Qt.PenStyle.DashLine))
                middle = box.top() + text_height("strong") / 2
                painter.drawLine(anchor, QPointF(box.left() - 8, middle))
            painter.setPen(QPen(theme.accent, 2.0))
            painter.drawLine(box.topLeft() + QPointF(-8, 2), box.bottomLeft() + QPointF(-8, -4))
            high = text_height("strong") * len(words)
            draw_lines(painter, box, words, "strong", theme.text)
            draw_lines(painter, box.adjusted(0, high, 0, 0), why, "small", theme.muted)

    def _paint_column(self, painter: QPainter, theme: Theme, x: float, stack: BoardColumn) -> None:
        """A stack under its title; one that is another checkpoint stands back."""
        painter.save()
        if stack.column.title:
            title = QRectF(x, 0, stack.width, text_height("strong"))
            mine = stack.column.mine
            words = (
                stack.column.title
                if mine
                else _("{title} (another checkpoint)", title=stack.column.title)
            )
            right = Qt.TextElideMode.ElideRight
            centre = Qt.AlignmentFlag.AlignHCenter
            draw_text(painter, title, words, "strong", theme.text, centre, right)
        painter.translate(x, self._floor)
        stack.paint(painter, theme, self._selected)
        if not stack.column.mine:
            veil = QColor(theme.surface)
            veil.setAlpha(130)
            whole = QRectF(0, -stack.height - 10, stack.width + 12, stack.height + 10)
            painter.fillRect(whole, veil)
        painter.restore()

    def _paint_link(self, painter: QPainter, theme: Theme) -> None:
        if not self._sketch.link:
            return
        first, second = self.stacks[:2]
        x = self._lefts[1]
        gutter = x - GAP / 2
        if self._sketch.link == "cross":
            shape = next(p for p in second.placed if _is_cross(p.item))
            end = QPointF(x + shape.box.left(), self._floor + shape.box.center().y())
            start = QPointF(first.width / 2, self._floor - first.height + 6)
        else:
            end = QPointF(x + second.placed[0].box.left(), self._floor - 12)
            top = first.placed[-1].box
            start = QPointF(top.right(), self._floor + top.center().y())
        painter.setPen(QPen(theme.accent, 1.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath(start)
        path.lineTo(gutter, start.y())
        path.lineTo(gutter, end.y())
        path.lineTo(end)
        painter.drawPath(path)
        paint_head(painter, theme.accent, end, "r")
        if self._sketch.link == "replaced":
            with painter_moved(painter, gutter - 4, (start.y() + end.y()) / 2):
                painter.rotate(-90)
                words = _("its guesses are where the masks were")
                wide = text_width("small", words) + 8
                box = QRectF(-wide / 2, -text_height("small"), wide, text_height("small"))
                draw_text(painter, box, words, "small", theme.text)


def _is_cross(item: object) -> bool:
    return isinstance(item, Shape) and item.pattern == "other"


def _lifted(
    placed: list[tuple[QRectF, Trait, QPointF | None, list[str], list[str]]], over: float
) -> list[tuple[QRectF, Trait, QPointF | None, list[str], list[str]]]:
    """Move notes up that would stand below the floor, as far as there is room."""
    limit: float | None = None
    found = []
    for box, *rest in reversed(placed):
        bottom = box.bottom() - over if limit is None else min(box.bottom(), limit)
        moved = QRectF(box.left(), max(0.0, bottom - box.height()), box.width(), box.height())
        limit = moved.top() - 10
        found.append((moved, *rest))
    return found[::-1]  # type: ignore[return-value]
