"""How a heat map looks: one set of functions for the screen, PNG, SVG and PDF."""

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPen

from explorer.text import _
from explorer.ui.blocks.figure import Figure
from explorer.ui.matrices.heat_layout import (
    HeatContent,
    HeatLayout,
    every,
    fit,
    height_for,
    labelled,
    row_label_box,
    title_height,
)
from explorer.ui.matrices.image import image_from, image_of, pooled
from explorer.ui.matrices.scale import Scale, in_cell
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import ink_on, painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width, text_widths
from explorer.ui.typesetting.wrapping import wrapped_lines

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

RIGHT = Qt.AlignmentFlag.AlignRight
LEFT = Qt.AlignmentFlag.AlignLeft
BAR_LENGTH = 150.0
ROOM_FOR_NUMBERS = 16.0
"""Width of a cell from which on its number is written into it, where it fits."""
ROOM_FOR_SEAMS = 4.0
ROOM_FOR_FRAME = 18.0
ELIDED = 64.0
"""Pixels of a cell in which an elided label says more than none."""
OVERHANG = 2.0
"""Pixels that a level label may reach over the labels of the rows, which end before that."""
POWER = "10⁻"
SMALL_WIDE = 2.5
"""Of a cell in a small picture, as a share of its height, at most."""
FINEST = 4096
"""Cells up to which a picture draws each as a shape of its own, so that it can be scaled."""


class CellColours:
    """A matrix's colours in a theme: computed once, for many paintings.

    Args:
        content: What is shown.
        theme: Of the colours.
    """

    def __init__(self, content: HeatContent, theme: Theme) -> None:
        self.content, self.theme = content, theme

    @cached_property
    def colours(self) -> "npt.NDArray[np.uint8]":
        """RGBA of every cell."""
        return self.content.scale.colours(self.content.values, self.theme)

    @cached_property
    def image(self) -> QImage:
        """One pixel a cell, as they stand."""
        return image_from(self.colours[:, :: -1 if self.content.from_right else 1])

    @cached_property
    def finite(self) -> "Values":
        """Numbers of which the largest can be found; what is none counts as zero."""
        import numpy as np

        values = self.content.values
        return np.where(np.isfinite(values), values, 0) if values.dtype.kind == "f" else values

    @cached_property
    def blocked(self) -> tuple[tuple[int, int, int], ...]:
        """Runs of cells that can hold no number: row, first column, and the one after the last."""
        import numpy as np

        if self.content.blocked is None:
            return ()
        edges = np.diff(self.content.blocked.astype(np.int8), axis=1, prepend=0, append=0)
        rows, starts = np.nonzero(edges == 1)
        _, ends = np.nonzero(edges == -1)
        runs = zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
        return tuple((row, start, end) for row, start, end in runs)


def paint_cells(
    painter: QPainter, cells: CellColours, at: HeatLayout, *, fine: bool = False
) -> None:
    """The cells in sight, with numbers in them where there is room.

    Args:
        painter: On any device.
        cells: What is shown.
        at: Where.
        fine: Draw every cell as a shape of its own.
    """
    content, theme = cells.content, cells.theme
    rows, columns = at.rows_in_sight(content), at.columns_in_sight(content)
    if not rows or not columns:
        return
    painter.save()
    painter.setClipRect(at.plane, Qt.ClipOperation.IntersectClip)
    box = at.box(rows.start, columns.start).united(at.box(rows.stop - 1, columns.stop - 1))
    painter.fillRect(box, theme.raised if content.with_bar else theme.hover)
    if fine:
        _paint_shapes(painter, cells, at, rows, columns)
    else:
        _paint_image(painter, cells, box, rows, columns)
    _paint_blocked(painter, cells, at, rows, columns)
    if content.seams and at.cell_width > ROOM_FOR_SEAMS:
        _paint_seams(painter, cells, at, rows, columns)
    if at.cell_width >= ROOM_FOR_NUMBERS and at.cell_height >= text_height("small"):
        _paint_numbers(painter, cells, at, rows, columns)
    _paint_marks(painter, cells, at)
    painter.restore()


def paint_small(painter: QPainter, theme: Theme, content: HeatContent, box: QRectF) -> None:
    """The cells alone, as large as a box holds them, for a picture of a few pixels.

    Args:
        painter: On any device.
        theme: Of the colours.
        content: What is shown.
        box: Where.
    """
    high = box.height() / max(1, len(content.rows))
    wide = min(box.width() / max(1, len(content.columns)), high * SMALL_WIDE)
    left = box.left() + (box.width() - wide * len(content.columns)) / 2
    plane = QRectF(left, box.top(), wide * len(content.columns), box.height())
    at = HeatLayout(
        plane, QRectF(), wide, high, left, box.top(), False, QRectF(), content.from_right
    )
    # Words would be shortened to dots.
    paint_cells(painter, CellColours(replace(content, texts=None), theme), at)


