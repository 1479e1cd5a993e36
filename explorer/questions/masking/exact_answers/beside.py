"""The exact answer beside a model's, on whichever page shows one: a switch, and what it draws."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from explorer.api import Detail, Failure, Operation
from explorer.questions.masking.exact_answers.question import (
    BESIDE,
    LANE,
    ExactAnswersResult,
    ExactPlace,
    outside_said,
)
from explorer.questions.masking.mask_card_text import context_of
from explorer.questions.masking.masked_tokens.mask_context import ContextLine
from explorer.text import _, said
from explorer.text.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.pairs import Pair, pairs
from explorer.ui.blocks.text import note

WORST = 2
"""Words on which the model is most wrong, that are named."""


def wanted(operation: Operation[Any, Any]) -> Callable[[Shown], Sequence[Detail]]:
    """What a question's page wants: the exact answers that it names, where the switch is on."""

    def wants(shown: Shown) -> Sequence[Detail]:
        if operation.beside is None or not BESIDE.of(shown.now):
            return ()
        return operation.beside(shown.result, shown.asked)

    return wants


def exact_of(shown: Shown, lane: str = LANE) -> ExactAnswersResult | Failure | None:
    """What came of it; None where it is not wanted, or under way."""
    found = [shown.details.get(one) for one in shown.complete if one.lane == lane]
    return found[0] if found else None


def exact_said(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """How far the model is from it, or why there is no exact answer."""
    found = exact_of(shown, lane)
    if isinstance(found, Failure):
        yield note(found.message, above=4)
    elif found is not None and not found.places:
        yield note(said(outside_said(found)), above=4)
    elif found is not None:
        yield note(
            _(
                "{model} is {divergence} nats from the exact answers (KL), whose entropy is "
                "{floor}.",
                model=shown.title_of(found.model),
                divergence=decimal(found.divergence, 3),
                floor=decimal(found.floor, 3),
            ),
            above=4,
        )


def exact_at(shown: Shown, position: int, lane: str = LANE) -> ExactPlace | None:
    """The exact answer at a place, where it is known and wanted."""
    found = exact_of(shown, lane)
    return found.at(position) if isinstance(found, ExactAnswersResult) else None


def exact_cards(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """The exact answer at every place that was asked about, a card each."""
    found = exact_of(shown, lane)
    yield from exact_said(shown, lane)
    if not isinstance(found, ExactAnswersResult) or not found.places:
        return
    every = [pair for place in found.places for pair in exact_pairs(place)]
    yield Columns(
        [
            Card(
                [
                    ContextLine(context_of(found.tokens, place.position, shown.asked)),
                    *exact_blocks(place, every),
                ],
                _("Exact answer at position {position}", position=place.position),
            )
            for place in found.places
        ]
    )


def exact_blocks(place: ExactPlace, among: Sequence[Pair] = ()) -> Iterator[Block]:
    """The divergence at a place, the words on which the model is most wrong, and both answers."""
    yield note(divergence_said(place), above=3)
    yield note(worst_said(place), above=3)
    yield pairs(exact_pairs(place), (_("exact"), _("model")), _("Exact and model"), among)


def exact_pairs(place: ExactPlace) -> list[Pair]:
    """The words of a place with both probabilities."""
    return [
        Pair(
            one.word or one.token,
            one.exact,
            one.exact_rank or None,
            one.model,
            one.rank,
            _("original") if one.is_original else "",
            first_said="" if one.exact else _("cannot stand here"),
        )
        for one in place.words
    ]


def divergence_said(place: ExactPlace) -> str:
    """How far the model is from the exact answer at a place."""
    return _(
        "KL(exact ‖ model) {divergence} nats; the exact answer's entropy is {entropy} nats.",
        divergence=decimal(place.divergence, 3),
        entropy=decimal(place.entropy, 3),
    )


def worst_said(place: ExactPlace) -> str:
    """The words on which the model is most wrong."""
    words = ", ".join(
        _(
            "{word} {exact} → {model}",
            word=one.word or one.token,
            exact=decimal(one.exact, 3),
            model=decimal(one.model, 3),
        )
        for one in place.worst[:WORST]
    )
    return _("Furthest off, exact → model: {words}.", words=words)
