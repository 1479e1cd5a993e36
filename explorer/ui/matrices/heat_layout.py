"""Where the parts of a heat map stand: cells, labels and the colour bar. No painting here."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QPointF, QRectF

from explorer.ui.matrices.scale import Scale
from explorer.ui.theme.chrome import zoomed
from explorer.ui.typesetting.one_line import text_height, text_width

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

LONGEST_ROW = 150.0
LONGEST_COLUMN = 104
"""Room for labels, in pixels at the usual size of text; longer ones may be elided."""
ROW_SHARE = 0.4
"""Of the width, what labels of rows take where that is more; longer ones are elided."""
BESIDE = 8.0
WIDEST = 1.6
"""Of a cell, as a share of its height: words are wider than they are high."""
SCALE_GAP = 8.0
"""Between what is coloured and the colour scale below it."""
LARGEST_CELL = 64.0


@dataclass(frozen=True)
class CellMark:
    """A cell that stands out.

    Attributes:
        row: Of the cell.
        column: Of the cell.
        kind: "chosen" is framed in orange, "looked at" in the letters' colour, "off" is crossed
            out.
    """

    row: int
    column: int
    kind: Literal["chosen", "looked at", "off"]


@dataclass(frozen=True)
class HeatContent:
    """What a heat map shows.

    Attributes:
        values: rows x columns; what is no number is left blank.
        rows: A label a row.
        columns: A label a column.
        scale: Which colour a number has.
        blocked: rows x columns, true where there can be no number; drawn hatched. None for
            nowhere.
        blocked_words: Why not: "comes later, and can't be seen".
        row_title: What the rows are: "from".
        column_title: What the columns are: "to".
        signed: Positive numbers are written with their sign.
        cell: Width and height of a cell while everything is shown; None for as large as fits.
        written: A number in a few characters, for its cell; None for the usual.
        texts: Words in a cell in the place of its number; None for numbers.
        said: What is said of a cell; None for its labels and its number.
        marks: Cells that stand out.
        seams: Cells have a fine line between them.
        with_bar: There is a colour bar below.
        named: Rows and columns that keep their labels where there is not room for all.
        turns_columns: Where there is not room for all labels of columns, they are turned rather
            than left out, even if cells have a size of their own.
        number_room: Pixels that numbers take in any of the matrices that stand together: where one
            has no room for its numbers, none has any. 0 for this one alone.
        from_right: The columns are tokens of a text that runs from the right: the first stands at
            the right, beside the labels of the rows.
    """

    values: "Values"
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    scale: Scale = field(default_factory=Scale)
    blocked: "npt.NDArray[np.bool_] | None" = None
    blocked_words: str = ""
    row_title: str = ""
    column_title: str = ""
    signed: bool = False
    cell: tuple[float, float] | None = None
    written: Callable[[float], str] | None = None
    texts: Callable[[int, int], str] | None = None
    said: Callable[[int, int], str] | None = None
    marks: tuple[CellMark, ...] = ()
    seams: bool = False
    with_bar: bool = True
    named: frozenset[int] = frozenset()
    turns_columns: bool = False
    number_room: float = 0.0
    from_right: bool = False

    @property
    def bar_room(self) -> float:
        """Below the cells, for the colour bar."""
        return scale_room() if self.with_bar else 1.0

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        if tuple(self.values.shape) != shape:
            raise ValueError(f"values are {self.values.shape}, labels are for {shape}")

    def is_blocked(self, row: int, column: int) -> bool:
        """Whether a cell can hold no number."""
        return self.blocked is not None and bool(self.blocked[row, column])


@dataclass(frozen=True)
class HeatLayout:
    """Rectangles in the widget's coordinates.

    Attributes:
        plane: Where cells are seen.
        labels: Where the labels of rows are, beside it.
        cell_width: In pixels, perhaps less than one.
        cell_height: The same.
        x: Left end of the first column; left of the plane where it was panned. From the right:
            where that would be in a mirror.
        y: Upper end of the first row.
        upright: Column labels are turned to read upwards.
        bar: The colour bar and its numbers.
        from_right: The first column stands at the right.
    """

    plane: QRectF
    labels: QRectF
    cell_width: float
    cell_height: float
    x: float
    y: float
    upright: bool
    bar: QRectF
    from_right: bool = False

    def box(self, row: int, column: int) -> QRectF:
        """A cell."""
        left = self.x + column * self.cell_width
        if self.from_right:
            left = self.mirrored(left + self.cell_width)
        top = self.y + row * self.cell_height
        return QRectF(left, top, self.cell_width, self.cell_height)

    def mirrored(self, x: float) -> float:
        """A place across, seen from the other side of the plane."""
        return self.plane.left() + self.plane.right() - x

    def across(self, x: float) -> float:
        """A place across, counted in columns."""
        return ((self.mirrored(x) if self.from_right else x) - self.x) / self.cell_width

    def cell_at(self, point: QPointF, content: HeatContent) -> tuple[int, int] | None:
        """Row and column at a point, or None beside the cells."""
        if not self.plane.contains(point):
            return None
        row = math.floor((point.y() - self.y) / self.cell_height)
        column = math.floor(self.across(point.x()))
        if 0 <= row < len(content.rows) and 0 <= column < len(content.columns):
            return row, column
        return None

    def rows_in_sight(self, content: HeatContent) -> range:
        """Rows of which anything is seen."""
        first = math.floor((self.plane.top() - self.y) / self.cell_height + 1e-6)
        last = math.ceil((self.plane.bottom() - self.y) / self.cell_height - 1e-6)
        return range(max(0, first), min(len(content.rows), last))

    def columns_in_sight(self, content: HeatContent) -> range:
        """Columns of which anything is seen."""
        first = math.floor((self.plane.left() - self.x) / self.cell_width + 1e-6)
        last = math.ceil((self.plane.right() - self.x) / self.cell_width - 1e-6)
        return range(max(0, first), min(len(content.columns), last))

    def cells(self, content: HeatContent) -> QRectF:
        """What is seen of all cells together."""
        last = self.box(max(len(content.rows), 1) - 1, max(len(content.columns), 1) - 1)
        return self.box(0, 0).united(last).intersected(self.plane)


def fit(
    content: HeatContent, width: float, height: float, largest: float = LARGEST_CELL
) -> HeatLayout:
    """Everything in a box whose upper left corner is (0, 0), cells as large as it holds.

    Args:
        content: What is shown.
        width: Of the box, labels included.
        height: The same, with the colour bar.
        largest: Height of a cell at most.
    """
    beside = left_of(content, width)
    widest = max((text_width("small", one) for one in content.columns), default=0.0)
    columns, rows = max(len(content.columns), 1), max(len(content.rows), 1)
    free = max(width - beside, 20.0)
    left = 0.0 if content.from_right else beside
    title = title_height(content)

    def cell(top: float) -> tuple[float, float]:
        if content.cell is not None:
            return content.cell
        tall = min(max(height - top - content.bar_room, 20.0) / rows, largest)
        wide = min(free / columns, tall * WIDEST)
        return wide, min(tall, wide)

    top = title + text_height("small") + BESIDE
    may_turn = content.cell is None or content.turns_columns
    upright = may_turn and widest + 4 > cell(top)[0]
    if upright:
        # Where there is little height, cells need it more than labels do.
        longest = zoomed(LONGEST_COLUMN)
        most = longest if content.cell else max(32.0, 0.25 * height)
        top = title + min(widest, longest, most) + BESIDE
    wide, tall = cell(top)
    plane = QRectF(left, top, free, max(height - top - content.bar_room, 20.0))
    below = min(plane.top() + tall * rows, plane.bottom())
    bar = scale_box(left, below, free)
    if content.from_right:
        # The labels of the rows stand beside the first cells, wherever those end.
        plane.setWidth(min(free, wide * columns))
    edge = plane.right() if content.from_right else 0.0
    labels = QRectF(edge, plane.top(), beside, plane.height())
    corner = plane.topLeft()
    x, y, turned = corner.x(), corner.y(), content.from_right
    return HeatLayout(plane, labels, wide, tall, x, y, upright, bar, turned)


def scale_room() -> float:
    """Height that a colour scale takes below what it is of, in the texts' size of now."""
    return SCALE_GAP + text_height("small") + 2


