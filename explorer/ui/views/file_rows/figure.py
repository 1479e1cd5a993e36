"""The results of a file as a picture: what was asked, the columns' numbers, the first rows."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.questions.many.file_of_sentences.question import OverFileResult
from explorer.questions.many.file_of_sentences.rows import Spread
from explorer.ui.blocks.block import Laid, Spot, stack
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.text import Words
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.file_rows.table import RowsTable, written
from explorer.ui.views.file_rows.wording import about_file

ROWS = 20
PAD = 12.0
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight


class Grid:
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
        texts: Sequence[int],
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


def results_figure(
    result: OverFileResult,
    done: int,
    spreads: Sequence[Spread],
    table: RowsTable,
    width: float,
    theme: Theme,
) -> Figure:
    """Made for a width."""
    blocks: list[tuple[float, Laid]] = [(0, Words(about_file(result, done), width))]
    if spreads:
        rows = [
            (s.column, f"{s.count:,}", written(s.mean), written(s.minimum), written(s.maximum))
            for s in spreads
        ]
        heads = ("column", "rows", "mean", "least", "greatest")
        blocks.append((14, Grid(heads, rows, (0,), width)))
    names = table.names
    count = min(ROWS, table.rowCount())
    if count:
        cells = [
            [str(table.index(row, n).data() or "") for n in range(len(names))]
            for row in range(count)
        ]
        texts = [n for n in range(len(names)) if table.is_text(n, count)]
        blocks.append((18, Grid(names, cells, texts, width)))
        if count < table.rowCount():
            said = f"The first {count} of {table.rowCount():,} rows."
            blocks.append((6, Words(said, width, "small", "muted")))
    return stack(blocks, width).figure(theme)
