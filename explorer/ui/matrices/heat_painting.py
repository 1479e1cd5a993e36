"""How a heat map looks: one set of functions for the screen, PNG, SVG and PDF."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPen

from explorer.ui.matrices.heat_layout import (
    HeatContent,
    HeatLayout,
    every,
    fit,
    height_for,
    title_height,
)
from explorer.ui.matrices.image import image_of, pooled
from explorer.ui.matrices.scale import Scale, short
from explorer.ui.theme import Theme
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

RIGHT = Qt.AlignmentFlag.AlignRight
LEFT = Qt.AlignmentFlag.AlignLeft
BAR_LENGTH = 150.0
ROOM_FOR_NUMBERS = 34.0
"""Width of a cell from which on its number is written into it."""
FINEST = 4096
"""Cells up to which a picture draws each as a shape of its own, so that it can be scaled."""


def paint_heat(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int] | None = None,
) -> None:
    """Paint everything.

    Args:
        painter: On any device.
        theme: Colours and fonts.
        content: What is shown.
        at: Where.
        pointed: The cell under the mouse or the keyboard's, its row and column marked.
    """
    paint_cells(painter, theme, content, at)
    paint_labels(painter, theme, content, at, pointed)
    if pointed is not None:
        _paint_pointed(painter, theme, content, at, pointed)
    paint_bar(painter, theme, content, at)


def paint_cells(
    painter: QPainter, theme: Theme, content: HeatContent, at: HeatLayout, *, fine: bool = False
) -> None:
    """The cells in sight, with numbers in them where there is room.

    Args:
        painter: On any device.
        theme: Colours and fonts.
        content: What is shown.
        at: Where.
        fine: Draw every cell as a shape of its own.
    """
    rows, columns = at.rows_in_sight(content), at.columns_in_sight(content)
    if not rows or not columns:
        return
    painter.save()
    painter.setClipRect(at.plane)
    seen = content.values[rows.start : rows.stop, columns.start : columns.stop]
    box = at.box(rows.start, columns.start).united(at.box(rows.stop - 1, columns.stop - 1))
    painter.fillRect(box, theme.raised)
    if fine:
        _paint_shapes(painter, theme, content, at, rows, columns)
    else:
        ratio = painter.device().devicePixelRatioF()
        image = image_of(_at_resolution(content, seen, box, ratio), content.scale, theme)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(box, image)
    if content.blocked is not None:
        _paint_blocked(painter, theme, content, at, rows, columns)
    if at.cell_width >= ROOM_FOR_NUMBERS and at.cell_height >= text_height("small"):
        _paint_numbers(painter, theme, content, at, rows, columns)
    painter.restore()


def _at_resolution(content: HeatContent, seen: "Values", box: QRectF, ratio: float) -> "Values":
    """No more cells than pixels, the strongest kept: any other way some would not be drawn."""
    import numpy as np

    rows = max(1, int(box.height() * ratio))
    columns = max(1, int(box.width() * ratio))
    if rows >= seen.shape[0] and columns >= seen.shape[1]:
        return seen
    blank = np.where(np.isfinite(seen), seen, 0) if seen.dtype.kind == "f" else seen
    return pooled(blank, rows, columns, diverging=content.scale.diverging)


def _paint_shapes(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    rows: range,
    columns: range,
) -> None:
    colours = content.scale.colours(content.values, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    for row in rows:
        for column in columns:
            red, green, blue, alpha = (int(part) for part in colours[row, column])
            # A hair of overlap: viewers of vector pictures show seams between neighbours.
            box = at.box(row, column).adjusted(0, 0, 0.2, 0.2)
            painter.fillRect(box, QColor(red, green, blue, alpha))


def _paint_blocked(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    rows: range,
    columns: range,
) -> None:
    """One hatched run of cells a row."""
    assert content.blocked is not None
    hatch = QBrush(theme.border, Qt.BrushStyle.BDiagPattern)
    for row in rows:
        line = content.blocked[row]
        start: int | None = None
        for column in range(columns.start, columns.stop + 1):
            inside = column < columns.stop and bool(line[column])
            if inside and start is None:
                start = column
            elif not inside and start is not None:
                box = at.box(row, start).united(at.box(row, column - 1))
                painter.fillRect(box, theme.surface)
                painter.fillRect(box, hatch)
                start = None


def _paint_numbers(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    rows: range,
    columns: range,
) -> None:
    colours = content.scale.colours(content.values, theme)
    for row in rows:
        for column in columns:
            if content.is_blocked(row, column):
                continue
            red, green, blue, alpha = (int(part) for part in colours[row, column])
            if alpha == 0:
                continue
            light = 0.299 * red + 0.587 * green + 0.114 * blue > 140
            ink = QColor("#101216") if light else QColor("#f4f5f7")
            text = short(float(content.values[row, column]))
            draw_text(painter, at.box(row, column), text, "small", ink)


def paint_labels(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int] | None = None,
) -> None:
    """Row and column labels beside the cells in sight, the pointed ones strong."""
    row, column = pointed if pointed is not None else (-1, -1)
    high = text_height("small")
    painter.save()
    painter.setClipRect(QRectF(0, at.plane.top(), at.plane.left(), at.plane.height()))
    step = every(at.cell_height)
    for index in at.rows_in_sight(content):
        if index % step == 0 and not (step > 1 and abs(index - row) < step and row >= 0):
            box = _row_box(at, index, high)
            draw_text(painter, box, content.rows[index], "small", theme.muted, RIGHT)
    if row >= 0:
        box = _row_box(at, row, high)
        draw_text(painter, box, content.rows[row], "small", theme.text, RIGHT)
    painter.restore()
    painter.save()
    top = title_height(content)
    painter.setClipRect(QRectF(at.plane.left(), top, at.plane.width(), at.plane.top() - top))
    step = every(at.cell_width) if at.upright else 1
    for index in at.columns_in_sight(content):
        if index % step == 0 and not (step > 1 and abs(index - column) < step and column >= 0):
            _paint_column(painter, content, at, index, theme.muted)
    if column >= 0:
        _paint_column(painter, content, at, column, theme.text)
    painter.restore()
    _paint_titles(painter, theme, content, at)


def _row_box(at: HeatLayout, row: int, high: float) -> QRectF:
    middle = at.y + (row + 0.5) * at.cell_height
    return QRectF(0, middle - high / 2, at.plane.left() - 6, high)


def _paint_column(
    painter: QPainter, content: HeatContent, at: HeatLayout, column: int, colour: QColor
) -> None:
    text, high = content.columns[column], text_height("small")
    left = at.x + column * at.cell_width
    if not at.upright:
        box = QRectF(left, at.plane.top() - high - 4, at.cell_width, high)
        draw_text(painter, box, text, "small", colour)
        return
    room = at.plane.top() - title_height(content) - 6
    painter.save()
    painter.translate(left + at.cell_width / 2, at.plane.top() - 4)
    painter.rotate(-90)
    draw_text(painter, QRectF(0, -high / 2, room, high), text, "small", colour, LEFT)
    painter.restore()


def _paint_titles(painter: QPainter, theme: Theme, content: HeatContent, at: HeatLayout) -> None:
    high = text_height("small")
    if content.row_title:
        box = QRectF(0, at.plane.top() - high - 4, at.plane.left() - 6, high)
        draw_text(painter, box, f"{content.row_title} ↓", "small", theme.muted, RIGHT)
    if content.column_title:
        box = QRectF(at.plane.left(), 0, at.plane.width(), high)
        draw_text(painter, box, f"{content.column_title} →", "small", theme.muted, LEFT)


def _paint_pointed(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int],
) -> None:
    cells, box = at.cells(content), at.box(*pointed)
    painter.save()
    painter.setClipRect(cells.adjusted(-1, -1, 1, 1))
    pen = QPen(theme.focus, 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    for y in (box.top(), box.bottom()):
        painter.drawLine(QLineF(cells.left(), y, cells.right(), y))
    for x in (box.left(), box.right()):
        painter.drawLine(QLineF(x, cells.top(), x, cells.bottom()))
    painter.restore()


def paint_bar(painter: QPainter, theme: Theme, content: HeatContent, at: HeatLayout) -> None:
    """The colour bar with its numbers."""
    paint_scale(painter, theme, content.scale, at.bar)


def paint_scale(painter: QPainter, theme: Theme, scale: Scale, box: QRectF) -> float:
    """A colour bar from the left end of a box.

    Returns:
        Where it ends.
    """
    ticks, high = scale.ticks(), text_height("small")
    x = box.left()
    first = text_width("small", ticks[0][1])
    place = QRectF(x, box.top(), first + 2, high)
    draw_text(painter, place, ticks[0][1], "small", theme.muted, LEFT)
    x += first + 6
    last = text_width("small", ticks[-1][1])
    long = max(24.0, min(BAR_LENGTH, box.right() - x - last - 8))
    bar = QRectF(x, box.top() + high / 2 - 5, long, 10)
    table = theme.diverging if scale.diverging else theme.sequential
    fill = QLinearGradient(bar.topLeft(), bar.topRight())
    for stop in range(0, 256, 15):
        fill.setColorAt(stop / 255, QColor(*(int(part) for part in table[stop])))
    painter.fillRect(bar, fill)
    place = QRectF(bar.right() + 4, box.top(), last + 2, high)
    draw_text(painter, place, ticks[-1][1], "small", theme.muted, LEFT)
    if scale.logarithmic:
        words = "by powers of ten"
        place = QRectF(place.right() + 8, box.top(), text_width("small", words) + 2, high)
        draw_text(painter, place, words, "small", theme.muted, LEFT)
    return place.right()


def heat_figure(content: HeatContent, width: float, theme: Theme, largest: float = 40.0) -> Figure:
    """A heat map as a picture of this width, labels and colour bar included.

    Up to FINEST cells are shapes of their own; more are one image with a pixel a cell.
    """
    height = height_for(content, width, largest)
    at = fit(content, width, height, largest)
    fine = content.values.size <= FINEST

    def paint(painter: QPainter) -> None:
        if fine:
            paint_cells(painter, theme, content, at, fine=True)
        else:
            rows, columns = at.rows_in_sight(content), at.columns_in_sight(content)
            box = at.box(rows.start, columns.start).united(at.box(rows.stop - 1, columns.stop - 1))
            image: QImage = image_of(content.values, content.scale, theme)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(box, image)
            if content.blocked is not None:
                _paint_blocked(painter, theme, content, at, rows, columns)
        paint_labels(painter, theme, content, at)
        paint_bar(painter, theme, content, at)

    return Figure(width, height, paint)