def scale_box(left: float, below: float, width: float) -> QRectF:
    """Where a colour scale stands.

    Args:
        left: Its left end.
        below: Where what it is of ends.
        width: There is.
    """
    return QRectF(left, below + SCALE_GAP, width, text_height("small"))


def title_height(content: HeatContent) -> float:
    """Of the line that says what rows and columns are.

    What is said of the rows alone stands beside the columns' labels, if it is as short as those.
    """
    is_long = text_width("small", f"{content.row_title} ↓") > LONGEST_ROW
    return text_height("small") + 2 if content.column_title or is_long else 0.0


def height_for(content: HeatContent, width: float, largest: float = 40.0) -> float:
    """How high a heat map is that is as wide as it can be: for pictures."""
    tall = fit(content, width, 1e6, largest)
    return tall.plane.top() + tall.cell_height * max(len(content.rows), 1) + content.bar_room


def left_of(content: HeatContent, width: float) -> float:
    """Room for the labels of rows in a width, or in the narrowest there is, 0."""
    most = max(LONGEST_ROW, ROW_SHARE * width)
    return _room(content.rows, most, f"{content.row_title} ↓" if content.row_title else "")


def row_label_box(at: HeatLayout, middle: float, high: float) -> QRectF:
    """Of a row's label at a height, apart from the cells."""
    left = at.labels.left() + (6 if at.from_right else 0)
    return QRectF(left, middle - high / 2, at.labels.width() - 6, high)


