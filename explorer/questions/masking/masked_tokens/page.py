"""What the model expects at every mask: how masks were predicted, then what is predicted."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard, Table
from explorer.document import Document
from explorer.questions.masking.masked_tokens.question import (
    LANGUAGES,
    OPERATION,
    MaskedTokensResult,
    parts,
)
from explorer.text import N_, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.parts.page import part_blocks
from explorer.ui.parts.pinned_masks import pinned_masks, pinned_table, with_divergences
from explorer.ui.sentence import pieces as of

INDEPENDENT = N_("Each mask is predicted independently of the others.")
OF_ONE_WORD = N_(" Some are pieces of one word: Joint decoding puts whole words there.")


def blocks(shown: Shown) -> Iterator[Block]:
    """What must be known first, then cards in as many columns as the width holds."""
    result: MaskedTokensResult = shown.result
    if shown.alone:
        yield Tokens(result.tokens, shown.asked, tail=of.tail_note(result.left_out, shown.asked))
    if independent := independence_said(result):
        yield note(independent, above=Space.APART)
    yield from part_blocks(OPERATION, shown)


def independence_said(result: MaskedTokensResult) -> str:
    """How masks were predicted beside each other, or how the model saw the text; "" for neither."""
    if result.note:
        return said(result.note)
    if len(result.masks) < 2:
        return ""
    return _(INDEPENDENT) + (_(OF_ONE_WORD) if _parts_of_one_word(result) else "")


def _parts_of_one_word(result: MaskedTokensResult) -> bool:
    """Whether masks stand side by side in a word."""
    tokens = result.tokens
    return any(
        tokens[mask.position].joined and tokens[mask.position - 1].masked
        for mask in result.masks
        if mask.position
    )


def table(shown: Shown) -> Table:
    """The predictions; with a pinned answer, how far belief moved as a whole."""
    (part,) = parts(shown.result)
    if shown.pinned is None:
        return part.table()
    return with_divergences(part, pinned_masks(part, shown.asked, shown.pinned))


def table_before(shown: Shown) -> Table:
    """What the pinned answer says of the words that are shown."""
    (part,) = parts(shown.result)
    return pinned_table(part, pinned_masks(part, shown.asked, shown.pinned))


def offers(_now: Document, _shown: Shown | None, card: ModelCard | None) -> Mapping[str, Offer]:
    """Languages, where the model is told any."""
    return {LANGUAGES.key: Offer(there=card is not None and bool(card.languages))}


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    table=table,
    pinned_table=table_before,
    offers=offers,
)
