"""Predictions at masks: a card each, with its words as bars, and what is known of the mask."""

import math
from collections.abc import Callable, Iterator

from explorer.api import MaskPredictions, Prediction
from explorer.api.question.parts.predictions import Predictions
from explorer.document import places_of
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import explain
from explorer.text.pieces import word_or_piece
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_masks import PinnedMask, before_of, pinned_masks
from explorer.ui.parts.word_table import predictions_table, rows_of


def blocks(part: Predictions, looking: Looking) -> Iterator[Block]:
    """The exact answer of all masks, then cards in as many columns as the width holds."""
    shown = looking.shown
    yield Beside()
    pins = pinned_masks(part, shown.asked, shown.pinned)
    both = list(zip(part.masks, pins, strict=True))
    rows = [
        rows_of(
            mask.predictions, mask.original, mask.position, _put(part, shown, mask), before_of(pin)
        )
        for mask, pin in both
    ]
    every = [row for some in rows for row in some]
    yield Columns(
        [
            Card(
                [
                    *_about(part, shown, mask, pin),
                    predictions_table(some, mask.position, every),
                    Beside(mask.position),
                ],
                _("Mask at position {position}", position=mask.position),
                mask.position,
            )
            for (mask, pin), some in zip(both, rows, strict=True)
        ]
    )


def _about(
    part: Predictions, shown: Shown, mask: MaskPredictions, pin: PinnedMask | None
) -> Iterator[Block]:
    """A mask's words around it, how unsure the model is, and what was hidden."""
    yield ContextLine(context_of(part.tokens, mask.position, shown.asked))
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


def _put(part: Predictions, shown: Shown, mask: MaskPredictions) -> Callable[[Prediction], Edit]:
    """What puts a prediction into its mask."""
    (place,) = places_of(part.tokens, [mask.position])
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
