"""A sentence whose tokens are coloured by a number each, with the number below."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPen

from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.matrices.scale import shade_of
from explorer.ui.sentence.tokens.lines import lines_of
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import draw_rounded, ink_on
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

PAD = 6.0
LINE_GAP = 12.0
NARROWEST = 26.0
CORNER = 4.0
LONGEST_BAR = 150.0
LEFT = Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True)
class ScoredToken:
    """A token, or a word of several.

    Attributes:
        text: As a person reads it.
        key: Which one it is.
        share: Its number as a share of the strongest colour's, -1 to 1; None for one without.
        number: Written out; "" without one.
        below: Smaller, below the number, as its error; "" for nothing.
        words: For the tooltip; "" for one that explains nothing.
        act: What choosing it does.
        asked: It is the one that the numbers are about.
        joined: It continues the word before it.
        special: Added by the model.
        part: 0 for the text, 1 for the second text.
    """

    text: str
    key: Any
    share: float | None = None
    number: str = ""
    below: str = ""
    words: str = ""
    act: Any = None
    asked: bool = False
    joined: bool = False
    special: bool = False
    part: int = 0


@dataclass(frozen=True)
class ScoredTokens:
    """A block.

    Attributes:
        tokens: In reading order.
        title: For a screen reader.
        above: The room above it.
        high: The number with the strongest colour; 0 where shares are of no number.
    """

    tokens: Sequence[ScoredToken]
    title: str = ""
    above: Space = Space.APART
    high: float = 0.0

    def at(self, width: float) -> PlacedBlock:
        """In lines of a width."""
        return LaidScored(self, width)


class LaidScored(PlacedBlock):
    """The tokens at a width."""

    def __init__(self, block: ScoredTokens, width: float) -> None:
        self.name = block.title
        self._token, self._small = text_height("token") + 8, text_height("small")
        high = self._token + 2 + self._small
        if any(one.below for one in block.tokens):
            high += self._small
        self._boxes: list[tuple[ScoredToken, QRectF]] = []
        y = 0.0
        for line in lines_of(block.tokens, [*map(_wide, block.tokens)], width):
            self._boxes += [(one, QRectF(x, y, wide, high)) for one, x, wide in line]
            y += high + LINE_GAP
        self.height = max(0.0, y - LINE_GAP)

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """The tokens that say something."""
        return tuple(
            Spot(box, one.key, one.words, one.words, one.act)
            for one, box in self._boxes
            if one.words
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each token on its colour, its number below."""
        for one, box in self._boxes:
            top = QRectF(box.left(), box.top(), box.width(), self._token)
            inside = top.adjusted(3, 0, -3, 0)
            if one.share is not None:
                ground = shade_of(one.share, theme)
                # Tokens of one word touch; the frame tells a colour that is close to the page's.
                draw_rounded(painter, top.adjusted(0.5, 0, -0.5, 0), CORNER, ground, theme.border)
                draw_text(painter, inside, one.text, "token", ink_on(ground))
            elif one.asked:
                draw_rounded(painter, top, CORNER, theme.mask_fill)
                draw_text(painter, inside, one.text, "token", theme.text)
                painter.setPen(QPen(theme.mask, 1.5))
                painter.drawLine(top.bottomLeft(), top.bottomRight())
            else:
                draw_text(painter, inside, one.text, _role(one), theme.muted)
            y = top.bottom() + 2
            for words in (one.number, one.below):
                if words:
                    below = QRectF(box.left(), y, box.width(), self._small)
                    draw_text(painter, below, words, "small", theme.muted)
                y += self._small


def _role(one: ScoredToken) -> FontRole:
    return "small" if one.special and one.share is None and not one.asked else "token"


def _wide(one: ScoredToken) -> float:
    below = max(text_width("small", words) for words in (one.number, one.below))
    return max(NARROWEST, text_width(_role(one), one.text) + 2 * PAD, below + PAD)


@dataclass(frozen=True)
class ShadeBar:
    """A block: which number each colour below coloured tokens stands for.

    Attributes:
        high: The number with the strongest colour.
        is_signed: Numbers go from -high to high, and not from 0.
        above: The room above it.
    """

    high: float
    is_signed: bool = True
    above: Space = Space.NEAR

    @property
    def ends(self) -> tuple[str, str]:
        """The numbers at its ends, as they are written."""
        places = 2 if self.high >= 0.1 else 4
        low = f"−{decimal(self.high, places)}" if self.is_signed else "0"
        return low, decimal(self.high, places)

    def at(self, width: float) -> PlacedBlock:
        """Not longer than it must be to be read."""
        return LaidBar(self, width)


class LaidBar(PlacedBlock):
    """The bar at a width."""

    spots: tuple[Spot, ...] = ()

    def __init__(self, bar: ShadeBar, width: float) -> None:
        self._bar, self._width = bar, width
        self.height = text_height("small")
        low, high = bar.ends
        self.name = _("Colours from {low} to {high}", low=low, high=high)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """From the weakest colour, or the strongest of the other sign, to the strongest."""
        low, high = self._bar.ends
        first, last = text_width("small", low), text_width("small", high)
        line = QRectF(0, 0, self._width, self.height)
        draw_text(painter, line, low, "small", theme.muted, LEFT)
        room = max(24.0, min(LONGEST_BAR, self._width - first - last - 16))
        bar = QRectF(first + 6, self.height / 2 - 5, room, 10)
        fill = QLinearGradient(bar.topLeft(), bar.topRight())
        for stop in range(17):
            share = stop / 16
            fill.setColorAt(share, shade_of(2 * share - 1 if self._bar.is_signed else share, theme))
        painter.fillRect(bar, fill)
        line.setLeft(bar.right() + 6)
        draw_text(painter, line, high, "small", theme.muted, LEFT)
