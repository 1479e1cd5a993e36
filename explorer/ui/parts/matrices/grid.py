"""Numbers of rows by columns: cells to be read, or a map of many."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.api.question import Grid
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import CellMark, HeatContent
from explorer.ui.matrices.map_block import MapBlock, cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import starts_at_right

SIZE = CellSize(narrowest=10, widest=88, share=0.5, lowest=14, highest=40)
OF_TOKENS = CellSize(narrowest=9, widest=64, share=0.5, lowest=15, highest=27)
SMALL = CellSize(narrowest=4, widest=40, share=0.5, lowest=12, highest=20)
TALLEST, TALLEST_SMALL = 620.0, 380.0
"""Pixels of a map."""


def blocks(part: Grid, looking: Looking) -> Iterator[Block]:
    """The cells with their title."""
    title, gesture, last = said(part.caption), part.gesture, len(part.rows.labels) - 1

    def own(row: int) -> int:
        return last - row if part.rises else row

    def act(row: int, column: int) -> Any:
        return None if gesture is None else looking.act(gesture(own(row), column))

    matrix = Matrix(
        _content(part, looking),
        title,
        key=lambda row, column: (part.name, own(row), column),
        act=act,
    )
    size = SMALL if part.small else OF_TOKENS if part.columns.tokens else SIZE
    block = cells_or_map(matrix, size, TALLEST_SMALL if part.small else TALLEST)
    if isinstance(block, MapBlock):
        yield Text(title, "strong", above=Space.APART)
    yield block


def _content(part: Grid, looking: Looking) -> HeatContent:
    last, step = len(part.rows.labels) - 1, -1 if part.rises else 1
    values, colours = part.values[::step], part.colours
    return HeatContent(
        values,
        tuple(map(said, part.rows.labels[::step])),
        tuple(map(said, part.columns.labels)),
        Scale(colours.high, colours.low, diverging=colours.diverging),
        blocked=~np.isfinite(values) if part.missing else None,
        blocked_words=said(part.missing),
        turns_columns=part.columns.turned,
        row_title=said(part.rows.title),
        column_title=said(part.columns.title),
        signed=colours.diverging,
        written=part.written,
        said=lambda row, column: part.said(last - row if part.rises else row, column),
        marks=tuple(
            CellMark(last - row if part.rises else row, column, "chosen")
            for row, column in sorted(part.framed)
        ),
        seams=True,
        with_bar=colours.with_bar,
        named=part.columns.named,
        from_right=bool(part.columns.tokens)
        and starts_at_right(part.columns.tokens, looking.shown.asked),
    )
