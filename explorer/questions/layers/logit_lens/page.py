"""What every layer would predict, as a grid of words and as curves over the layers."""

from collections.abc import Iterator

from explorer.questions.layers import grid as lens
from explorer.questions.layers.lens_blocks import curves, grid_block
from explorer.questions.layers.logit_lens.question import (
    AT,
    OPERATION,
    SHOW,
    LogitLensResult,
    column_of,
)
from explorer.questions.masking.exact_answers.beside import exact_at, exact_said, wanted
from explorer.text import N_, _
from explorer.text.numbers import percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note, warning
from explorer.ui.document.gestures import set_options

ABOUT = N_(
    "Each row reads one layer's states with the model's own output head, as if the model ended "
    "there. The head was trained on the last layer only: what it reads further down is a lower "
    "bound of what those states hold."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The grid of words, then the curves of one place."""
    result: LogitLensResult = shown.result
    yield from left_out(result.left_out)
    yield note(_(ABOUT))
    if result.missing:
        words = ", ".join(f"“{word}”" for word in result.missing)
        yield warning(_("No single piece of this model's vocabulary: {words}.", words=words))
    chosen = AT.of(shown.now)
    column = column_of(result, shown.selected if not chosen else chosen[0])
    yield grid_block(
        result.grid,
        result.tokens,
        shown.asked,
        shown.value(SHOW),
        column,
        lambda place: set_options(
            shown.now, {AT.key: AT.written((place,))}, _("choose a place of the lens")
        ),
    )
    yield note(agreement_said(result))
    place = exact_at(shown, result.grid.places[column])
    truth = [(one.word, one.exact) for one in place.words] if place is not None else []
    yield from exact_said(shown)
    yield from curves(result.grid, result.tokens, shown.asked, column, truth)


def agreement_said(result: LogitLensResult) -> str:
    """How many places have their final first word already one layer before."""
    shares = lens.agreement(result.grid)
    if len(shares) < 2:
        return ""
    return _(
        "One layer before the last, {share} of the places have the last layer's first word; at the "
        "embeddings, {start}.",
        share=percent(shares[-2]),
        start=percent(shares[0]),
    )


PAGE = Page(OPERATION, blocks, follows=True, wants=wanted)
"""The logit lens: `LogitLensRequest`'s answer."""
