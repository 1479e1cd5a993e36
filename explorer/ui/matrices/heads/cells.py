"""Layers x heads as a grid whose cells can be clicked: a value each, and which ones are off."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explorer.text import _
from explorer.ui.blocks.spacing import Space
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import CellMark, HeatContent
from explorer.ui.matrices.scale import Scale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIDEST = 60.0
SIZE = CellSize(9.0, WIDEST, 0.6, 11.0, 28.0)


@dataclass(frozen=True)
class HeadGridContent:
    """What a grid shows.

    Attributes:
        name: First part of the keys of its cells: (name, "head", row, head), (name, "layer", row).
        title: Above it.
        rows: A label a layer.
        heads: In each layer.
        values: rows x heads; None for a grid without colours.
        scale: Which colour a value has.
        written: A value in a few characters, for the cells.
        marked: Row and head that is looked at, or None.
        off: Rows and heads that are switched off.
        words: What is said of a row and a head.
        about_row: What is said of a row; None where rows can't be chosen.
        act: What choosing a row and a head does, a gesture.
        row_act: What choosing a row does.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    heads: int
    words: Callable[[int, int], str]
    values: "NDArray[np.float32] | None" = None
    scale: Scale = field(default_factory=Scale)
    written: Callable[[float], str] = "{:.2f}".format
    marked: tuple[int, int] | None = None
    off: Collection[tuple[int, int]] = ()
    about_row: Callable[[int], str] | None = None
    act: Callable[[int, int], Any] = lambda _row, _head: None
    row_act: Callable[[int], Any] = lambda _row: None


def heads_block(heads: HeadGridContent, above: Space = Space.APART) -> MatrixBlock:
    """The grid with its title and colour bar."""
    import numpy as np

    empty = np.full((len(heads.rows), heads.heads), np.nan, np.float32)
    marks = [CellMark(*cell, "off") for cell in sorted(heads.off)]
    if heads.marked is not None:
        marks.append(CellMark(*heads.marked, "looked at"))
    content = HeatContent(
        empty if heads.values is None else heads.values,
        heads.rows,
        tuple(str(head) for head in range(heads.heads)),
        heads.scale,
        row_title=_("layer"),
        column_title=_("head"),
        written=heads.written,
        said=heads.words,
        marks=tuple(marks),
        seams=True,
        with_bar=heads.values is not None,
    )
    matrix = Matrix(
        content,
        heads.title,
        lambda row, head: (heads.name, "head", row, head),
        lambda row: (heads.name, "layer", row),
        heads.about_row,
        heads.act,
        heads.row_act,
    )
    return MatrixBlock(matrix, SIZE, above)
