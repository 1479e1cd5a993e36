"""Two masks as a table: what the second expects, given each word at the first."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.questions.masking.joint_decoding.question import Dependence
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, with_percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn
from explorer.ui.blocks.block import Spot
from explorer.ui.matrices.heat_painting import ink_on
from explorer.ui.sentence.tokens.layout import text_height, text_width
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import rounded

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
NARROWEST, WIDEST = 46.0, 96.0
PAD = 8.0
MOVED = N_("moved")


def percent(probability: float) -> str:
    """A share in whole percent; "<1" where it is not nothing."""
    if probability < 0.005:
        return "·" if probability < 0.0005 else "<1"
    return f"{probability * 100:.0f}"


class DependenceTable:
    """A block: rows are words at the first mask, columns words at the second.

    Args:
        found: The numbers.
        width: In pixels.
        first: How the first mask is called: "mask 1".
        second: How the second is called.
    """

    def __init__(self, found: Dependence, width: float, first: str, second: str) -> None:
        self._found, self._first, self._second = found, first, second
        self._head = 2 * text_height("small") + 6
        self._cell_high = text_height("body") + 8
        self._rows = [_("{first} is {one}", first=first, one=drawn(one)) for one in found.rows]
        self._alone = _("{second} alone", second=second)
        shares = [with_percent(percent(one.probability)) for one in found.rows]
        widest = max(text_width("body", text) for text in [*self._rows, self._alone])
        self._share = max(text_width("small", text) for text in shares) + PAD
        self._label = min(widest, width * 0.34) + PAD + self._share
        moved = text_width("body", with_percent("100")) + PAD if width > 420 else 0.0
        self._moved = max(moved, text_width("small", _(MOVED)) + PAD) if moved else 0.0
        room = width - self._label - self._moved - PAD
        self.columns = max(1, min(len(found.columns), int(room // NARROWEST)))
        self._wide = min(WIDEST, room / self.columns)
        self.height = self._head + self._cell_high * (len(found.rows) + 1) + 4
        self.spots = tuple(self._spots())

    def _top(self, row: int) -> float:
        """Of a row; the first one is what the second mask says alone."""
        return self._head + row * self._cell_high + (4 if row else 0)

    def _box(self, row: int, column: int) -> QRectF:
        left = self._label + column * self._wide
        return QRectF(left, self._top(row), self._wide, self._cell_high)

    def _spots(self) -> "list[Spot]":
        found = self._found
        spots = []
        for i, row in enumerate(found.rows):
            for j in range(self.columns):
                column = found.columns[j]
                given, alone = float(found.given[i, j]), column.probability
                words = _(
                    "With “{row}” at {first}, “{column}” has {in_digits} at {second}; "
                    "alone it has {in_digits_2}.\nBoth together: {in_digits_3}, if each "
                    "were alone: {in_digits_4}.",
                    row=drawn(row),
                    first=self._first,
                    column=drawn(column),
                    in_digits=in_digits(given),
                    second=self._second,
                    in_digits_2=in_digits(alone),
                    in_digits_3=in_digits(float(found.joint[i, j])),
                    in_digits_4=in_digits(float(found.independent[i, j])),
                )
                spots.append(Spot(self._box(i + 1, j), None, words))
            if self._moved:
                left = self._label + self.columns * self._wide
                box = QRectF(left, self._top(i + 1), self._moved + PAD, self._cell_high)
                spots.append(Spot(box, None, self._movement(i)))
        return spots

    def _movement(self, row: int) -> str:
        found = self._found
        return _(
            "With “{rows}” at {first}, {float} % of the probability at {second} moves to "
            "other words (total variation); KL divergence {float_2} nats.",
            rows=drawn(found.rows[row]),
            first=self._first,
            float=decimal(float(found.total_variation[row]) * 100, 1),
            second=self._second,
            float_2=decimal(float(found.kl[row]), 3),
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Heads, what the second mask says alone, and a row a word."""
        found = self._found
        for j in range(self.columns):
            column = self._box(0, j)
            head = QRectF(column.left() + 2, 0, column.width() - 4, self._head)
            draw_text(painter, head, drawn(found.columns[j]), "strong", theme.text)
        corner = QRectF(0, 0, self._label - PAD, self._head)
        draw_text(
            painter, corner, _("{second} in %", second=self._second), "small", theme.muted, RIGHT
        )
        label = QRectF(0, self._top(0), self._label - PAD, self._cell_high)
        draw_text(painter, label, self._alone, "body", theme.muted, RIGHT, ELIDE)
        for j in range(self.columns):
            alone = percent(found.columns[j].probability)
            draw_text(painter, self._box(0, j), alone, "body", theme.muted)
        if self._moved:
            left = self._label + self.columns * self._wide
            head = QRectF(left, 0, self._moved, self._head)
            draw_text(painter, head, _(MOVED), "small", theme.muted, RIGHT)
        for i in range(len(found.rows)):
            self._paint_row(painter, theme, i)

    def _paint_row(self, painter: QPainter, theme: Theme, i: int) -> None:
        found, top = self._found, self._top(i + 1)
        room = self._label - PAD - self._share
        label = QRectF(0, top, room, self._cell_high)
        draw_text(painter, label, self._rows[i], "body", theme.text, RIGHT, ELIDE)
        share = QRectF(room, top, self._share, self._cell_high)
        shown = with_percent(percent(found.rows[i].probability))
        draw_text(painter, share, shown, "small", theme.muted, RIGHT)
        for j in range(self.columns):
            given = float(found.given[i, j])
            box = self._box(i + 1, j).adjusted(1, 1, -1, -1)
            ground = shade(given - found.columns[j].probability, theme)
            rounded(painter, box, 3, ground)
            ink = ink_on(ground)
            draw_text(painter, box, percent(given), "body", ink)
        if self._moved:
            left = self._label + self.columns * self._wide
            box = QRectF(left, top, self._moved, self._cell_high)
            text = with_percent(f"{float(found.total_variation[i]) * 100:.0f}")
            draw_text(painter, box, text, "body", theme.text, RIGHT)


def shade(difference: float, theme: Theme) -> QColor:
    """A colour for a difference of probabilities, from -1 to 1; none at 0.

    The square root makes a change of a few percent visible; the numbers stand in the cells.
    """
    strength = math.copysign(math.sqrt(min(abs(difference), 1.0)), difference)
    at = round((strength + 1) / 2 * 255)
    red, green, blue, _unused = (int(value) for value in theme.diverging[at])
    return QColor(red, green, blue)
