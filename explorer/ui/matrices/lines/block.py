"""Attention as lines on a page: scrolled in its own place, so that what stands beside it stays."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.controls.scrolling import scrolling
from explorer.ui.guarded import guarded
from explorer.ui.matrices.lines.attention_lines import AttentionLines
from explorer.ui.matrices.lines.painting import (
    FROM,
    LinesContent,
    arrange_lines,
    lines_figure,
    picture_height,
)
from explorer.ui.matrices.map_block import SPOKEN
from explorer.ui.matrices.scale import number
from explorer.ui.theme.schemes import Theme

LEAST = 180.0
"""Pixels of height below which lines say nothing."""

LineEnd = tuple[int, int]
"""Side and index of a token: see painting.py."""


@dataclass(frozen=True)
class Lines:
    """What the widget shows.

    Attributes:
        content: The lines.
        kept: The token whose lines are shown alone; None for all lines.
        keep: The gesture that shows a token's lines alone, or all again.
        name: For a screen reader.
    """

    content: LinesContent
    kept: LineEnd | None
    keep: Callable[[LineEnd | None], Any]
    name: str


@dataclass(frozen=True)
class LinesBlock:
    """A block of a page: it takes what height is left in the window.

    Attributes:
        lines: What is shown.
        above: The room above it.
    """

    lines: Lines
    above: Space = Space.NEAR
    fills: bool = True

    def at(self, width: float) -> "LaidLines":
        """As high as its tokens."""
        return LaidLines(self.lines, width, None)

    def filling(self, width: float, height: float) -> "LaidLines":
        """In a room, in which the tokens are scrolled."""
        return LaidLines(self.lines, width, max(height, LEAST))


class LaidLines(LaidPart):
    """Lines at a width; with a height they are scrolled in it."""

    def __init__(self, lines: Lines, width: float, height: float | None) -> None:
        high = picture_height(lines.content, width) if height is None else height
        super().__init__(width, high, LinesView, lines, lines.name)
        self.lines = lines

    def told(self) -> list[Spot]:
        """A spot a token that looks, with what it looks at most."""
        content = self.lines.content
        if not content.weights.size:
            return []
        at = arrange_lines(content, self.width)
        weights = content.weights[0, :SPOKEN]
        best = abs(weights).argmax(axis=1).tolist()
        spots = []
        for row, column in enumerate(best):
            places = {
                "token": content.queries[row],
                "other": content.keys[column],
                "weight": number(float(weights[row, column]), signed=content.signed),
            }
            said = _("{token} looks most at {other}, {weight}.", **places)
            spots.append(Spot(at.box(FROM, row), spoken=said))
        return spots

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """All lines, or those of the token that is kept."""
        lines_figure(self.lines.content, self.width, theme, self.lines.kept).paint(painter)


@guarded
class LinesView(QWidget):
    """The lines as a part of a page.

    Signals:
        chosen: None; a page's part has it.
        acted: A gesture: show the lines of a token alone.
        looked_at: The token under the mouse whose lines are shown alone, or None.
    """

    chosen = Signal(object)
    acted = Signal(object)
    looked_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("linesView")
        self._lines: Lines | None = None
        self.drawing = AttentionLines()
        self.drawing.setToolTip(
            _(
                "Point at a token to see its lines alone; click to keep them so.\n"
                "Ctrl and a click on another head adds its lines."
            )
        )
        self.drawing.shown_alone.connect(self._tell)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scrolling(self.drawing, "attentionLinesArea", self))
        self.setFocusProxy(self.drawing)

    def show_content(self, lines: Lines) -> None:
        """Show others."""
        self._lines = lines
        self.drawing.setAccessibleName(lines.name)
        self.drawing.set_content(lines.content)
        self.drawing.keep(lines.kept)

    def _tell(self, alone: LineEnd | None) -> None:
        if self._lines is not None and self.drawing.kept != self._lines.kept:
            self.acted.emit(self._lines.keep(self.drawing.kept))
        self.looked_at.emit(("lines", alone) if alone is not None else None)
