"""Bars of one length, each cut into the shares of a whole, with words in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.text.bidi import isolated
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import ink_on
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

SHADES = (1.0, 0.62, 0.82, 0.48)
"""How much of the colour neighbours have, so that they can be told apart."""
GAP = 6.0


@dataclass(frozen=True)
class BarShare:
    """A part of a bar.

    Attributes:
        text: What it is.
        share: Of the bar, 0 to 1.
        is_rest: It is all that has no part of its own, and has no colour.
    """

    text: str
    share: float
    is_rest: bool = False


@dataclass(frozen=True)
class StackedBar:
    """One bar.

    Attributes:
        name: Above it.
        shares: From the left; together 1, or the bar is shorter than its room.
        colour: By its name in the theme.
    """

    name: str
    shares: tuple[BarShare, ...]
    colour: str


@dataclass(frozen=True)
class StackedBars:
    """A block of a page: bars below each other, to be compared part by part.

    Attributes:
        bars: From above.
        above: The room above it.
    """

    bars: tuple[StackedBar, ...]
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """As wide as there is room."""
        return LaidStackedBars(self.bars, width)


class LaidStackedBars(PlacedBlock):
    """The bars at a width, in pixels."""

    def __init__(self, bars: Sequence[StackedBar], width: float) -> None:
        self.width = width
        self._bars = bars
        self._name = text_height("small") + 2
        self._bar = text_height("body") + 8
        self.height = len(bars) * (self._name + self._bar + GAP) - GAP
        self.spots = tuple(
            Spot(box, None, f"{bar.name}\n{isolated(one.text)}: {in_digits(one.share)}")
            for number, bar in enumerate(bars)
            for box, one in self._boxes(number)
        )

    def _boxes(self, number: int) -> list[tuple[QRectF, BarShare]]:
        y = number * (self._name + self._bar + GAP) + self._name
        boxes, x = [], 0.0
        for one in self._bars[number].shares:
            wide = self.width * one.share
            boxes.append((QRectF(x, y, wide, self._bar), one))
            x += wide
        return boxes

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Bar after bar."""
        for number, bar in enumerate(self._bars):
            line = QRectF(0, number * (self._name + self._bar + GAP), self.width, self._name)
            left = Qt.AlignmentFlag.AlignLeft
            draw_text(painter, line, bar.name, "small", theme.muted, left)
            for index, (box, one) in enumerate(self._boxes(number)):
                colour = theme.track
                if not one.is_rest:
                    shade = SHADES[index % len(SHADES)]
                    colour = blended(theme.colour(bar.colour), theme.surface, shade)
                painter.setPen(QPen(theme.surface, 1.0))
                painter.setBrush(colour)
                painter.drawRect(box)
                self._write(painter, box, one, colour)

    @staticmethod
    def _write(painter: QPainter, box: QRectF, one: BarShare, ground: QColor) -> None:
        """What it is and its share; what has no room stays away."""
        for words in (f"{isolated(one.text)} {one.share:.2f}", one.text):
            if text_width("small", words) + 8 <= box.width():
                draw_text(painter, box, words, "small", ink_on(ground))
                return


def blended(colour: QColor, ground: QColor, share: float) -> QColor:
    """A colour on a ground, as much of it as the share says."""

    def mixed(one: float, other: float) -> float:
        return share * one + (1 - share) * other

    return QColor.fromRgbF(
        mixed(colour.redF(), ground.redF()),
        mixed(colour.greenF(), ground.greenF()),
        mixed(colour.blueF(), ground.blueF()),
    )