def _paint_image(
    painter: QPainter, cells: CellColours, box: QRectF, rows: range, columns: range
) -> None:
    """No more cells than pixels, the strongest kept: any other way some would not be drawn."""
    ratio = painter.device().devicePixelRatioF()
    high, wide = max(1, int(box.height() * ratio)), max(1, int(box.width() * ratio))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    if high >= len(rows) and wide >= len(columns):
        turned = cells.content.from_right
        left = cells.image.width() - columns.stop if turned else columns.start
        source = QRectF(left, rows.start, len(columns), len(rows))
        painter.drawImage(box, cells.image, source)
        return
    scale = cells.content.scale
    seen = cells.finite[rows.start : rows.stop, columns.start : columns.stop]
    small = pooled(seen, high, wide, diverging=scale.diverging)
    if cells.content.from_right:
        small = small[:, ::-1]
    painter.drawImage(box, image_of(small, scale, cells.theme))


def _paint_shapes(
    painter: QPainter, cells: CellColours, at: HeatLayout, rows: range, columns: range
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for row in rows:
        for column in columns:
            red, green, blue, alpha = (int(part) for part in cells.colours[row, column])
            # A hair of overlap: viewers of vector pictures show seams between neighbours.
            box = at.box(row, column).adjusted(0, 0, 0.2, 0.2)
            painter.fillRect(box, QColor(red, green, blue, alpha))


def _paint_blocked(
    painter: QPainter, cells: CellColours, at: HeatLayout, rows: range, columns: range
) -> None:
    """One hatched run of cells a row."""
    theme = cells.theme
    hatch = QBrush(theme.border, Qt.BrushStyle.BDiagPattern)
    for row, start, end in cells.blocked:
        first, last = max(start, columns.start), min(end, columns.stop)
        if row in rows and first < last:
            box = at.box(row, first).united(at.box(row, last - 1))
            painter.fillRect(box, theme.surface)
            painter.fillRect(box, hatch)


def _paint_numbers(
    painter: QPainter, cells: CellColours, at: HeatLayout, rows: range, columns: range
) -> None:
    """All of them or none: where the negative ones alone had no room, the others would mislead."""
    content = cells.content
    if content.texts is not None:
        _paint_words(painter, cells, at, rows, columns)
        return
    written = [
        (row, column, (content.written or in_cell)(float(content.values[row, column])))
        for row in rows
        for column in columns
        if cells.colours[row, column, 3] and not content.is_blocked(row, column)
    ]
    wide = text_widths("small", (text for _, _, text in written))
    # Powers of ten are wider than all others, and stay away alone.
    room = max([content.number_room, *(wide[text] + 2 for text in wide if POWER not in text)])
    if room > at.cell_width:
        return
    for row, column, text in written:
        if wide[text] + 2 > at.cell_width:
            continue
        ground = QColor(*(int(part) for part in cells.colours[row, column, :3]))
        draw_text(painter, at.box(row, column), text, "small", ink_on(ground))


def room_for_numbers(content: HeatContent) -> float:
    """Pixels that the widest number of a matrix takes, powers of ten aside."""
    import numpy as np

    there = content.values[~np.isnan(content.values)]
    said = set(map(content.written or in_cell, np.unique(there).tolist()))
    wide = text_widths("small", (one for one in said if POWER not in one))
    return max(wide.values(), default=-2.0) + 2


def _paint_words(
    painter: QPainter, cells: CellColours, at: HeatLayout, rows: range, columns: range
) -> None:
    """Each in its cell, shortened where it is too long: a part of a word says more than nothing."""
    words = cells.content.texts
    assert words is not None
    for row in rows:
        for column in columns:
            ground = QColor(*(int(part) for part in cells.colours[row, column, :3]))
            box = at.box(row, column).adjusted(2, 0, -2, 0)
            text, elide = words(row, column), Qt.TextElideMode.ElideRight
            draw_text(painter, box, text, "small", ink_on(ground), elide=elide)


def _paint_seams(
    painter: QPainter, cells: CellColours, at: HeatLayout, rows: range, columns: range
) -> None:
    painter.setPen(QPen(cells.theme.surface, 1.0))
    whole = at.cells(cells.content)
    for row in rows:
        y = at.y + row * at.cell_height
        painter.drawLine(QLineF(whole.left(), y, whole.right(), y))
    for column in columns:
        x = at.box(0, column).left()
        painter.drawLine(QLineF(x, whole.top(), x, whole.bottom()))


def _paint_marks(painter: QPainter, cells: CellColours, at: HeatLayout) -> None:
    theme = cells.theme
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for mark in cells.content.marks:
        box = at.box(mark.row, mark.column).adjusted(1, 1, -1, -1)
        if mark.kind == "off":
            painter.setPen(QPen(theme.danger, 1.4))
            painter.drawRect(box)
            painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))
            if not cells.colours[mark.row, mark.column, 3]:
                painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
        elif mark.kind == "chosen":
            # Thinner about a low cell, whose number it would cover.
            thick = 1.0 if box.height() >= ROOM_FOR_FRAME else 0.6
            painter.setPen(QPen(QColor("#000000"), 4.0 * thick))
            painter.drawRect(box)
            painter.setPen(QPen(theme.bar_original, 2.4 * thick))
            painter.drawRect(box)
        else:
            painter.setPen(QPen(theme.text, 2.0))
            painter.drawRect(box)


