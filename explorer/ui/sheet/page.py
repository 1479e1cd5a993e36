"""The sheet as one picture: entries in two columns, each with its title and its caption."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.ui.blocks.figure import Figure
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved
from explorer.ui.typesetting.one_line import text_height
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

COLUMN = 720.0
"""Width of a figure, in logical pixels."""
MARGIN = 28.0
GAP = 32.0
MOST_COLUMNS = 2


def entry_figure(entry: SheetEntry, theme: Theme, width: float = COLUMN) -> Figure:
    """An entry with its title above and its caption below."""
    title = wrapped_lines("title", entry.title, width)
    inner = entry.figure(width, theme)
    caption = wrapped_lines("small", entry.caption(), width)
    top = len(title) * text_height("title") + 10
    below = top + inner.height + 12
    height = below + len(caption) * text_height("small")

    def paint(painter: QPainter) -> None:
        draw_lines(painter, QRectF(0, 0, width, top), title, "title", theme.text)
        with painter_moved(painter, 0, top):
            inner.paint(painter)
        area = QRectF(0, below, width, height - below)
        draw_lines(painter, area, caption, "small", theme.muted)

    return Figure(width, height, paint)


def columns_for(entries: int) -> int:
    """Columns for so many entries."""
    return max(1, min(MOST_COLUMNS, entries))


def sheet_width(entries: int) -> float:
    """Width of a sheet of so many entries, in logical pixels."""
    columns = columns_for(entries)
    return 2 * MARGIN + columns * COLUMN + (columns - 1) * GAP


def sheet_figure(title: str, entries: Sequence[SheetEntry], theme: Theme) -> Figure:
    """The whole sheet on the theme's ground.

    One entry fills one column, two or more stand in two, row by row; a row is as high as its
    highest entry.
    """
    columns, width = columns_for(len(entries)), sheet_width(len(entries))
    heading = wrapped_lines("heading", title, width - 2 * MARGIN)
    top = MARGIN + (len(heading) * text_height("heading") + 16 if heading else 0)
    figures = [entry_figure(entry, theme) for entry in entries]
    places: list[QPointF] = []
    for start in range(0, len(figures), columns):
        row = figures[start : start + columns]
        places += [QPointF(MARGIN + n * (COLUMN + GAP), top) for n in range(len(row))]
        top += max(figure.height for figure in row) + GAP
    height = top - (GAP if figures else 0) + MARGIN

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, width, height), theme.surface)
        area = QRectF(MARGIN, MARGIN, width - 2 * MARGIN, height)
        draw_lines(painter, area, heading, "heading", theme.text)
        for place, figure in zip(places, figures, strict=True):
            with painter_moved(painter, place.x(), place.y()):
                figure.paint(painter)

    return Figure(width, height, paint)
