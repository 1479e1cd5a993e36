"""The rows of a file as a block: a table to look into on screen, the first rows in a picture."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.files_of_sentences.rows import FAILURE, PAIR, TEXT, ResultsReader
from explorer.questions.many.file_of_sentences.table.ordering import Found
from explorer.questions.many.file_of_sentences.table.panel import Rows, RowsPanel
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import written
from explorer.ui.blocks import (
    Laid,
    LaidPart,
    Space,
    Spot,
    Theme,
    draw_text,
    text_height,
    text_width,
)

FIRST = 20
"""Rows that a picture has."""
LEAST = 260.0
"""Height of the table on screen, where other blocks leave less."""
PAD = 12.0
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight


@dataclass(frozen=True)
class RowsBlock:
    """The block.

    Attributes:
        rows: What the table on screen shows.
        found: What was found in the file; None for nothing yet.
        hidden: Columns that are not for reading.
        above: The room above it.
    """

    rows: Rows
    found: Found | None
    hidden: tuple[str, ...] = ()
    above: Space = Space.APART

    @property
    def fills(self) -> bool:
        """It takes what height is left."""
        return True

    def filling(self, width: float, height: float) -> Laid:
        """The table on screen."""
        return LaidPart(width, max(height, LEAST), RowsPanel, self.rows)

    def at(self, width: float) -> Laid:
        """The first rows, in the order that is shown."""
        found = self.found
        if found is None:
            return Grid((), (), (), width)
        reader = ResultsReader(found.path)
        left_out = {*self.hidden} if self.rows.has_pairs else {*self.hidden, PAIR}
        if not found.failed:
            left_out.add(FAILURE)
        places = [n for n, name in enumerate(found.columns) if name not in left_out]
        cells = [[row[n] for n in places] for row in reader.rows(found.positions[:FIRST])]
        names = [found.columns[n] for n in places]
        texts = [
            n
            for n, name in enumerate(names)
            if name in (TEXT, PAIR, FAILURE) or any(isinstance(row[n], str) for row in cells)
        ]
        heads = [column_said(name, self.rows.operation) for name in names]
        return Grid(heads, [[written(cell) for cell in row] for row in cells], texts, width)


class Grid(Laid):
    """A block: a small table; columns of text give way where there is no room.

    Args:
        heads: Of the columns.
        rows: Cells as they are written.
        texts: Which columns hold text.
        width: In pixels.
    """

    spots: Sequence[Spot] = ()

    def __init__(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        texts: Iterable[int],
        width: float,
    ) -> None:
        self._heads, self._rows, self._texts = heads, rows, frozenset(texts)
        self._high = text_height("small") + 6
        self.height = self._high * (len(rows) + 1)
        wides = [
            max(text_width("small", cell) for cell in [head, *(row[n] for row in rows)]) + PAD
            for n, head in enumerate(heads)
        ]
        over = sum(wides) - width
        flexible = sum(wides[n] for n in self._texts)
        if over > 0 and flexible:
            shrink = max(0.2, 1 - over / flexible)
            wides = [w * shrink if n in self._texts else w for n, w in enumerate(wides)]
        self._wides = wides
        self.width = width

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Heads, a line, rows."""
        for line, cells in enumerate([self._heads, *self._rows]):
            x = 0.0
            for n, (cell, wide) in enumerate(zip(cells, self._wides, strict=True)):
                if x + wide > self.width + 1 and n:
                    break
                box = QRectF(x, line * self._high, wide - PAD, self._high)
                colour = theme.text if line else theme.muted
                align = LEFT if n in self._texts else RIGHT
                draw_text(painter, box, cell, "small", colour, align, ELIDE)
                x += wide
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(0, round(self._high), round(self.width), round(self._high))
