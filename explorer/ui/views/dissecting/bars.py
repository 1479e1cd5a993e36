"""Amounts as bars: one stacked bar of shares, and rows of bars with their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True)
class Bar:
    """One amount.

    Attributes:
        words: What it is.
        amount: How much.
        says: The number as it is written.
        colour: Of the theme.
        ghost: Another amount to compare with, drawn as an outline; None without.
    """

    words: str
    amount: float
    says: str
    colour: str = "bar"
    ghost: float | None = None


class Bars:
    """Rows of bars on one scale."""

    def __init__(self, bars: Sequence[Bar], width: float) -> None:
        self._bars = bars
        self.width = width
        self._row = text_height("small") + 8
        self._names = min(
            width * 0.45, max((text_width("small", b.words) for b in bars), default=0.0) + 10
        )
        self._numbers = max((text_width("small", b.says) for b in bars), default=0.0) + 8
        amounts = [max(b.amount, b.ghost or 0.0) for b in bars]
        self._most = max([*amounts, 1e-9])
        self.height = self._row * len(bars)
        self.spots: tuple[Spot, ...] = tuple(
            Spot(QRectF(0, i * self._row, width, self._row), None, f"{b.words}: {b.says}")
            for i, b in enumerate(bars)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Name, bar, number."""
        room = max(30.0, self.width - self._names - self._numbers)
        for number, bar in enumerate(self._bars):
            y = number * self._row
            name = QRectF(0, y, self._names - 8, self._row)
            draw_text(painter, name, bar.words, "small", theme.text, LEFT)
            track = QRectF(self._names, y + 4, room, self._row - 8)
            painter.fillRect(track, theme.track)
            long = QRectF(track.left(), track.top(), room * bar.amount / self._most, track.height())
            painter.fillRect(long, theme.colour(bar.colour))
            if bar.ghost is not None:
                x = track.left() + room * bar.ghost / self._most
                painter.fillRect(QRectF(x - 1, track.top() - 2, 2, track.height() + 4), theme.text)
            says = QRectF(track.right() + 8, y, self._numbers, self._row)
            draw_text(painter, says, bar.says, "small", theme.text, LEFT)


class Shares:
    """One bar cut into shares, and a key below it."""

    def __init__(self, bars: Sequence[Bar], width: float) -> None:
        self._bars = [bar for bar in bars if bar.amount > 0]
        self.width = width
        self._total = sum(bar.amount for bar in self._bars) or 1.0
        self._line = text_height("small") + 4
        self._places: list[QRectF] = []
        x, y = 0.0, 26.0
        for bar in self._bars:
            wide = text_width("small", f"{bar.words} {bar.says}") + 34
            if x and x + wide > width:
                x, y = 0.0, y + self._line
            self._places.append(QRectF(x, y, wide, self._line))
            x += wide
        self.height = y + self._line
        self.spots: tuple[Spot, ...] = ()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The bar, then the key."""
        x = 0.0
        for bar, place in zip(self._bars, self._places, strict=True):
            wide = self.width * bar.amount / self._total
            painter.fillRect(QRectF(x, 0, max(1.0, wide - 1), 20), theme.colour(bar.colour))
            x += wide
            mark = QRectF(place.left(), place.top() + place.height() / 2 - 5, 10, 10)
            painter.fillRect(mark, theme.colour(bar.colour))
            words = place.adjusted(15, 0, 0, 0)
            draw_text(painter, words, f"{bar.words} {bar.says}", "small", theme.text, LEFT)
