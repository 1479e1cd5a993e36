"""Masks over epochs as a grid: a row an epoch, a column a token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.questions.masking.masking_policy.parts import FATE_COLOURS
from explorer.questions.masking.masking_policy.question import Draw, TokenFate
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks import (
    Piece,
    PlacedBlock,
    Space,
    Spot,
    Theme,
    draw_rounded,
    draw_text,
    text_height,
    text_width,
)

ROW = 16.0
"""Pixels of a row at least."""
OF_A_LINE = 0.85
"""Of a line of words, that a row has at least: figures and most letters reach no further."""
ROW_GAP = 2.0
WIDEST_CELL = 22.0
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True)
class EpochBlock:
    """A block of a page: which tokens give a loss in which epoch.

    Attributes:
        title: Above it.
        said: Below it.
        pieces: Of the tokens that may be chosen, in order.
        epochs: For each epoch the number of its draw.
        draws: All draws.
        shown: The draw that is shown in full.
        act: From a draw's number to the gesture that shows it in full.
        above: The room above it.
    """

    title: str
    said: str
    pieces: Sequence[Piece]
    epochs: Sequence[int]
    draws: Sequence[Draw]
    shown: int
    act: Callable[[int], Any] = lambda _number: None
    above: Space = Space.APART

    def at(self, width: float) -> "EpochGrid":
        """The grid at a width."""
        return EpochGrid(self, width)


class EpochGrid(PlacedBlock):
    """The grid at a width, in pixels."""

    def __init__(self, block: EpochBlock, width: float) -> None:
        self._block = block
        self.width = width
        self._head = text_height("strong") + 6
        names = (_("epoch {row}", row=40), _("any epoch"))
        self._label = max(text_width("small", name) for name in names) + 10
        self._number = text_width("small", "loss 10.00") + 6
        room = width - self._label - self._number
        self._cell = max(1.0, min(WIDEST_CELL, room / max(1, len(block.pieces))))
        self._columns = {piece.position: n for n, piece in enumerate(block.pieces)}
        self._row = max(ROW, OF_A_LINE * text_height("small"))
        rows = len(block.epochs) * (self._row + ROW_GAP)
        self._ever = self._head + rows + 6
        self.height = self._ever + self._row + 4 + text_height("small")
        self.spots = tuple(self._make_spots())

    def _top(self, row: int) -> float:
        return self._head + row * (self._row + ROW_GAP)

    def _make_spots(self) -> list[Spot]:
        spots = []
        for row, number in enumerate(self._block.epochs):
            draw = self._block.draws[number]
            words = ", ".join(
                f"{isolated(self._text(one.position))} ({one.fate.value})" for one in draw.chosen
            )
            said = _(
                "Epoch {row}: {words}. Loss {loss} nats. Click to see it in full.",
                row=row + 1,
                words=words,
                loss=decimal(draw.loss, 2),
            )
            box = QRectF(0, self._top(row), self.width, self._row)
            spots.append(Spot(box, ("draw", number), said, said, self._block.act(number)))
        return spots

    def _text(self, position: int) -> str:
        column = self._columns.get(position)
        return self._block.pieces[column].text if column is not None else "?"

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Title, a row an epoch, and what was met in any."""
        title = QRectF(0, 0, self.width, text_height("strong"))
        draw_text(painter, title, self._block.title, "strong", theme.text, LEFT)
        ever: set[int] = set()
        for row, number in enumerate(self._block.epochs):
            draw = self._block.draws[number]
            top = self._top(row)
            label = QRectF(0, top, self._label - 8, self._row)
            is_shown = number == self._block.shown
            colour = theme.text if is_shown else theme.muted
            draw_text(painter, label, _("epoch {row}", row=row + 1), "small", colour, LEFT)
            self._paint_cells(painter, theme, top)
            for one in draw.chosen:
                ever.add(one.position)
                self._paint_fate(painter, theme, one.position, one.fate, top)
            end = self._label + len(self._block.pieces) * self._cell
            loss = QRectF(end, top, self._number, self._row)
            draw_text(
                painter, loss, _("loss {loss}", loss=decimal(draw.loss, 2)), "small", colour, RIGHT
            )
            if is_shown and number not in self._block.epochs[:row]:
                frame = QRectF(self._label - 2, top - 1, end - self._label + 4, self._row + 2)
                draw_rounded(painter, frame, 3, edge=QPen(theme.focus, 1.4))
        label = QRectF(0, self._ever, self._label - 8, self._row)
        draw_text(painter, label, _("any epoch"), "small", theme.muted, LEFT)
        self._paint_cells(painter, theme, self._ever)
        for position in ever:
            painter.fillRect(self._box(position, self._ever), theme.bar)
        said = QRectF(0, self._ever + self._row + 4, self.width, text_height("small"))
        draw_text(painter, said, self._block.said, "small", theme.text, LEFT)

    def _box(self, position: int, top: float) -> QRectF:
        x = self._label + self._columns[position] * self._cell
        seam = 1.0 if self._cell > 4 else 0.0
        return QRectF(x, top, self._cell - seam, self._row)

    def _paint_cells(self, painter: QPainter, theme: Theme, top: float) -> None:
        for position in self._columns:
            if position is not None:
                painter.fillRect(self._box(position, top), theme.track)

    def _paint_fate(
        self, painter: QPainter, theme: Theme, position: int, fate: TokenFate, top: float
    ) -> None:
        if position not in self._columns:
            return
        edge = theme.colour(FATE_COLOURS[fate][0])
        box = self._box(position, top)
        if fate is TokenFate.UNCHANGED:
            painter.setPen(QPen(edge, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -1, -1))
            return
        painter.fillRect(box, edge)
        if fate is TokenFate.RANDOM:
            inner = box.adjusted(box.width() * 0.3, 5, -box.width() * 0.3, -5)
            painter.fillRect(inner, theme.surface)
