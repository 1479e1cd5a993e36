"""A table as a block: columns as wide as their words, rows and heads that can be chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.widgets.text_block import wrapped

PAD = 8.0
LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True)
class Column:
    """A column of a grid.

    Attributes:
        title: Its head.
        numbers: To the right.
        key: What choosing the head tells; None where nothing is sorted.
        sorted: "", "up" or "down".
        stretch: It takes what room is left, and wraps.
    """

    title: str
    numbers: bool = False
    key: Any = None
    sorted: str = ""
    stretch: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a grid.

    Attributes:
        cells: One a column.
        key: What choosing it tells; None for a row that can't be.
        colours: Of some cells, by column.
        chosen: Drawn as the one that is open.
        tip: For the tooltip.
    """

    cells: tuple[str, ...]
    key: Any = None
    colours: dict[int, str] = field(default_factory=dict)
    chosen: bool = False
    tip: str = ""


class Grid:
    """A table of a width."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row], width: float) -> None:
        self._columns, self._rows = columns, rows
        self._line = text_height("small") + 2
        self._widths = self._measure(width)
        self.width = min(width, sum(self._widths))
        self._lines = [
            [
                wrapped("small", cell, self._widths[i] - 2 * PAD) if columns[i].stretch else [cell]
                for i, cell in enumerate(row.cells)
            ]
            for row in rows
        ]
        self._heights = [max(len(c) for c in cells) * self._line + 5 for cells in self._lines]
        self._head = self._line + 6
        self.height = self._head + sum(self._heights)
        self.spots = self._spots()

    def _measure(self, room: float) -> list[float]:
        widths = []
        for i, column in enumerate(self._columns):
            texts = [row.cells[i] for row in self._rows]
            wide = max((text_width("small", text) for text in texts), default=0.0)
            wide = max(wide, text_width("small", column.title) + (14 if column.key else 0))
            widths.append(wide + 2 * PAD)
        stretched = [i for i, column in enumerate(self._columns) if column.stretch]
        if stretched:
            rest = room - sum(w for i, w in enumerate(widths) if i not in stretched)
            each = max(120.0, rest / len(stretched))
            for i in stretched:
                widths[i] = min(each, widths[i]) if rest > 0 else 120.0
        over = sum(widths) - room
        if over > 0:
            # The first column, of names, gives way; its words are cut in the middle.
            widths[0] = max(80.0, widths[0] - over)
        return widths

    def _spots(self) -> tuple[Spot, ...]:
        found = []
        x = 0.0
        for column, wide in zip(self._columns, self._widths, strict=True):
            if column.key is not None:
                box = QRectF(x, 0, wide, self._head)
                found.append(
                    Spot(box, column.key, f"Sort by {column.title}", f"Sort by {column.title}")
                )
            x += wide
        y = self._head
        for row, high in zip(self._rows, self._heights, strict=True):
            if row.key is not None or row.tip:
                spoken = ", ".join(cell for cell in row.cells if cell)
                box = QRectF(0, y, sum(self._widths), high)
                found.append(Spot(box, row.key, row.tip, spoken))
            y += high
        return tuple(found)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint head and rows."""
        x = 0.0
        for column, wide in zip(self._columns, self._widths, strict=True):
            box = QRectF(x + PAD, 0, wide - 2 * PAD, self._head)
            mark = {"up": " ▲", "down": " ▼"}.get(column.sorted, "")
            align = RIGHT if column.numbers else LEFT
            colour = theme.text if mark else theme.muted
            draw_text(painter, box, column.title + mark, "small", colour, align)
            x += wide
        whole = sum(self._widths)
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(0, int(self._head) - 1, int(whole), int(self._head) - 1)
        y = self._head
        for row, lines, high in zip(self._rows, self._lines, self._heights, strict=True):
            if row.chosen:
                painter.fillRect(QRectF(0, y, whole, high), theme.selection)
            x = 0.0
            for i, (column, wide) in enumerate(zip(self._columns, self._widths, strict=True)):
                colour = theme.colour(row.colours.get(i, "text"))
                align = RIGHT if column.numbers else LEFT
                for number, words in enumerate(lines[i]):
                    box = QRectF(x + PAD, y + 2 + number * self._line, wide - 2 * PAD, self._line)
                    draw_text(painter, box, words, "small", colour, align)
                x += wide
            y += high
