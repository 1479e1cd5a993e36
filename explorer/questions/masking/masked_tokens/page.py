"""What the model expects at every mask: a card each, with its predictions as bars."""

import math
from collections.abc import Callable, Iterator, Mapping

from explorer.api import ModelCard, Prediction, Table
from explorer.document import Document, places_of
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
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import explain
from explorer.text.pieces import word_or_piece
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.parts.word_table import predictions_table, rows_of
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
    yield Beside()
    pins = pinned_masks(result, shown.asked, shown.pinned)
    both = list(zip(result.masks, pins, strict=True))
    rows = [
        rows_of(mask.predictions, mask.original, mask.position, _put(shown, mask), before_of(pin))
        for mask, pin in both
    ]
    every = [row for some in rows for row in some]
    yield Columns(
        [
            Card(
                [
                    *_about(shown, mask, pin),
                    predictions_table(some, mask.position, every),
                    Beside(mask.position),
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
    if about := about_original(mask):
        yield note(about, above=Space.TIGHT, words=f"{explain('original')}\n{explain('rank')}")
    if pin is not None:
        explained = f"{explain('KL divergence')}\n{explain('total variation')}"
        yield note(pin.said(), above=Space.TIGHT, words=explained)


def _put(shown: Shown, mask: MaskPredictions) -> Callable[[Prediction], Edit]:
    """What puts a prediction into its mask."""
    (place,) = places_of(shown.result.tokens, [mask.position])
    return lambda prediction: put_words(shown.asked, (place, prediction.word))


def perplexity(entropy: float) -> float:
    """The entropy (nats) as a number of equally likely words: e to the power of it."""
    return math.exp(entropy)


def unsureness(mask: MaskPredictions) -> str:
    """The entropy in nats, and what it means."""
    among = perplexity(mask.entropy)
    count = f"{among:,.1f}" if among < 99.95 else f"{among:,.0f}"
    return _(
        "Entropy {entropy} nats: as unsure as among {count} equally likely words",
        entropy=decimal(mask.entropy, 2),
        count=count,
    )


def about_original(mask: MaskPredictions) -> str:
    """Where the hidden word stands; "" for a mask that was typed."""
    original = mask.original
    if original is None:
        return ""
    word = word_or_piece(original)
    return _(
        "Original “{word}”: rank {rank}, probability {in_digits}",
        word=word,
        rank=original.rank,
        in_digits=in_digits(original.probability),
    )


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
