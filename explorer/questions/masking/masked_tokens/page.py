"""What the model expects at every mask: a card each, with its predictions as bars."""

from collections.abc import Callable, Iterator, Mapping

from explorer.api import ModelCard, Prediction, Table
from explorer.document import Document, places_of
from explorer.questions.masking.exact_answers.beside import (
    exact_at,
    exact_blocks,
    exact_said,
)
from explorer.questions.masking.mask_card_text import (
    about_original,
    context_of,
    independence_said,
    unsureness,
)
from explorer.questions.masking.masked_tokens.mask_context import ContextLine
from explorer.questions.masking.masked_tokens.predictions import predictions_table
from explorer.questions.masking.masked_tokens.question import (
    LANGUAGES,
    OPERATION,
    MaskedTokensResult,
    MaskPredictions,
)
from explorer.questions.masking.pinned_masks import (
    PinnedMask,
    before_of,
    pinned_masks,
    pinned_table,
    with_divergences,
)
from explorer.questions.masking.word_rows import rows_of
from explorer.text import _
from explorer.text.glossary import explain
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.sentence import pieces as of


def blocks(shown: Shown) -> Iterator[Block]:
    """What must be known first, then cards in as many columns as the width holds."""
    result: MaskedTokensResult = shown.result
    if shown.alone:
        yield Tokens(result.tokens, shown.asked, tail=of.tail_note(result.left_out, shown.asked))
    said = independence_said(result)
    if said:
        yield note(said, above=Space.APART)
    yield from exact_said(shown)
    pins = pinned_masks(result, shown.asked, shown.pinned)
    both = list(zip(result.masks, pins, strict=True))
    rows = [rows_of(mask.predictions, mask.original, before_of(pin)) for mask, pin in both]
    every = [row for some in rows for row in some]
    yield Columns(
        [
            Card(
                [
                    *_about(shown, mask, pin),
                    predictions_table(some, mask.position, _put(shown, mask), every),
                    *_exact(shown, mask.position),
                ],
                _("Mask at position {position}", position=mask.position),
                mask.position,
            )
            for (mask, pin), some in zip(both, rows, strict=True)
        ]
    )


def _about(shown: Shown, mask: MaskPredictions, pin: PinnedMask | None) -> Iterator[Block]:
    """A mask's words around it, how unsure the model is, and what was hidden."""
    yield ContextLine(context_of(shown.result.tokens, mask.position, shown.asked))
    explained = _(
        "{explain}\n{explain_2}\nCounted over the whole vocabulary.",
        explain=explain("entropy"),
        explain_2=explain("perplexity"),
    )
    yield note(unsureness(mask), words=explained)
    about = about_original(mask)
    if about:
        yield note(about, above=Space.TIGHT, words=f"{explain('original')}\n{explain('rank')}")
    if pin is not None:
        explained = f"{explain('KL divergence')}\n{explain('total variation')}"
        yield note(pin.said(), above=Space.TIGHT, words=explained)


def _exact(shown: Shown, position: int) -> Iterator[Block]:
    """The exact answer beside it, where it is known and wanted."""
    place = exact_at(shown, position)
    if place is not None:
        yield from exact_blocks(place)


def _put(shown: Shown, mask: MaskPredictions) -> Callable[[Prediction], Edit]:
    """What puts a prediction into its mask."""
    (place,) = places_of(shown.result.tokens, [mask.position])
    return lambda prediction: put_words(shown.asked, (place, prediction.word))


def table(shown: Shown) -> Table:
    """The predictions; with a pinned answer, how far belief moved as a whole."""
    result: MaskedTokensResult = shown.result
    if shown.pinned is None:
        return OPERATION.table(result)
    return with_divergences(result, pinned_masks(result, shown.asked, shown.pinned))


def table_before(shown: Shown) -> Table:
    """What the pinned answer says of the words that are shown."""
    result: MaskedTokensResult = shown.result
    return pinned_table(result, pinned_masks(result, shown.asked, shown.pinned))


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
