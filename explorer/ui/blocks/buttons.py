"""Buttons in a line of a page: what is done, and what is switched on and off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.text import _
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

GAP, SIDE = 8.0, 10.0
CORNER = 5.0


@dataclass(frozen=True)
class Button:
    """One of them.

    Attributes:
        label: On it.
        act: What pressing it does, a gesture; None while there is nothing to do.
        words: What it means, for the tooltip.
        key: Which one it is, so that the keyboard stays on it.
        is_on: Whether what it switches is on; None for a button that switches nothing.
    """

    label: str
    act: Any = None
    words: str = ""
    key: Any = None
    is_on: bool | None = None

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        if self.is_on is None:
            return self.label
        if self.is_on:
            return _("{button}, pressed", button=self.label)
        return _("{button}, not pressed", button=self.label)


@dataclass(frozen=True)
class Buttons:
    """A block: buttons, as many in a line as there is room for.

    Attributes:
        buttons: In order.
        title: Before them; "" for nothing.
        above: The room above it.
    """

    buttons: Sequence[Button]
    title: str = ""
    above: float = 8.0

    def at(self, width: float) -> Laid:
        """In as many lines as they need."""
        return LaidButtons(self, width)


class LaidButtons:
    """Buttons at a width."""

    def __init__(self, buttons: Buttons, width: float) -> None:
        self._title, self._buttons = buttons.title, tuple(buttons.buttons)
        self._high = text_height("body") + 8
        self._begin = text_width("small", buttons.title) + GAP if buttons.title else 0.0
        self.boxes: list[QRectF] = []
        x, y = self._begin, 0.0
        for one in self._buttons:
            wide = min(text_width("body", one.label) + 2 * SIDE, width)
            if x and x + wide > width:
                x, y = 0.0, y + self._high + GAP
            self.boxes.append(QRectF(x, y, wide, self._high))
            x += wide + GAP
        self.height = y + self._high
        self.spots = tuple(
            Spot(box, one.key if one.act is not None else None, one.words, one.spoken, one.act)
            for box, one in zip(self.boxes, self._buttons, strict=True)
        )

    @property
    def name(self) -> str:
        """For a screen reader."""
        return self._title

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The title and the buttons; one that is pressed is filled."""
        left = Qt.AlignmentFlag.AlignLeft
        if self._title:
            box = QRectF(0, 0, self._begin, self._high)
            draw_text(painter, box, self._title, "small", theme.muted, left)
        for box, one in zip(self.boxes, self._buttons, strict=True):
            painter.setPen(QPen(theme.accent if one.is_on else theme.edge, 1.0))
            painter.setBrush(theme.selection if one.is_on else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
            ink = theme.text if one.act is not None else theme.muted
            draw_text(painter, box, one.label, "body", ink)
