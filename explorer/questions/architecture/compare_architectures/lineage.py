"""Whose layers came from whose, in words and as cosines."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.questions.architecture.compare_architectures.ancestry import Ancestry
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
)
from explorer.text import _, ngettext
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.text import Text, note
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale, number

SIZE = CellSize(10.0, 64.0, 0.625, 6.0, 40.0)


def lineage_blocks(result: CompareArchitecturesResult) -> Iterator[Block]:
    """What the weights tell, or why they tell nothing."""
    ancestry = result.ancestry
    if ancestry is None:
        yield note(
            _(
                "Only weights can tell: load one model as A and the other as B, and choose the "
                "loaded ones here."
            ),
        )
    elif ancestry.why_not:
        yield Text(_(ancestry.why_not))
    else:
        yield Text(lineage(result, ancestry))
        yield cosines(ancestry.cosines)
        yield note(
            _(
                "Cosine between the weights of a layer of the first (rows) and of the second "
                "(columns). Layers that were trained apart are near 0."
            ),
        )


def lineage(result: CompareArchitecturesResult, ancestry: Ancestry) -> str:
    """Which layers came from which, in a sentence."""
    first, second = result.titles
    known = [(i, j) for i, j in enumerate(ancestry.came_from) if j is not None]
    if not known:
        return _(
            "No layer of {first} is clearly like one of {second}: they were trained apart.",
            first=first,
            second=second,
        )
    pairs = ", ".join(_("{i} from {j}", i=i, j=j) for i, j in known)
    sentences = [
        _(
            "Layers of {first} that came from {second} or share an ancestor with it: {pairs}.",
            first=first,
            second=second,
            pairs=pairs,
        )
    ]
    rest = len(ancestry.came_from) - len(known)
    if rest:
        sentences.append(
            ngettext(
                "{count} other layer is like none of them.",
                "{count} other layers are like none of them.",
                rest,
            )
        )
    if ancestry.embedding is not None:
        sentences.append(
            _(
                "The piece embeddings' cosine is {embedding}.",
                embedding=decimal(ancestry.embedding, 3),
            )
        )
    return " ".join(sentences)


def cosines(values: "np.ndarray[Any, Any]") -> MatrixBlock:
    """The cosines as colours, with numbers."""
    rows = tuple(str(i) for i in range(values.shape[0]))
    columns = tuple(str(j) for j in range(values.shape[1]))

    def said(row: int, column: int) -> str:
        value = number(float(values[row, column]))
        return _(
            "Layer {row} of the first, layer {column} of the second: {value}",
            row=row,
            column=column,
            value=value,
        )

    content = HeatContent(
        values,
        rows,
        columns,
        Scale(),
        row_title=_("layer of the first"),
        column_title=_("layer of the second"),
        said=said,
    )
    return MatrixBlock(Matrix(content), SIZE)
