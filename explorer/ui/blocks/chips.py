"""Words in rounded boxes, each with a gesture: a choice of one, or things to do with a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

GAP = 6.0
INSIDE = 20.0


@dataclass(frozen=True)
class Chip:
    """One of them.

    Attributes:
        words: In the box.
        act: What choosing it does.
        chosen: It is the one that is chosen now.
        tip: What it does, for the tooltip.
        key: Which one it is, so that the keyboard stays on it.
    """

    words: str
    act: Any
    chosen: bool = False
    tip: str = ""
    key: Any = None


@dataclass(frozen=True)
class Chips:
    """A block: chips, as many in a line as there is room for.

    Attributes:
        chips: In reading order.
        above: The room above them.
    """

    chips: Sequence[Chip]
    above: float = 8.0

    def at(self, width: float) -> Laid:
        """In lines of a width."""
        return LaidChips(self.chips, width)


class LaidChips:
    """Chips at a width."""

    def __init__(self, chips: Sequence[Chip], width: float) -> None:
        high = text_height("small") + 10
        self._places: list[tuple[Chip, QRectF]] = []
        x = y = 0.0
        for chip in chips:
            wide = text_width("small", chip.words) + INSIDE
            if x and x + wide > width:
                x, y = 0.0, y + high + GAP
            self._places.append((chip, QRectF(x, y, min(wide, width), high)))
            x += wide + GAP
        self.height = y + high
        self.spots = tuple(
            Spot(
                box,
                chip.key or ("chip", chip.words),
                chip.tip,
                f"{chip.words}, chosen" if chip.chosen else chip.words,
                chip.act,
            )
            for chip, box in self._places
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each in its box."""
        for chip, box in self._places:
            painter.setPen(theme.accent if chip.chosen else theme.border)
            painter.setBrush(theme.selection if chip.chosen else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            draw_text(painter, box, chip.words, "small", theme.text)
