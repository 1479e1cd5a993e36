"""Where a model looks from one text to the other, and what it takes for what in a file."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.pairs.sentence_pair.pooling import Confusion
from explorer.questions.pairs.sentence_pair.question import Judgement
from explorer.text import _
from explorer.text.formatting.numbers import percent, whole
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, of_tokens

SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=15, highest=28)
COUNTS = CellSize(narrowest=40, widest=90, share=0.5, lowest=24, highest=40)
TALLEST = 480.0


def between(shown: Shown, one: Judgement) -> Block:
    """The first text's tokens in the rows, the second's in the columns."""
    assert one.between is not None
    values = one.between
    pieces = of_tokens(one.tokens, shown.asked)
    first, second = (
        tuple(
            piece.text
            for piece, token in zip(pieces, one.tokens, strict=True)
            if not token.special and token.part == part
        )
        for part in (0, 1)
    )

    def words(row: int, column: int) -> str:
        return _(
            "“{first}” and “{second}”: {weight}",
            first=first[row],
            second=second[column],
            weight=in_digits(float(values[row, column])),
        )

    content = HeatContent(
        values,
        first,
        second,
        Scale.from_zero(values),
        row_title=_("first text"),
        column_title=_("second text"),
        said=words,
        seams=True,
        from_right=from_right(one.tokens, shown.asked),
    )
    matrix = Matrix(content, key=lambda row, column: ("cell", one.model.id, row, column))
    return cells_or_map(matrix, SIZE, TALLEST)


def pooled(found: Confusion, shown: Shown) -> Iterator[Block]:  # noqa: ARG001 - as pages have it
    """How many pairs of a file are judged rightly, and what is taken for what."""
    share = percent(found.right / found.total, 1)
    yield Numbers(
        [
            Number(share, _("judged rightly"), _("Of the pairs whose class the file tells.")),
            Number(whole(found.total), _("pairs")),
        ]
    )
    values = np.array(
        [[found.counts.get((wanted, said), 0) for said in found.labels] for wanted in found.labels],
        dtype=np.float32,
    )
    content = HeatContent(
        values,
        found.labels,
        found.labels,
        Scale.from_zero(values),
        row_title=_("right"),
        column_title=_("said"),
        written=lambda value: whole(int(value)),
        seams=True,
    )
    yield MatrixBlock(Matrix(content, title=_("Which classes are taken for which")), COUNTS)
