"""What every layer would predict, as a grid of words and as curves over the layers."""

from collections.abc import Iterator

from explorer.questions.layers.lens_blocks import lens_blocks
from explorer.questions.layers.logit_lens.question import AT, OPERATION, SHOW
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note

ABOUT = N_(
    "Each row reads one layer's states with the model's own output head, as if the model ended "
    "there. The head was trained on the last layer only: what it reads further down is a lower "
    "bound of what those states hold."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The grid of words, then the curves of one place."""
    yield note(_(ABOUT))
    yield from lens_blocks(shown, shown.result, SHOW, AT)


PAGE = Page(OPERATION, blocks, follows=True)
"""The logit lens: `LogitLensRequest`'s answer."""
