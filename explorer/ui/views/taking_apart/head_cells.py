"""Layers x heads as a grid whose cells can be clicked: a value each, and which ones are off."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.ui.blocks.block import Spot
from explorer.ui.matrices.heat_painting import paint_scale
from explorer.ui.matrices.scale import Scale
from explorer.ui.theme import Theme
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
WIDEST, NARROWEST = 52.0, 9.0
HIGHEST, LOWEST = 22.0, 11.0
"""Of a cell, in pixels."""


@dataclass(frozen=True)
class Heads:
    """What a grid shows.

    Attributes:
        name: First part of the keys of its spots: (name, "head", row, head), (name, "layer", row).
        title: Above it.
        rows: A label a layer.
        heads: In each layer.
        values: rows x heads; None for a grid without colours.
        scale: Which colour a value has.
        written: A value in a few characters, for the cells.
        marked: Row and head that is looked at, or None.
        off: Rows and heads that are switched off.
        words: What is said of a row and a head.
        about_row: What is said of a row; None where rows can't be chosen.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    heads: int
    words: Callable[[int, int], str]
    values: "NDArray[np.float32] | None" = None
    scale: Scale = field(default_factory=Scale)
    written: Callable[[float], str] = "{:.2f}".format
    marked: tuple[int, int] | None = None
    off: Collection[tuple[int, int]] = ()
    about_row: Callable[[int], str] | None = None


class HeadCells:
    """A block of a page."""

    def __init__(self, of: Heads, width: float) -> None:
        self.of, self.width = of, width
        high = text_height("small")
        self._title = text_height("strong") + 4
        self._head = high + 2
        labels = [text_width("small", label) for label in of.rows]
        self._left = max([*labels, text_width("small", "layer")]) + 8
        room = (width - self._left) / max(of.heads, 1)
        self._wide = min(max(room, NARROWEST), WIDEST)
        self._high = min(max(self._wide * 0.6, LOWEST), HIGHEST)
        self._top = self._title + self._head
        self._bar = high + 8 if of.values is not None else 0.0
        self.height = self._top + len(of.rows) * self._high + self._bar
        self.spots = tuple(self._spots())

    def box(self, row: int, head: int) -> QRectF:
        """A cell."""
        x, y = self._left + head * self._wide, self._top + row * self._high
        return QRectF(x, y, self._wide, self._high)

    def _spots(self) -> list[Spot]:
        of, spots = self.of, []
        for row in range(len(of.rows)):
            if of.about_row is not None:
                words = of.about_row(row)
                place = QRectF(0, self._top + row * self._high, self._left - 2, self._high)
                spots.append(Spot(place, (of.name, "layer", row), words, words))
            for head in range(of.heads):
                words = of.words(row, head)
                key: Any = (of.name, "head", row, head)
                spots.append(Spot(self.box(row, head), key, words, words.replace("\n", ". ")))
        return spots

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The title, the labels, the cells, the colour bar."""
        of, small = self.of, text_height("small")
        box = QRectF(0, 0, self.width, self._title - 4)
        draw_text(painter, box, of.title, "strong", theme.text, LEFT)
        corner = QRectF(0, self._title, self._left - 8, self._head)
        draw_text(painter, corner, "layer", "small", theme.muted, RIGHT)
        step = 1 if self._wide >= text_width("small", "00") + 2 else 4
        for head in range(0, of.heads, step):
            wide = QRectF(self._left + head * self._wide, self._title, self._wide, self._head)
            draw_text(painter, wide, str(head), "small", theme.muted)
        step = 1 if self._high >= small - 3 else 2
        for row, label in enumerate(of.rows):
            place = QRectF(0, self._top + row * self._high, self._left - 8, self._high)
            if row % step == 0:
                draw_text(painter, place, label, "small", theme.muted, RIGHT)
            for head in range(of.heads):
                self._paint_cell(painter, theme, row, head)
        if of.marked is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.text, 2))
            painter.drawRoundedRect(self.box(*of.marked).adjusted(0, 0, -1, -1), 2, 2)
        if of.values is not None:
            below = self._top + len(of.rows) * self._high + 6
            room = QRectF(self._left, below, self.width - self._left, small)
            paint_scale(painter, theme, of.scale, room)

    def _paint_cell(self, painter: QPainter, theme: Theme, row: int, head: int) -> None:
        of = self.of
        box = self.box(row, head).adjusted(0.5, 0.5, -1.5, -1.5)
        ground, ink, text = theme.track, theme.muted, ""
        if of.values is not None:
            value = of.values[row, head]
            red, green, blue, alpha = (int(c) for c in of.scale.colours(value, theme))
            if alpha:
                ground = QColor(red, green, blue)
                light = 0.299 * red + 0.587 * green + 0.114 * blue > 140
                ink = QColor("#101216") if light else QColor("#f4f5f7")
                text = of.written(float(value))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 2, 2)
        off = (row, head) in of.off
        if off:
            painter.setPen(QPen(theme.danger, 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 2, 2)
            inner = box.adjusted(2, 2, -2, -2)
            painter.drawLine(QLineF(inner.bottomLeft(), inner.topRight()))
            if not text:
                painter.drawLine(QLineF(inner.topLeft(), inner.bottomRight()))
        if text and text_width("small", text) + 4 <= self._wide and self._high >= 15:
            draw_text(painter, box, text, "small", ink)
