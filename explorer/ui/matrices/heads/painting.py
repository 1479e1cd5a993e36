"""All heads as one picture: where each stands, and how the picture is made."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from explorer.text import _
from explorer.ui.blocks.figure import Figure
from explorer.ui.matrices.heat_layout import scale_box, scale_room
from explorer.ui.matrices.heat_painting import paint_scale
from explorer.ui.matrices.image import image_from, pooled
from explorer.ui.matrices.scale import Scale
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

Head = tuple[int, int]
"""Layer and head, both from 0 on."""

GAP = 3.0
SMALLEST = 14.0
"""Height of a head, in pixels; where there is no room for that, the grid scrolls."""
LARGEST = 120.0
WIDEST = 1.6
"""Width of a head as a share of its height, at most."""
SCALE_WIDTH = 400.0


@dataclass(frozen=True)
class GridContent:
    """What a grid of heads shows.

    Attributes:
        maps: layers x heads x rows x columns; what is minus infinite or no number stays blank.
        scale: Which colour a number has; the same for all heads.
        order: The heads in another order than by layer, the first one first; empty for by layer.
        notes: A short text below each head of `order`; what stands before two spaces is enough
            where there is little room.
    """

    maps: "Values"
    scale: Scale = field(default_factory=Scale)
    order: tuple[Head, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        """How many."""
        return int(self.maps.shape[0])

    @property
    def heads(self) -> int:
        """In a layer."""
        return int(self.maps.shape[1])

    @property
    def count(self) -> int:
        """Heads in all layers together."""
        return self.layers * self.heads


@dataclass(frozen=True)
class GridLayout:
    """Where every head stands, in the widget's coordinates.

    Attributes:
        columns: Heads side by side.
        rows: Lines of heads.
        left: Of the first head.
        top: Of the first head.
        cell_width: Of a head's map.
        cell_height: Of a head's map.
        note_height: Below every map.
        height: Of everything.
    """

    columns: int
    rows: int
    left: float
    top: float
    cell_width: float
    cell_height: float
    note_height: float
    height: float

    def box(self, index: int) -> QRectF:
        """Of the map that stands at a place, counted in reading order."""
        row, column = divmod(index, self.columns)
        return QRectF(
            self.left + column * (self.cell_width + GAP),
            self.top + row * (self.cell_height + self.note_height + GAP),
            self.cell_width,
            self.cell_height,
        )

    def index_at(self, point: QPointF, count: int) -> int | None:
        """The place at a point, its note included; None beside all."""
        across = (point.x() - self.left) / (self.cell_width + GAP)
        down = (point.y() - self.top) / (self.cell_height + self.note_height + GAP)
        if across < 0 or down < 0 or across >= self.columns:
            return None
        index = int(down) * self.columns + int(across)
        return index if index < count else None


def head_at(content: GridContent, index: int) -> Head:
    """The head that stands at a place."""
    return content.order[index] if content.order else divmod(index, content.heads)


def place_of(content: GridContent, head: Head) -> int | None:
    """Where a head stands, or None for one that is not there."""
    if content.order:
        return content.order.index(head) if head in content.order else None
    layer, number = head
    if not (0 <= layer < content.layers and 0 <= number < content.heads):
        return None
    return layer * content.heads + number


def arrange(content: GridContent, width: float, height: float) -> GridLayout:
    """Heads as large as they all fit, in full lines where they may; by layer with a line a layer.

    Args:
        content: What is shown.
        width: There is.
        height: There is; more is taken where heads would get too small.
    """
    high = text_height("small")
    ranked = bool(content.order)
    rows_named = max(text_width("small", f"{content.layers - 1}"), text_width("small", _layers()))
    left = 4.0 if ranked else rows_named + 12
    top = 4.0 if ranked else 2 * high + 6
    note = high + 1 if ranked else 0.0
    free, tall = max(width - left - 4, 40.0), max(height - top - scale_room(), 40.0)
    rows_high, columns_wide = (max(one, 1) for one in content.maps.shape[2:])
    widest = WIDEST if rows_high == columns_wide else max(WIDEST, columns_wide / rows_high)
    candidates = range(1, content.count + 1) if ranked else (content.heads,)
    best = (0.0, 0, 1, 1.0, 1.0)
    for columns in candidates:
        rows = math.ceil(content.count / columns)
        wide = (free + GAP) / columns - GAP
        deep = (tall + GAP) / rows - GAP - note
        deep = min(max(deep, SMALLEST), LARGEST)
        wide = min(wide, deep * widest)
        deep = min(deep, max(wide, SMALLEST))
        area = wide * deep if rows * (deep + note + GAP) <= tall + GAP + 0.5 else wide / 1e6
        if ranked and wide < text_width("small", "00.00 0.00"):
            area /= 4
        # As large in several ways where there is more room than they take.
        best = max(best, (round(area, 3), content.count - rows * columns, columns, wide, deep))
    _area, _missing, columns, wide, deep = best
    rows = math.ceil(content.count / columns)
    total = top + rows * (deep + note + GAP) - GAP + scale_room()
    return GridLayout(columns, rows, left, top, wide, deep, note, total)


def grid_image(content: GridContent, at: GridLayout, theme: Theme, ratio: float) -> QImage:
    """All maps as one image, each cell of a map the strongest of what it stands for.

    Args:
        content: What is shown.
        at: Where.
        theme: Colours.
        ratio: Device pixels for a pixel.
    """
    import numpy as np

    high = max(1, round(at.cell_height * ratio))
    wide = max(1, round(at.cell_width * ratio))
    small = pooled(content.maps, high, wide, diverging=content.scale.diverging)
    down = np.arange(high) * small.shape[2] // high
    across = np.arange(wide) * small.shape[3] // wide
    colours = content.scale.colours(small, theme)[:, :, down][:, :, :, across]
    size = round(at.height * ratio), round((at.left + at.columns * (at.cell_width + GAP)) * ratio)
    picture = np.zeros((*size, 4), dtype=np.uint8)
    for index in range(content.count):
        layer, head = head_at(content, index)
        box = at.box(index)
        y, x = round(box.top() * ratio), round(box.left() * ratio)
        picture[y : y + high, x : x + wide] = colours[layer, head][: size[0] - y, : size[1] - x]
    image = image_from(picture)
    image.setDevicePixelRatio(ratio)
    return image


def paint_grid(
    painter: QPainter,
    theme: Theme,
    content: GridContent,
    at: GridLayout,
    image: QImage,
) -> None:
    """Paint all heads with their numbers.

    Args:
        painter: On any device.
        theme: Colours and fonts.
        content: What is shown.
        at: Where.
        image: As `grid_image` makes it.
    """
    for index in range(content.count):
        painter.fillRect(at.box(index), theme.raised)
    painter.drawImage(QPointF(0, 0), image)
    if content.order:
        paint_notes(painter, theme, content, at, range(content.count))
    else:
        paint_axis_names(painter, theme, at.left, at.top)
        paint_head_numbers(painter, theme, content, at, at.top)
        paint_layer_numbers(painter, theme, content, at, at.left)
    last = at.box(content.count - 1).bottom() + at.note_height
    paint_scale(painter, theme, content.scale, scale_box(at.left, last, SCALE_WIDTH))


def paint_notes(
    painter: QPainter, theme: Theme, content: GridContent, at: GridLayout, shown: Iterable[int]
) -> None:
    """A short text below each head."""
    for index in shown:
        if index < len(content.notes):
            box = at.box(index)
            below = QRectF(box.left() - 1, box.bottom() + 1, box.width() + 2, text_height("small"))
            words = content.notes[index]
            if text_width("small", words) > below.width() - 6:
                # The head's name alone, which its place does not tell.
                words = words.partition("  ")[0]
            draw_text(painter, below, words, "small", theme.muted)


def _layers() -> str:
    said = _("layer")
    return f"{said} ↓"


def paint_axis_names(painter: QPainter, theme: Theme, left: float, top: float) -> None:
    """What lines and columns are, above their numbers."""
    high, head = text_height("small"), _("head")
    head = f"{head} →"
    above = QRectF(left, top - 2 * high - 3, text_width("small", head) + 2, high)
    draw_text(painter, above, head, "small", theme.muted, Qt.AlignmentFlag.AlignLeft)
    beside = QRectF(0, top - high - 3, left - 6, high)
    draw_text(painter, beside, _layers(), "small", theme.muted, Qt.AlignmentFlag.AlignRight)


def paint_head_numbers(
    painter: QPainter, theme: Theme, content: GridContent, at: GridLayout, top: float
) -> None:
    """A number above every column."""
    high = text_height("small")
    step = max(1, math.ceil((text_width("small", "00") + 2) / (at.cell_width + GAP)))
    for head in range(0, content.heads, step):
        above = QRectF(at.box(head).center().x() - 20, top - high - 3, 40, high)
        draw_text(painter, above, str(head), "small", theme.muted)


def paint_layer_numbers(
    painter: QPainter, theme: Theme, content: GridContent, at: GridLayout, left: float
) -> None:
    """A number left of every line."""
    high = text_height("small")
    right = Qt.AlignmentFlag.AlignRight
    for layer in range(content.layers):
        box = at.box(layer * content.heads)
        beside = QRectF(0, box.center().y() - high / 2, left - 6, high)
        draw_text(painter, beside, str(layer), "small", theme.muted, right)


@dataclass(frozen=True)
class Marked:
    """Heads that stand out.

    Attributes:
        chosen: The one in full.
        also: Others, shown as lines, each with a colour.
        pointed: Under the mouse.
        has_focus: The grid has the keyboard.
    """

    chosen: Head | None = None
    also: "tuple[tuple[Head, Any], ...]" = ()
    pointed: Head | None = None
    has_focus: bool = False

    def paint(self, painter: QPainter, theme: Theme, content: GridContent, at: GridLayout) -> None:
        """Frames around them."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for head, colour, wide in (
            (self.pointed, theme.muted, 1.0),
            *((head, colour, 2.0) for head, colour in self.also),
            (self.chosen, theme.focus if self.has_focus else theme.bar_original, 2.6),
        ):
            index = place_of(content, head) if head is not None else None
            if index is not None:
                painter.setPen(QPen(colour, wide))
                edge = wide / 2
                painter.drawRect(at.box(index).adjusted(-edge, -edge, edge, edge))


def picture_layout(content: GridContent, width: float) -> GridLayout:
    """Where heads stand in a picture of this width."""
    by_width = width / max(1, content.heads if not content.order else 8)
    height = math.ceil(content.count / max(1, content.heads)) * min(by_width, LARGEST) * 1.2 + 60
    return arrange(content, width, height)


def grid_figure(content: GridContent, width: float, theme: Theme) -> Figure:
    """All heads as a picture of this width; its maps have two dots for a pixel."""
    at = picture_layout(content, width)
    image = grid_image(content, at, theme, 2.0)

    def paint(painter: QPainter) -> None:
        paint_grid(painter, theme, content, at, image)

    return Figure(width, at.height, paint)
