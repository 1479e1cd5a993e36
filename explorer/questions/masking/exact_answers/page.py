"""Exact distributions and a model's, side by side."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.masking.exact_answers.beside import exact_blocks, exact_pairs, whole_blocks
from explorer.questions.masking.exact_answers.question import (
    EVERY,
    OPERATION,
    About,
    ExactAnswersResult,
    ExactPlace,
    answers_only,
)
from explorer.questions.masking.exact_answers.reliability import pooled
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.blocks.tokens import Tokens

ABOUT = N_(
    "The miniatures were trained on texts that a grammar writes, so the exact probability of every "
    "word is known: a sum over all texts of that world that agree with what is seen. No model can "
    "do better than these."
)
ASKED = {
    About.PAIR: N_("Do the texts belong together as they stand?"),
    About.ANSWER: N_("Where does the answer stand?"),
}
CARDS = 8
"""Places whose words are shown; those where the model is most wrong."""


def blocks(shown: Shown) -> Iterator[Block]:
    """How far the model is on the whole, then the places where it is most wrong."""
    result: ExactAnswersResult = shown.result
    yield note(_(ABOUT))
    if not result.places:
        yield warning(said(result.note))
        return
    if result.note:
        yield note(said(result.note))
    whole = [place for place in result.places if place.about is not About.WORDS]
    if whole:
        yield from _of_the_whole(shown, whole)
        return
    if result.from_left:
        yield note(_("Both go by what stands before a place: this model reads from the left."))
    yield heading(
        _(
            "The model is {divergence} nats from the exact answers",
            divergence=decimal(result.divergence, 3),
        )
    )
    yield note(
        _(
            "Its expected loss is {loss} nats per token; the least possible is {floor}, the "
            "entropy of the exact answers.",
            loss=decimal(result.divergence + result.floor, 3),
            floor=decimal(result.floor, 3),
        )
    )
    if len(result.places) > 1:
        notes = {place.position: decimal(place.divergence, 2) for place in result.places}
        yield Tokens(result.tokens, shown.asked, notes)
        yield note(_("Below each token: KL(exact ‖ model) in nats."))
    worst = sorted(result.places, key=lambda place: -place.divergence)[:CARDS]
    every = [pair for place in worst for pair in exact_pairs(place)]
    yield Columns(
        [
            Card(
                [
                    ContextLine(context_of(result.tokens, place.position, shown.asked)),
                    *exact_blocks(place, every),
                ],
                _("Place {position}", position=place.position),
                place.position,
            )
            for place in sorted(worst, key=_position)
        ]
    )


def _of_the_whole(shown: Shown, places: list[ExactPlace]) -> Iterator[Block]:
    """What is said of both texts together, or where an answer stands."""
    text, pair = shown.asked.text, shown.asked.pair
    if shown.alone and pair:
        yield note(_("“{text}” and “{pair}”", text=text, pair=pair))
    for place in places:
        step = place.position - len(shown.result.tokens) + 1
        asked = ASKED.get(place.about)
        yield heading(_("Step {step}", step=step) if asked is None else _(asked))
        yield from whole_blocks(place)


def _position(place: ExactPlace) -> int:
    return place.position


def offers(
    _document: Document, _shown: Shown | None, card: ModelCard | None
) -> Mapping[str, Offer]:
    """A model that only finds answers predicts no token."""
    return {EVERY.key: Offer(there=False)} if card is not None and answers_only(card) else {}


PAGE = Page(OPERATION, blocks, pooled=pooled, offers=offers)
"""Exact answers: `ExactAnswersRequest`'s answer."""
