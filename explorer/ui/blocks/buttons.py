"""Buttons in a line, for gestures that belong to no other place of a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

GAP, SIDE = 8.0, 12.0
CORNER = 5.0


@dataclass(frozen=True)
class Button:
    """One of them.

    Attributes:
        text: What stands on it.
        act: What choosing it does.
        words: What that means, for the tooltip.
    """

    text: str
    act: Any
    words: str = ""


@dataclass(frozen=True)
class Buttons:
    """A block; a page that is to be understood alone leaves it out.

    Attributes:
        buttons: In order.
        above: The room above it.
    """

    buttons: Sequence[Button]
    above: float = 6.0

    def at(self, width: float) -> Laid:
        """In as many lines as they need."""
        return LaidButtons(self.buttons, width)


class LaidButtons:
    """Buttons at a width."""

    def __init__(self, buttons: Sequence[Button], width: float) -> None:
        self._buttons = tuple(buttons)
        high = text_height("body") + 10
        self._boxes: list[QRectF] = []
        x = y = 0.0
        for button in self._buttons:
            wide = min(text_width("body", button.text) + 2 * SIDE, width)
            if x and x + wide > width:
                x, y = 0.0, y + high + GAP
            self._boxes.append(QRectF(x, y, wide, high))
            x += wide + GAP
        self.height = y + high
        self.spots = tuple(
            Spot(box, ("button", button.text), button.words, button.text, button.act)
            for box, button in zip(self._boxes, self._buttons, strict=True)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each with its frame."""
        for box, button in zip(self._boxes, self._buttons, strict=True):
            painter.setPen(QPen(theme.border, 1.0))
            painter.setBrush(theme.raised)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
            draw_text(painter, box, button.text, "body", theme.text)