def paint_labels(painter: QPainter, theme: Theme, content: HeatContent, at: HeatLayout) -> None:
    """Row and column labels beside the cells."""
    paint_row_labels(painter, theme, content, at)
    paint_column_labels(painter, theme, content, at)


def paint_row_labels(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int] | None = None,
) -> None:
    """Labels beside the cells in sight, the pointed one strong."""
    row = pointed[0] if pointed is not None else -1
    high, side = text_height("small"), LEFT if at.from_right else RIGHT
    if content.row_title:
        room, bottom = row_label_box(at, 0, high).width() + 1, at.plane.top() - 8
        lines = wrapped_lines("small", content.row_title, room - text_width("small", " ↓"))
        # Beside the columns' title and labels there is room for more than one line.
        lines = lines if len(lines) * high <= bottom else [content.row_title]
        lines[-1] += " ↓"
        for number, line in enumerate(reversed(lines)):
            box = row_label_box(at, bottom - (number + 0.5) * high, high)
            draw_text(painter, box, line, "small", theme.muted, side)
    painter.save()
    beside = QRectF(at.labels)
    if at.y >= at.plane.top() - 0.5:
        # A label is higher than a small cell, that of the first row too.
        beside.adjust(0, -high / 2, 0, high / 2)
    painter.setClipRect(beside, Qt.ClipOperation.IntersectClip)
    step = every(at.cell_height)
    for index in labelled(at.rows_in_sight(content), step, content.named, row):
        box = row_label_box(at, at.box(index, 0).center().y(), high)
        draw_text(painter, box, content.rows[index], "small", theme.muted, side)
    if row >= 0:
        box = row_label_box(at, at.box(row, 0).center().y(), high)
        draw_text(painter, box, content.rows[row], "small", theme.text, side)
    painter.restore()


def paint_column_labels(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int] | None = None,
) -> None:
    """Labels above the cells in sight, the pointed one strong."""
    column = pointed[1] if pointed is not None else -1
    if content.column_title:
        box = QRectF(at.plane.left(), 0, at.plane.width(), text_height("small"))
        words = f"← {content.column_title}" if at.from_right else f"{content.column_title} →"
        side = RIGHT if at.from_right else LEFT
        draw_text(painter, box, words, "small", theme.muted, side)
    painter.save()
    top = title_height(content)
    above = QRectF(at.plane.left(), top, at.plane.width(), at.plane.top() - top)
    if at.x >= at.plane.left() - 0.5:
        beyond = text_height("small") / 2 if at.upright else OVERHANG
        above.adjust(-beyond, 0, beyond, 0)
    painter.setClipRect(above, Qt.ClipOperation.IntersectClip)
    step = every(at.cell_width) if at.upright else _step_of(content, at)
    if not at.upright and step > 1 and at.cell_width >= ELIDED:
        _paint_elided(painter, theme, content, at, column)
        painter.restore()
        return
    for index in labelled(at.columns_in_sight(content), step, content.named, column):
        _paint_column(painter, content, at, index, theme.muted)
    if column >= 0:
        _paint_column(painter, content, at, column, theme.text)
    painter.restore()


def _paint_elided(
    painter: QPainter, theme: Theme, content: HeatContent, at: HeatLayout, pointed: int
) -> None:
    """Every label in the width of its cell: of columns that are words, none is left without."""
    high = text_height("small")
    for index in at.columns_in_sight(content):
        left = at.box(0, index).left()
        box = QRectF(left + 2, at.plane.top() - high - 4, at.cell_width - 4, high)
        colour = theme.text if index == pointed else theme.muted
        draw_text(painter, box, content.columns[index], "small", colour)


