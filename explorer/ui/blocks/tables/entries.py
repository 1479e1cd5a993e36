"""Rows of a title, a value, and what is said of it in as many lines as that takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Cell, Laid, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.wrapped_text import paint_block, wrapped
from explorer.ui.sentence.tokens.layout import text_height, text_width
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import rounded

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
PAD = 4.0
BESIDE = 16.0
NARROW = 420.0
"""Pixels below which what is said stands below the title instead of beside it."""


@dataclass(frozen=True)
class Entry:
    """One row.

    Attributes:
        title: What it is about.
        value: At the right.
        text: Beside the title, as a formula; "" for nothing.
        notes: Below that, in small letters, a paragraph each.
        muted: It is not there, and the notes say why.
        chosen: It stands out.
        words: For the tooltip.
    """

    title: str
    value: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
    muted: bool = False
    chosen: bool = False
    words: str = ""


@dataclass(frozen=True)
class Entries:
    """A block.

    Attributes:
        entries: In the order they are shown.
        title: What a screen reader calls them.
        peers: Entries that stand near, so that texts begin at one place in all of them.
        above: The room above it.
    """

    entries: Sequence[Entry]
    title: str = ""
    peers: Sequence[Entry] = ()
    above: Space = Space.NEAR

    def at(self, width: float) -> Laid:
        """Wrapped at a width."""
        return LaidEntries(self, width)


@dataclass(frozen=True)
class _Line:
    """An entry at its place."""

    entry: Entry
    top: float
    height: float
    text: tuple[str, ...]
    small: tuple[str, ...]


class LaidEntries:
    """Entries at a width."""

    def __init__(self, block: Entries, width: float) -> None:
        self.name, self.width = block.title, width
        self._body, self._small = text_height("body"), text_height("small")
        every = (*block.entries, *block.peers)
        self._value = max((text_width("strong", one.value) for one in every), default=0.0) + 2
        titles = max((text_width("strong", one.title) for one in every), default=0.0)
        self._is_narrow = width < NARROW
        self._left = PAD if self._is_narrow else min(titles + BESIDE + PAD, width * 0.4)
        self._lines: list[_Line] = []
        y = 0.0
        for entry in block.entries:
            self._lines.append(self._arranged(entry, y))
            y += self._lines[-1].height
        self.height = y
        self.spots = tuple(self._spot(line) for line in self._lines)

    def _arranged(self, entry: Entry, top: float) -> _Line:
        room = self.width - PAD - self._left
        beside = room - (0.0 if self._is_narrow else self._value + BESIDE)
        text = tuple(wrapped("strong" if entry.chosen else "body", entry.text, beside))
        small = tuple(line for one in entry.notes for line in wrapped("small", one, beside))
        rows = len(text) + 1 if self._is_narrow else max(len(text), 1)
        high = rows * self._body + len(small) * self._small + 2 * PAD
        return _Line(entry, top, high, text, small)

    def _spot(self, line: _Line) -> Spot:
        entry, box = line.entry, QRectF(0, line.top, self.width, line.height)
        cells = (entry.title, entry.value, entry.text, *entry.notes)
        return Spot(
            box,
            None,
            entry.words,
            ". ".join(one for one in cells if one),
            cells=tuple(Cell(one, box, one) for one in cells if one),
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Row after row."""
        for line in self._lines:
            self._paint_line(painter, theme, line)

    def _paint_line(self, painter: QPainter, theme: Theme, line: _Line) -> None:
        entry = line.entry
        if entry.chosen:
            box = QRectF(0, line.top + 1, self.width, line.height - 2)
            rounded(painter, box, 4, theme.selection)
        else:
            painter.setPen(QPen(theme.border, 1.0))
            painter.drawLine(QLineF(0, line.top, self.width, line.top))
        colour = theme.muted if entry.muted else theme.text
        role: FontRole = "strong" if entry.chosen else "body"
        top = line.top + PAD
        end = self.width - PAD - self._value
        room = (end if self._is_narrow else self._left) - BESIDE / 2 - PAD
        elide = Qt.TextElideMode.ElideRight
        draw_text(
            painter, QRectF(PAD, top, room, self._body), entry.title, role, colour, LEFT, elide
        )
        place = QRectF(end, top, self._value, self._body)
        draw_text(painter, place, entry.value, "strong", colour, RIGHT)
        y = top + (self._body if self._is_narrow else 0.0)
        box = QRectF(self._left, y, self.width, len(line.text) * self._body)
        paint_block(painter, box, line.text, role, colour)
        y += (len(line.text) if self._is_narrow else max(len(line.text), 1)) * self._body
        box = QRectF(self._left, y, self.width, len(line.small) * self._small)
        paint_block(painter, box, line.small, "small", theme.muted)
