"""A matrix of words on paper, where nobody can point at one that is cut: every word is whole."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from explorer.ui.blocks.block import Block, PlacedBlock
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.spacing import Space
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import left_of
from explorer.ui.typesetting.one_line import text_width

AROUND = 7.0
"""Pixels beside a word in its cell."""


@dataclass(frozen=True)
class WholeWords:
    """As many columns beside each other as leave every word whole, and the others below them.

    Attributes:
        matrix: What is shown; its cells have words.
        size: Of its cells.
        above: The room above it.
    """

    matrix: Matrix
    size: CellSize
    above: Space

    def at(self, width: float) -> PlacedBlock:
        """In as few rows of columns as there is room for."""
        content = self.matrix.content
        rows, columns = content.values.shape
        words = content.texts or (lambda _row, _column: "")
        every = (words(row, column) for row in range(rows) for column in range(columns))
        needs = max((text_width("small", word) for word in every), default=0.0) + AROUND
        room = width - left_of(content, width) - 1
        most = max(1, int(room // needs))
        if most >= columns:
            return MatrixBlock(self.matrix, self.size, self.above).at(width)
        parts = math.ceil(columns / most)
        each = math.ceil(columns / parts)
        # All cells are equally wide, though the last row has fewer.
        size = replace(self.size, widest=min(max(self.size.widest, needs), room / each))
        blocks: list[Block] = [
            MatrixBlock(_columns(self.matrix, first, min(first + each, columns)), size)
            for first in range(0, columns, each)
        ]
        return Columns((Card(blocks),), framed=False).at(width)


def _columns(matrix: Matrix, first: int, end: int) -> Matrix:
    """Some columns of a matrix; its title stands above the first, its colour bar below the last."""
    content = matrix.content
    part = replace(
        content,
        values=content.values[:, first:end],
        columns=content.columns[first:end],
        blocked=None if content.blocked is None else content.blocked[:, first:end],
        texts=_shifted(content.texts, first),
        said=_shifted(content.said, first),
        marks=tuple(
            replace(one, column=one.column - first)
            for one in content.marks
            if first <= one.column < end
        ),
        with_bar=content.with_bar and end == len(content.columns),
    )
    return Matrix(part, "" if first else matrix.title)


def _shifted(
    words: Callable[[int, int], str] | None, first: int
) -> Callable[[int, int], str] | None:
    if words is None:
        return None
    return lambda row, column: words(row, column + first)
