"""Two models side by side; how like their layers are is a picture."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.questions.architecture.compare_architectures.question import OPERATION
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.parts.page import page_of_parts

SIZE = CellSize(10.0, 64.0, 0.625, 6.0, 40.0)


def cosines(shown: Shown) -> Iterator[Block]:
    """The cosines of layers as colours, with numbers."""
    values: np.ndarray[Any, Any] = shown.result.ancestry.cosines

    def said(row: int, column: int) -> str:
        return _(
            "Layer {row} of the first, layer {column} of the second: {value}",
            row=row,
            column=column,
            value=number(float(values[row, column])),
        )

    content = HeatContent(
        values,
        tuple(map(str, range(values.shape[0]))),
        tuple(map(str, range(values.shape[1]))),
        Scale(),
        row_title=_("layer of the first"),
        column_title=_("layer of the second"),
        said=said,
    )
    yield MatrixBlock(Matrix(content), SIZE)


PAGE = page_of_parts(OPERATION, {"cosines": cosines})
