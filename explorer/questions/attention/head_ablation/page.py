"""Heads switched off by a click, and what the model still predicts."""

from collections.abc import Iterator

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.attention.head_ablation.grids import grid
from explorer.questions.attention.head_ablation.question import (
    EVERY,
    HEADS,
    OPERATION,
    HeadAblationResult,
)
from explorer.questions.attention.head_ablation.wording import said_of
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, hint, note
from explorer.ui.matrices.heads.cells import WIDEST, heads_block
from explorer.ui.parts.page import part_blocks

SMALL = 20_000_000
"""Parameters up to which a model's heads are measured without the Run button."""
LEAST, MOST, BESIDE = 240.0, 560.0, 600.0
"""Shares of the width: of the heads, by how many there are in a layer, and of the predictions."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Layers x heads to be clicked, and the predictions before and after beside them."""
    result: HeadAblationResult = shown.result
    yield Text(said_of(result), "strong")
    yield hint(
        _(
            "Click a head to switch it off, and again to switch it on; a layer's number takes "
            "all its heads. A head that is off adds nothing to what its layer hands on."
        ),
        above=Space.TIGHT,
    )
    most = max(heads for _kind, _layers, heads in result.stacks)
    share = min(max(LEAST, most * WIDEST + 50), MOST)
    yield Columns(
        [Card(list(_heads(shown))), Card(list(part_blocks(OPERATION, shown)))],
        framed=False,
        shares=(share, BESIDE),
    )


def _heads(shown: Shown) -> Iterator[Block]:
    """A grid for each stack, what their colours mean, and a button that brings all heads back."""
    result: HeadAblationResult = shown.result
    effects = {one.kind: one for one in result.effects} if shown.value(EVERY) else {}
    for stack in result.stacks:
        yield heads_block(grid(shown, stack, effects))
    if effects and result.changes.masks:
        yield note(
            _(
                "Each cell is one head switched off alone: how the logarithm of the hidden word's "
                "probability changes (in nats; the mean over the masks; where nothing is hidden, "
                "of the word that was most probable). Blue: without the head the word is less "
                "probable."
            )
        )
    elif effects:
        yield note(
            _(
                "Each cell is one head switched off alone: how far the probabilities that tokens "
                "were replaced move, the mean over all tokens."
            )
        )
    if HEADS.of(shown.now):
        on = shown.setting(HEADS, (), _("switch all heads on"))
        words = _("Switch every head on again")
        yield Chips([Chip(_("All on"), on, tip=words, key=("all", "on"))])


def waits(document: Document, card: ModelCard, shown: Shown | None) -> bool:
    """A large model's heads are measured when the user says so; once a text is enough."""
    if not EVERY.of(document) or card.parameters <= SMALL:
        return False
    if shown is None or not shown.result.effects or shown.result.model != card.stamp:
        return True
    one = shown.asked
    return (one.text, one.pair, one.masks) != (document.text, document.pair, document.masks)


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=(
        N_(
            "Every head is switched off once, alone, which takes this model a while. Press Run to "
            "see what each of them does."
        )
    ),
)