def _step_of(content: HeatContent, at: HeatLayout) -> int:
    """Of how many labels that stand level one has room."""
    if content.cell is None:
        return 1
    widest = max(text_widths("small", content.columns).values(), default=0.0)
    ends = {0, len(content.columns) - 1} if content.columns else set()
    moved = max((_level(content, at, column)[2] for column in ends), default=0.0)
    return max(1, math.ceil((widest + 2 + moved) / at.cell_width))


def _paint_column(
    painter: QPainter, content: HeatContent, at: HeatLayout, column: int, colour: QColor
) -> None:
    text, high = content.columns[column], text_height("small")
    left = at.box(0, column).left()
    if not at.upright:
        start, wide, _moved = _level(content, at, column)
        box = QRectF(start, at.plane.top() - high - 4, wide, high)
        draw_text(painter, box, text, "small", colour)
        return
    room = at.plane.top() - title_height(content) - 6
    with painter_moved(painter, left + at.cell_width / 2, at.plane.top() - 4):
        painter.rotate(-90)
        draw_text(painter, QRectF(0, -high / 2, room, high), text, "small", colour, LEFT)


def _level(content: HeatContent, at: HeatLayout, column: int) -> tuple[float, float, float]:
    """A level label: where it starts, how wide it is, how far it was moved to be seen whole.

    It stands above the middle of its cell, unless it would be cut at an end of the plane.
    """
    cell, plane = at.box(0, column).left(), at.plane
    wide = max(at.cell_width, text_width("small", content.columns[column]))
    middle = cell + at.cell_width / 2 - wide / 2
    if cell < plane.left() - 0.5 or cell + at.cell_width > plane.right() + 0.5:
        return middle, wide, 0.0
    first = plane.left() - (0.0 if at.from_right else OVERHANG)
    last = plane.right() + (OVERHANG if at.from_right else 0.0)
    start = max(min(middle, last - wide), first)
    return start, wide, abs(start - middle)


def paint_pointed(
    painter: QPainter,
    theme: Theme,
    content: HeatContent,
    at: HeatLayout,
    pointed: tuple[int, int],
) -> None:
    """Lines along the row and the column of a cell."""
    cells, box = at.cells(content), at.box(*pointed)
    painter.save()
    painter.setClipRect(cells.adjusted(-1, -1, 1, 1), Qt.ClipOperation.IntersectClip)
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
    if content.with_bar:
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
    words = _("by powers of ten") if scale.logarithmic else ""
    beside = text_width("small", words) + 10 if words else 0.0
    long = max(24.0, min(BAR_LENGTH, box.right() - x - last - 8 - beside))
    bar = QRectF(x, box.top() + high / 2 - 5, long, 10)
    table = theme.diverging if scale.diverging else theme.sequential
    fill = QLinearGradient(bar.topLeft(), bar.topRight())
    for stop in range(0, 256, 15):
        fill.setColorAt(stop / 255, QColor(*(int(part) for part in table[stop])))
    painter.fillRect(bar, fill)
    place = QRectF(bar.right() + 4, box.top(), last + 2, high)
    draw_text(painter, place, ticks[-1][1], "small", theme.muted, LEFT)
    if words:
        place = QRectF(place.right() + 8, box.top(), text_width("small", words) + 2, high)
        draw_text(painter, place, words, "small", theme.muted, LEFT)
    return place.right()


def heat_figure(
    content: HeatContent,
    width: float,
    theme: Theme,
    largest: float = 40.0,
    height: float | None = None,
) -> Figure:
    """A heat map as a picture of this width, labels and colour bar included.

    It is as high as its cells are at the width, none larger than `largest`, unless a height is
    given. Up to FINEST cells are shapes of their own; more are one image with a pixel a cell.
    """
    height = height_for(content, width, largest) if height is None else height
    at = fit(content, width, height, largest)
    fine = content.values.size <= FINEST
    cells = CellColours(content, theme)

    def paint(painter: QPainter) -> None:
        if fine:
            paint_cells(painter, cells, at, fine=True)
        else:
            rows, columns = at.rows_in_sight(content), at.columns_in_sight(content)
            box = at.box(rows.start, columns.start).united(at.box(rows.stop - 1, columns.stop - 1))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(box, cells.image)
            _paint_blocked(painter, cells, at, rows, columns)
        paint_labels(painter, theme, content, at)
        paint_bar(painter, theme, content, at)

    return Figure(width, height, paint)
