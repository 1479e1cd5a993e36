"""One text through every tokenizer; more tokenizers, and what vocabularies share, are painted."""

from collections.abc import Iterator

from explorer.questions.tokenizers.side_by_side.more import more
from explorer.questions.tokenizers.side_by_side.question import OPERATION, SideBySideResult
from explorer.questions.tokenizers.side_by_side.wording import title_of
from explorer.text import N_
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale
from explorer.ui.parts.page import page_of_parts

SIZE = CellSize(narrowest=34, widest=96, share=0.3, lowest=20, highest=28)


def overlap(shown: Shown) -> Iterator[Block]:
    """Tokenizers against tokenizers."""
    result: SideBySideResult = shown.result
    names = tuple(map(title_of, result.cuttings))
    content = HeatContent(
        result.overlap,
        names,
        names,
        Scale(1.0, in_percent=True),
        written=percent,
        seams=True,
        with_bar=False,
    )
    yield MatrixBlock(Matrix(content), SIZE)


PAGE = page_of_parts(
    OPERATION,
    {"more": more, "overlap": overlap},
    table_name=N_("pieces"),
    knows_library=True,
)
