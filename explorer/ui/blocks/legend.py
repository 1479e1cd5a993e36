"""Which colour is whose, in one line where there is room."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import PlacedBlock
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

SQUARE = 10.0
BESIDE = 18.0
GAP = 20.0


@dataclass(frozen=True)
class Legend:
    """A block.

    Attributes:
        entries: What is said, and the colour that stands for it by its name in the theme; a second
            colour is what it frames.
        above: The room above it.
    """

    entries: Sequence[tuple[str, str] | tuple[str, str, str]]
    above: Space = Space.TIGHT

    def at(self, width: float) -> PlacedBlock:
        """In as many lines as it needs."""
        return LaidLegend(self, width)


class LaidLegend(PlacedBlock):
    """The squares and their words at a width."""

    def __init__(self, legend: Legend, width: float) -> None:
        self._entries = legend.entries
        self.name = ". ".join(words for words, *_ in legend.entries)
        self._row = text_height("body") + 4
        self._places: list[QRectF] = []
        x = y = 0.0
        for words, *_ in self._entries:
            wide = BESIDE + text_width("body", words) + 2
            if x and x + wide > width:
                x, y = 0.0, y + self._row
            self._places.append(QRectF(x, y, min(wide, width - x), self._row))
            x += wide + GAP
        self.height = y + self._row

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """A square and words each."""
        for (words, colour, *ground), place in zip(self._entries, self._places, strict=True):
            inks = [theme.colour(one) for one in (colour, *ground)]
            painter.setPen(QPen(inks[0], 1.3) if ground else Qt.PenStyle.NoPen)
            painter.setBrush(inks[-1])
            square = QRectF(place.left() + 1, place.center().y() - SQUARE / 2, SQUARE, SQUARE)
            painter.drawRoundedRect(square, 2, 2)
            beside = place.adjusted(BESIDE, 0, 0, 0)
            draw_text(painter, beside, words, "body", theme.text, Qt.AlignmentFlag.AlignLeft)
