"""Where a model looks from one text to the other."""

from explorer.questions.pairs.sentence_pair.question import Judgement
from explorer.text import _
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, of_tokens

SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=15, highest=28)
TALLEST = 480.0


def between(shown: Shown, one: Judgement) -> Block:
    """The first text's tokens in the rows, the second's in the columns."""
    assert one.between is not None
    values = one.between
    pieces = of_tokens(one.tokens, shown.asked)
    first, second = (tuple(pieces[n].text for n in one.places(part)) for part in (0, 1))

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
