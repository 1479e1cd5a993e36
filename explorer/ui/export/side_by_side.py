"""Panels of a page side by side on paper, in place of a column that is higher than a figure.

A panel goes into a column only where it says the same there: what loses a word or grows much
higher keeps the whole width.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Block, page_of
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.parts import panels_of
from explorer.ui.blocks.text import heading
from explorer.ui.export.reading import words_of
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved

NARROWEST = 366.0
"""Pixels from which on a page reads well, as in a journal's column of 84 mm."""
LEAST = NARROWEST / 2
"""Pixels below which nothing reads well, even where each word has room."""
GAP = 26.0
"""Pixels between two columns, and between two panels below each other."""
MOST_HIGHER = 1.5
"""A panel of a column is so much higher at most than at the whole width."""


@dataclass(frozen=True)
class PlacedFigure:
    """Blocks at their place in a figure.

    Attributes:
        x: Of the left edge.
        y: Of the top.
        figure: The blocks.
    """

    x: float
    y: float
    figure: Figure


def below_each_other(blocks: Sequence[Block], width: float, theme: Theme) -> Figure:
    """A page's blocks in one column; a sheet may end above each panel."""
    placed: list[PlacedFigure] = []
    y = 0.0
    for panel in panels_of(blocks, apart=False):
        y += panel[0].above if placed else 0.0
        placed.append(PlacedFigure(0.0, y, page_of(panel, width).figure(theme)))
        y += placed[-1].figure.height
    return _figure(placed, width, y)


def side_by_side(blocks: Sequence[Block], width: float, theme: Theme) -> Figure:
    """A page's panels in as many columns as can be read, or one where that is lower."""
    found = [below_each_other(blocks, width, theme)]
    count = int((width + GAP) // (NARROWEST + GAP))
    for apart in (True, False):
        panels = panels_of(blocks, apart=apart)
        if count > 1 and len(panels) > 1:
            found.append(_in_columns(panels, count, width, theme))
    return min(found, key=lambda one: one.height)


def beside_each_other(
    columns: Sequence[tuple[str, Sequence[Block]]], width: float, theme: Theme, most: float
) -> Figure:
    """Two pages with their titles, one below the other where two columns can't be read.

    Args:
        columns: A title and blocks each; one page alone has none.
        width: Of both together.
        theme: Its colours.
        most: What is higher below each other stands in narrow columns, if no word is lost there.
    """
    pages = [[heading(title), *blocks] if title else blocks for title, blocks in columns]
    if len(pages) == 1:
        return below_each_other(pages[0], width, theme)
    below = _placed(pages, width, theme, is_beside=False)
    narrow = (width - (len(pages) - 1) * GAP) / len(pages)
    beside = _placed(pages, narrow, theme, is_beside=True)
    has_to = below.height > most and narrow >= LEAST
    reads = narrow >= NARROWEST or (has_to and words_of(below) <= words_of(beside))
    return beside if reads else below


def _placed(
    pages: Sequence[Sequence[Block]], width: float, theme: Theme, *, is_beside: bool
) -> Figure:
    """Pages of one width below or beside each other."""
    placed: list[PlacedFigure] = []
    x = y = 0.0
    for page in pages:
        placed.append(PlacedFigure(x, y, below_each_other(page, width, theme)))
        if is_beside:
            x += width + GAP
        else:
            y += placed[-1].figure.height + GAP
    whole = width if not is_beside else x - GAP
    return _figure(placed, whole, max(one.y + one.figure.height for one in placed))


def _in_columns(
    panels: Sequence[Sequence[Block]], count: int, width: float, theme: Theme
) -> Figure:
    """Panels in columns, in reading order down each; wide ones between them."""
    narrow = (width - (count - 1) * GAP) / count
    placed: list[PlacedFigure] = []
    y = 0.0
    for is_narrow, run in _runs(panels, narrow, width, theme):
        y += GAP if placed else 0.0
        columns = _balanced(run, count) if is_narrow else [run]
        bottom = y
        for number, column in enumerate(columns):
            top = y
            for figure in column:
                placed.append(PlacedFigure(number * (narrow + GAP), top, figure))
                bottom = max(bottom, top + figure.height)
                top += figure.height + GAP
        y = bottom

    return _figure(placed, width, y)


def _figure(placed: Sequence[PlacedFigure], width: float, height: float) -> Figure:
    """Panels at their places as one picture."""

    def paint(painter: QPainter) -> None:
        for one in placed:
            with painter_moved(painter, one.x, one.y):
                one.figure.paint(painter)

    tops = sorted({one.y for one in placed})
    breaks = tuple(top for top in tops if all(_is_free(one, top) for one in placed))
    return Figure(width, height, paint, breaks)


def _is_free(placed: PlacedFigure, y: float) -> bool:
    """Whether a line across the figure misses it."""
    return placed.y >= y or placed.y + placed.figure.height <= y


def _runs(
    panels: Sequence[Sequence[Block]], narrow: float, width: float, theme: Theme
) -> Iterator[tuple[bool, list[Figure]]]:
    """Panels that go into columns, and between them those that need the whole width."""
    run: list[Figure] = []
    for panel in panels:
        small, wide = (below_each_other(panel, one, theme) for one in (narrow, width))
        higher = small.height > MOST_HIGHER * wide.height
        if higher or not words_of(wide) <= words_of(small):
            if run:
                yield len(run) > 1, run
            yield False, [wide]
            run = []
        else:
            run.append(small)
    if run:
        yield len(run) > 1, run


def _balanced(figures: Sequence[Figure], count: int) -> list[list[Figure]]:
    """Figures in columns, in reading order; the highest column is as low as can be."""
    low, high = max(one.height for one in figures), sum(one.height + GAP for one in figures)
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_filled(figures, middle)) <= count else (middle, high)
    return _filled(figures, high)


def _filled(figures: Sequence[Figure], height: float) -> list[list[Figure]]:
    """Figures in columns that are so high at most, each as full as can be."""
    columns: list[list[Figure]] = [[]]
    for one in figures:
        if columns[-1] and sum(f.height + GAP for f in columns[-1]) + one.height > height:
            columns.append([])
        columns[-1].append(one)
    return columns