def cut_label_at(content: HeatContent, at: HeatLayout, point: QPointF) -> str:
    """The whole label at a point, of a row or a column; "" where none is, or none of it is cut."""
    if at.labels.contains(point):
        index, labels = math.floor((point.y() - at.y) / at.cell_height), content.rows
        room = row_label_box(at, 0, 0).width()
    elif title_height(content) <= point.y() < at.plane.top():
        index, labels = math.floor(at.across(point.x())), content.columns
        above = at.plane.top() - title_height(content) - BESIDE
        room = above if at.upright else at.cell_width - 4
    else:
        return ""
    label = labels[index] if 0 <= index < len(labels) else ""
    return label if text_width("small", label) > room + 1 else ""


def _room(labels: Sequence[str], most: float, title: str) -> float:
    widest = max((text_width("small", one) for one in labels), default=0.0)
    return max(min(widest, most), min(text_width("small", title), most)) + BESIDE


def labelled(
    indices: Iterable[int], step: int, named: Collection[int], pointed: int = -1
) -> list[int]:
    """Which labels are drawn where one of so many has room.

    Args:
        indices: What is in sight.
        step: Of how many one has room.
        named: Those that are drawn rather than their neighbours.
        pointed: The one that is drawn rather than any.
    """
    if step <= 1:
        return list(indices)

    def clear_of(index: int, others: Iterable[int]) -> bool:
        return all(abs(index - other) >= step for other in others)

    first = [pointed] if pointed >= 0 else []
    kept: list[int] = []
    for index in sorted(named):
        if clear_of(index, [*first, *kept]):
            kept.append(index)
    taken = [*first, *kept]
    return [i for i in indices if i in kept or (i % step == 0 and clear_of(i, taken))]


def every(step_size: float) -> int:
    """Of how many labels one has room, where each has so many pixels."""
    return max(1, math.ceil((text_height("small") - 2) / max(step_size, 1e-6)))
