"""Two ways to predict the same words: two bars a word, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.api import FIRST, SECOND
from explorer.ui.theme import Theme
from explorer.ui.widgets.bar_rows import in_digits, scale_for, signed
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.pieces import visible
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
SIDE, BETWEEN = 8.0, 14.0
NOT_THERE = "–"


@dataclass(frozen=True)
class Pair:
    """A word with the probabilities of two predictors; None where one does not know it.

    Attributes:
        word: As it is drawn.
        first: Its probability.
        first_rank: Its rank.
        second: The other's probability.
        second_rank: The other's rank.
        tag: What it is besides; "" for nothing.
    """

    word: str
    first: float | None
    first_rank: int | None
    second: float | None
    second_rank: int | None
    tag: str = ""


def number(probability: float | None, rank: int | None) -> str:
    """A probability with its rank; a dash where the vocabulary lacks the word."""
    if probability is None or rank is None:
        return NOT_THERE
    return f"{in_digits(probability)} ({rank:,})"


def details(one: Pair, names: tuple[str, str]) -> str:
    """What is known of a word."""
    lines = [one.word]
    values = ((one.first, one.first_rank), (one.second, one.second_rank))
    for name, (value, rank) in zip(names, values, strict=True):
        if value is None or rank is None:
            lines.append(f"{name}: its vocabulary has no such word as one piece")
        else:
            lines.append(f"{name}: {in_digits(value)}, rank {rank:,}")
    return "\n".join(lines)


class Pairs:
    """A block: a row a word.

    Args:
        words: In the order they are shown.
        width: In pixels.
        names: What the two predictors are called; the first has the upper, blue bars.
    """

    def __init__(self, words: Sequence[Pair], width: float, names: tuple[str, str]) -> None:
        self._words, self._width = words, width
        self._first, self._second = (f"{name} (rank)" for name in names)
        told = f"{names[1]} − {names[0]}"
        self._difference = told if names == (FIRST, SECOND) else "difference"
        self._high = text_height("body") + 12
        self._head = text_height("small") + 6
        self.height = self._head + self._high * len(words)
        values = [v for one in words for v in (one.first, one.second) if v is not None]
        self._scale = scale_for(max(values, default=1.0))
        self._columns = self._arrange()
        self.spots = tuple(
            Spot(
                QRectF(0, self._head + n * self._high, width, self._high), None, details(one, names)
            )
            for n, one in enumerate(words)
        )

    def _cells(self, one: Pair) -> dict[str, str]:
        both = one.first is not None and one.second is not None
        return {
            self._difference: signed((one.second or 0.0) - (one.first or 0.0)) if both else "",
            self._second: number(one.second, one.second_rank),
            self._first: number(one.first, one.first_rank),
        }

    def _arrange(self) -> dict[str, tuple[float, float]]:
        at: dict[str, tuple[float, float]] = {}
        right = self._width - SIDE
        for name in (self._difference, self._second, self._first):
            texts = [self._cells(one)[name] for one in self._words]
            wide = max(text_width("small", name), *(text_width("body", text) for text in texts))
            at[name] = (right - wide, right)
            right -= wide + BETWEEN
        words = max(
            text_width("strong", visible(one.word))
            + (text_width("small", one.tag) + 12 if one.tag else 0.0)
            for one in self._words
        )
        at["word"] = (SIDE, SIDE + min(words + 4, max(right - SIDE, 80.0) * 0.6))
        at["bars"] = (at["word"][1] + BETWEEN, right)
        return at

    def _cell(self, name: str, top: float, height: float) -> QRectF:
        left, right = self._columns[name]
        return QRectF(left, top, right - left, height)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The head and the rows."""
        for name in (self._difference, self._second, self._first):
            cell = self._cell(name, 0, self._head)
            draw_text(painter, cell, name, "small", theme.muted, RIGHT)
        bars = self._cell("bars", 0, self._head)
        if bars.width() > 60:
            draw_text(painter, bars, "0", "small", theme.muted, LEFT)
            draw_text(painter, bars, f"{self._scale:g}", "small", theme.muted, RIGHT)
        for place, one in enumerate(self._words):
            self._paint_row(painter, theme, one, self._head + place * self._high)

    def _paint_row(self, painter: QPainter, theme: Theme, one: Pair, top: float) -> None:
        high = self._high
        word = self._cell("word", top, high)
        tag = text_width("small", one.tag) + 10 if one.tag else 0.0
        wide = min(text_width("strong", visible(one.word)), max(word.width() - tag, 20.0))
        place = QRectF(word.left(), top, wide, high)
        draw_text(painter, place, visible(one.word), "strong", theme.text, LEFT, ELIDE)
        if one.tag:
            beside = QRectF(word.left() + wide + 8, top + 1, tag, high)
            draw_text(painter, beside, one.tag, "small", theme.mask, LEFT)
        for name, text in self._cells(one).items():
            ink = theme.accent if name == self._difference else theme.text
            ink = theme.muted if text == NOT_THERE else ink
            draw_text(painter, self._cell(name, top, high), text, "body", ink, RIGHT)
        bars = self._cell("bars", top, high)
        if bars.width() < 12:
            return
        half = (high - 10) / 2
        both: tuple[tuple[float | None, QColor], ...] = (
            (one.first, theme.bar),
            (one.second, theme.pair),
        )
        for row, (value, colour) in enumerate(both):
            if value is None:
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            long = max(bars.width() * min(value / self._scale, 1.0), 1.5)
            box = QRectF(bars.left(), top + 5 + row * half, long, half - 1)
            painter.drawRoundedRect(box, 2, 2)
