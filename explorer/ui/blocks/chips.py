"""Words in rounded boxes, each with a gesture: a choice, switches, or things to do with a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.text import _
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

GAP = 6.0
INSIDE = 20.0


@dataclass(frozen=True)
class Chip:
    """One of them.

    Attributes:
        words: In the box.
        act: What choosing it does.
        chosen: It is the one that is chosen now.
        pressed: Whether the switch that it is is pressed; None for what is no switch.
        tip: What it does, for the tooltip.
        key: Which one it is, so that the keyboard stays on it.
    """

    words: str
    act: Any
    chosen: bool = False
    tip: str = ""
    key: Any = None
    pressed: bool | None = None

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        if self.chosen:
            return _("{words}, chosen", words=self.words)
        if self.pressed is None:
            return self.words
        if self.pressed:
            return _("{words}, pressed", words=self.words)
        return _("{words}, not pressed", words=self.words)


@dataclass(frozen=True)
class Chips:
    """A block: chips, as many in a line as there is room for.

    Attributes:
        chips: In reading order.
        above: The room above them.
        title: Before them, in small letters; "" for nothing.
        on_paper: They say what is switched on, which a picture must tell, too.
    """

    chips: Sequence[Chip]
    above: Space = Space.NEAR
    title: str = ""
    on_paper: bool = False

    def at(self, width: float) -> PlacedBlock:
        """In lines of a width."""
        return LaidChips(self.chips, width, self.title)


class LaidChips(PlacedBlock):
    """Chips at a width."""

    def __init__(self, chips: Sequence[Chip], width: float, title: str = "") -> None:
        high = text_height("small") + 10
        wide = text_width("small", title) + 2 * GAP if title else 0.0
        self.name, self._title = title, QRectF(0, 0, wide, high)
        self._places: list[tuple[Chip, QRectF]] = []
        x, y = wide, 0.0
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
                chip.spoken,
                chip.act,
            )
            for chip, box in self._places
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The title, and each in its box."""
        left = Qt.AlignmentFlag.AlignLeft
        draw_text(painter, self._title, self.name, "small", theme.muted, left)
        for chip, box in self._places:
            filled = chip.chosen or chip.pressed is True
            painter.setPen(theme.accent if filled else theme.edge)
            painter.setBrush(theme.selection if filled else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            draw_text(painter, box, chip.words, "small", theme.text)
