"""A part in full: its tensors with their shapes, and their numbers where there are any."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from explorer.api import Table
from explorer.questions.architecture.architecture.question import AnatomyResult
from explorer.questions.architecture.architecture.statistics import Statistics
from explorer.questions.architecture.architecture.tree import Part, flat
from explorer.text.quantities import in_words
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.blocks.text import Words
from explorer.ui.sentence.token_layout import text_height
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.words import count, number

MOST_ROWS = 60
MOST_PICTURES = 24
TILE = 190.0


def part_blocks(result: AnatomyResult, part: Part, width: float) -> list[tuple[float, Laid]]:
    """What is said of a part that was opened."""
    said = f"{count(part.parameters)} parameters"
    if part.places > part.copies:
        said += f" in {part.copies} set{'' if part.copies == 1 else 's'}, used {part.places} times"
    elif part.copies > 1:
        said += f" in {part.copies} layers"
    if part.multiply_adds:
        said += f" · {in_words(part.multiply_adds)} multiply-adds a token"
    blocks: list[tuple[float, Laid]] = [
        (22, Words(part.path, width, "title")),
        (2, Words(said, width, "small", "muted")),
    ]
    if result.statistics and result.part == part.path:
        blocks += _numbers(result.statistics, width)
        return blocks
    blocks.append((8, _shapes(result, part, width)))
    why = (
        "Load the model to see means, spreads and histograms of these." if not result.loaded else ""
    )
    if why:
        blocks.append((6, Words(why, width, "small", "muted")))
    return blocks


def _shapes(result: AnatomyResult, part: Part, width: float) -> Grid:
    rows = [
        Row(
            (
                weight.name.removeprefix(f"{part.path}."),
                " x ".join(str(size) for size in weight.shape),
                result.model.dtype or "as stored",
                str(weight.copies),
                count(weight.stored),
                f"tied to {weight.tied}" if weight.tied else "",
            )
        )
        for weight in flat((part,))[:MOST_ROWS]
    ]
    columns = (
        Column("Tensor"),
        Column("Shape"),
        Column("Type"),
        Column("Sets", numbers=True),
        Column("Numbers", numbers=True),
        Column(""),
    )
    return Grid(columns, rows, width)


def _numbers(statistics: Sequence[Statistics], width: float) -> list[tuple[float, Laid]]:
    """A row for each tensor, and a histogram for the first of them."""
    columns = (
        Column("Tensor"),
        Column("Shape"),
        Column("Type"),
        Column("Mean", numbers=True),
        Column("Std", numbers=True),
        Column("Norm", numbers=True),
        Column("Smallest", numbers=True),
        Column("Largest", numbers=True),
        Column("Zeros", numbers=True),
    )
    names = _shorter(statistics)
    rows = [
        Row(
            (
                name,
                " x ".join(str(size) for size in one.shape),
                one.dtype,
                number(one.mean),
                number(one.std),
                number(one.norm),
                number(one.minimum),
                number(one.maximum),
                count(one.zeros),
            )
        )
        for name, one in zip(names[:MOST_ROWS], statistics, strict=False)
    ]
    blocks: list[tuple[float, Laid]] = [(10, Grid(columns, rows, width))]
    if len(statistics) > MOST_ROWS:
        more = f"{len(statistics) - MOST_ROWS} more are in the exported table."
        blocks.append((4, Words(more, width, "small", "muted")))
    blocks.append((14, Histograms(statistics[:MOST_PICTURES], width)))
    return blocks


def statistics_table(result: AnatomyResult) -> Table:
    """One row a tensor of the part that is open."""
    columns = ("tensor", "shape", "dtype", "mean", "std", "norm", "minimum", "maximum", "zeros")
    return Table(
        columns,
        tuple(
            (
                one.name,
                " x ".join(str(size) for size in one.shape),
                one.dtype,
                one.mean,
                one.std,
                one.norm,
                one.minimum,
                one.maximum,
                one.zeros,
            )
            for one in result.statistics
        ),
    )


def _shorter(statistics: Sequence[Statistics]) -> list[str]:
    """Names without what all of them begin with."""
    split = [one.name.split(".") for one in statistics]
    common = 0
    while len({tuple(s[: common + 1]) for s in split}) == 1 and common + 2 < min(map(len, split)):
        common += 1
    return [".".join(segments[common:]) for segments in split]


class Histograms:
    """Small histograms in rows, each on its own scale, zero marked."""

    def __init__(self, statistics: Sequence[Statistics], width: float) -> None:
        self._statistics = statistics
        self._names = _shorter(statistics)
        self.width = width
        self._columns = max(1, int(width // (TILE + 12)))
        self._wide = width / self._columns - 12
        self._line = text_height("small")
        self._high = 74 + 2 * self._line
        rows = -(-len(statistics) // self._columns)
        self.height = rows * (self._high + 12)
        self.spots = tuple(
            Spot(
                self._box(i),
                None,
                f"{one.name}\nmean {number(one.mean)}, std {number(one.std)}, "
                f"norm {number(one.norm)}",
            )
            for i, one in enumerate(statistics)
        )

    def _box(self, index: int) -> QRectF:
        row, column = divmod(index, self._columns)
        x, y = column * (self._wide + 12), row * (self._high + 12)
        return QRectF(x, y, self._wide, self._high)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each in its box."""
        for index, one in enumerate(self._statistics):
            box = self._box(index)
            name = QRectF(box.left(), box.top(), box.width(), self._line)
            draw_text(painter, name, self._names[index], "small", theme.text)
            plane = QRectF(box.left(), name.bottom() + 2, box.width(), 68)
            painter.fillRect(plane, theme.track)
            most = max(1, int(one.counts.max()))
            wide = plane.width() / len(one.counts)
            for bin_number, amount in enumerate(one.counts):
                tall = plane.height() * float(amount) / most
                x = plane.left() + bin_number * wide
                painter.fillRect(QRectF(x, plane.bottom() - tall, wide, tall), theme.bar)
            if one.minimum < 0 < one.maximum:
                span = one.maximum - one.minimum
                x = plane.left() - one.minimum / span * plane.width()
                painter.setPen(QPen(theme.text, 1.0))
                painter.drawLine(int(x), int(plane.top()), int(x), int(plane.bottom()))
            below = QRectF(box.left(), plane.bottom() + 2, box.width(), self._line)
            ends = f"{number(one.minimum)} … {number(one.maximum)}"
            draw_text(painter, below, ends, "small", theme.muted)
