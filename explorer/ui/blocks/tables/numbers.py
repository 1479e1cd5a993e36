"""A row of numbers, each large with its name below, for a glance before any reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

GAP = 28.0
LEFT = Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True)
class ShownNumber:
    """One of them.

    Attributes:
        value: Written out: "−23.4 nats".
        name: What it is.
        words: Its explanation, for the tooltip.
        colour: Of the value, by its name in the theme.
    """

    value: str
    name: str
    words: str = ""
    colour: str = "text"


class LaidNumbers(PlacedBlock):
    """As many numbers in a line as there is room for.

    Args:
        numbers: In order.
        width: In pixels.
    """

    def __init__(self, numbers: Sequence[ShownNumber], width: float) -> None:
        self._numbers = tuple(numbers)
        self._high = text_height("heading") + text_height("small") + 2
        self._boxes: list[QRectF] = []
        x = y = 0.0
        for number in self._numbers:
            wide = max(text_width("heading", number.value), text_width("small", number.name))
            wide = min(wide + 2, width)
            if x and x + wide > width:
                x, y = 0.0, y + self._high + 8
            self._boxes.append(QRectF(x, y, wide, self._high))
            x += wide + GAP
        self.height = y + self._high
        self.spots = tuple(
            Spot(box, None, number.words, f"{number.name}: {number.value}")
            for box, number in zip(self._boxes, self._numbers, strict=True)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each with its name."""
        big = text_height("heading")
        for box, number in zip(self._boxes, self._numbers, strict=True):
            top = QRectF(box.left(), box.top(), box.width(), big)
            below = QRectF(box.left(), box.top() + big + 2, box.width(), text_height("small"))
            draw_text(painter, top, number.value, "heading", theme.colour(number.colour), LEFT)
            draw_text(painter, below, number.name, "small", theme.muted, LEFT)


@dataclass(frozen=True)
class NumbersBlock:
    """A block: numbers, as many in a line as there is room for.

    Attributes:
        numbers: In order.
        above: The room above it.
    """

    numbers: Sequence[ShownNumber]
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """In lines of a width."""
        return LaidNumbers(self.numbers, width)
