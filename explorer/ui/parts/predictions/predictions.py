"""Predictions at masks: a card each, with its words as bars, and what is known of the mask."""

import math
from collections.abc import Callable, Iterator
from itertools import groupby

from explorer.api.question import MaskPredictions, Prediction, Predictions, Table
from explorer.document import places_of
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import explain
from explorer.text.pieces import word_or_piece
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, note
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_parts
from explorer.ui.parts.predictions.pinned_masks import (
    PinnedMask,
    before_of,
    pinned_masks,
    rows_before,
    with_divergences,
)
from explorer.ui.parts.predictions.word_table import predictions_table, rows_of


def blocks(part: Predictions, looking: Looking) -> Iterator[Block]:
    """The exact answer of all masks, then cards in as many columns as the width holds."""
    shown = looking.shown
    yield Beside()
    pins = pins_of(part, looking)
    both = list(zip(part.masks, pins, strict=True))
    rows = [
        rows_of(
            mask.predictions, mask.original, mask.position, _put(part, shown, mask), before_of(pin)
        )
        for mask, pin in both
    ]
    every = [row for some in rows for row in some]
    cards = []
    for number, ((mask, pin), some) in enumerate(zip(both, rows, strict=True)):
        title = _("Mask at position {position}", position=mask.position)
        about = _about(part, shown, mask, pin)
        if part.versions:
            title, about = _version(part, number), _of_version(part, number, pin)
        table = predictions_table(some, mask.position, every)
        cards.append(Card([*about, table, Beside(mask.position)], title, mask.position))
    if not part.versions:
        if cards:
            yield Columns(cards, CardWidth.MEDIUM)
        return
    # The versions of a mask stand beside each other, and those of the next one below them.
    for _position, row in groupby(cards, lambda card: card.anchor):
        yield Columns(list(row), CardWidth.NARROW)


def table(part: Predictions, looking: Looking) -> Table:
    """Its rows, with how far belief moved since a pinned answer, where there is one."""
    if looking.shown.pinned is None:
        return part.table()
    return with_divergences(part, pins_of(part, looking))


def pinned_table(part: Predictions, looking: Looking) -> Table:
    """What the pinned answer says of the words that are shown now."""
    return rows_before(pins_of(part, looking))


def pins_of(part: Predictions, looking: Looking) -> tuple[PinnedMask | None, ...]:
    """For every mask, the one at the same place of the text in the pinned answer.

    Args:
        part: Predictions at masks.
        looking: What the part's blocks are made with.
    """
    baseline = looking.shown.pinned
    then = next(iter(pinned_parts(Predictions, looking)), None)
    if baseline is None or then is None:
        return (None,) * len(part.masks)
    return pinned_masks(part, then, looking.shown.asked, baseline.document)


def _version(part: Predictions, number: int) -> str:
    return said(part.versions[number][1])


def _of_version(part: Predictions, number: int, pin: PinnedMask | None) -> Iterator[Block]:
    """Which version of the text a mask is in, and how far it is from the pinned answer's."""
    yield Text(_version(part, number), "strong")
    if len({mask.position for mask in part.masks}) > 1:
        yield note(_("Mask at position {position}", position=part.masks[number].position))
    if pin is not None:
        yield _moved(pin)


def _moved(pin: PinnedMask) -> Block:
    explained = f"{explain('KL divergence')}\n{explain('total variation')}"
    return note(pin.said(), above=Space.TIGHT, words=explained)


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
        yield _moved(pin)


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
