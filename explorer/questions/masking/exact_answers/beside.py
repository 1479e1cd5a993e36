"""The exact answer beside a model's, on whichever page shows one: a switch, and what it draws."""

import math
from collections.abc import Iterator, Sequence

from explorer.api import Detail, Failure
from explorer.questions.masking.exact_answers.question import (
    LANE,
    About,
    ExactAnswersResult,
    ExactPlace,
    ExactWord,
    outside_said,
)
from explorer.questions.masking.surprisal.question import PER_NAT, UNIT
from explorer.questions.pairs.sentence_pair.wording import CLASSES, OF_NEXT, OF_ORDER
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.pairs import Pair, pairs
from explorer.ui.blocks.text import heading, note
from explorer.ui.blocks.tokens import Tokens

NEXT = N_(
    "Exact of pairs as they were drawn for training: half go on as some text of the world does, "
    "and in the others the second text is what another one has from one of its sentences on."
)
ORDER = N_(
    "Exact of pairs as they were drawn for training: both parts of one text of the world, swapped "
    "in half of the pairs."
)
ANSWER = N_(
    "The model’s shares are those of every span and of no answer: the softmax of the start’s and "
    "the end’s scores together. Exact is what the text says, as it was drawn for training."
)
SHARES = {
    **dict.fromkeys(OF_NEXT, NEXT),
    **dict.fromkeys(OF_ORDER, ORDER),
    About.ANSWER: ANSWER,
}
"""What both sides are shares of, by what was asked or by a class of the head."""
WORST = 2
"""Words on which the model is most wrong, that are named."""
IMPOSSIBLE = {
    About.WORDS: N_("cannot stand here"),
    About.PAIR: N_("cannot be"),
    About.ANSWER: N_("not the answer"),
    About.NEXT: N_("cannot stand here"),
}
"""What is said in the place of an exact probability of 0."""


def laid_beside(
    shown: Shown, detail: Detail, position: int | None, *, has_places: bool
) -> Iterator[Block]:
    """What stands on the page of another question, as `Operation.drawn_beside` has it."""
    about, lane = detail.request.about, detail.lane
    if position is not None:
        place = exact_at(shown, position, lane)
        if place is not None and about is About.NEXT:
            yield heading(_("Exact answer"))
        yield from exact_blocks(place) if place is not None else ()
    elif about in (About.PAIR, About.ANSWER):
        yield from exact_whole(shown, lane)
    elif detail.request.every:
        yield from exact_surprisals(shown, lane)
    else:
        yield from exact_as_far(shown, lane) if has_places else exact_cards(shown, lane)


def exact_of(shown: Shown, lane: str = LANE) -> ExactAnswersResult | Failure | None:
    """What came of it; None where it is not wanted, or under way."""
    found = [shown.details.get(one) for one in shown.complete if one.lane == lane]
    return found[0] if found else None


def exact_said(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """How far the model is from it, or why there is no exact answer."""
    found = exact_of(shown, lane)
    if isinstance(found, Failure):
        yield note(found.message)
    elif found is not None and not found.places:
        yield note(said(outside_said(found)))
    elif found is not None:
        yield note(
            _(
                "{model} is {divergence} nats from the exact answers (KL), whose entropy is "
                "{floor}.",
                model=shown.title_of(found.model),
                divergence=decimal(found.divergence, 3),
                floor=decimal(found.floor, 3),
            ),
        )


def exact_as_far(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """The same of a text that may leave the world later on."""
    yield from exact_said(shown, lane)
    found = exact_of(shown, lane)
    if isinstance(found, ExactAnswersResult) and found.places and found.outside is not None:
        count = len(found.places)
        yield note(
            ngettext(
                "Exact is the first new token: behind it the miniatures’ world has no such text.",
                "Exact are the first {count} new tokens: behind them the miniatures’ world has no "
                "such text.",
                count,
            ),
        )


def exact_at(shown: Shown, position: int, lane: str = LANE) -> ExactPlace | None:
    """The exact answer at a place, where it is known and wanted."""
    found = exact_of(shown, lane)
    return found.at(position) if isinstance(found, ExactAnswersResult) else None


def exact_surprisals(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """The exact surprisal below every token that was hidden in its turn, and the sums of both."""
    found = exact_of(shown, lane)
    yield from exact_said(shown, lane)
    if not isinstance(found, ExactAnswersResult) or not found.places:
        return
    unit = shown.value(UNIT)
    exact, own = {}, 0.0
    for place in found.places:
        of_model = next((one.model for one in place.words if one.is_original), 0.0)
        if place.original and of_model:
            exact[place.position] = max(0.0, -math.log(place.original)) * PER_NAT[unit]
            own -= math.log(of_model) * PER_NAT[unit]
    notes = {position: decimal(value, 2) for position, value in exact.items()}
    yield Tokens(found.tokens, shown.asked, notes)
    yield note(
        _(
            "Below each token its exact surprisal in {unit}: {exact} together, where the model "
            "needs {own} for the same tokens.",
            unit=_(UNIT.entry(unit).title),
            exact=decimal(sum(exact.values()), 2),
            own=decimal(own, 2),
        )
    )


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


def exact_whole(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """The exact answer about a pair of texts, or to a question, below a model's."""
    found = exact_of(shown, lane)
    if found is None:
        return
    yield heading(_("Exact answer"))
    if isinstance(found, Failure):
        yield note(found.message)
        return
    if found.note:
        yield note(said(found.note))
    for place in found.places:
        yield from whole_blocks(place)


def whole_blocks(place: ExactPlace) -> Iterator[Block]:
    """Both answers about a pair of texts, or to a question, and what they are shares of."""
    yield from exact_blocks(place)
    asked = place.about if place.about is About.ANSWER else place.words[0].token
    if asked in SHARES:
        yield note(_(SHARES[asked]))


def exact_blocks(place: ExactPlace, among: Sequence[Pair] = ()) -> Iterator[Block]:
    """The divergence at a place, the words on which the model is most wrong, and both answers."""
    yield note(divergence_said(place), above=Space.TIGHT)
    yield note(worst_said(place), above=Space.TIGHT)
    yield pairs(exact_pairs(place), (_("exact"), _("model")), _("Exact and model"), among)


def exact_pairs(place: ExactPlace) -> list[Pair]:
    """The words of a place with both probabilities."""
    return [
        Pair(
            name_of(place, one),
            one.exact,
            one.exact_rank or None,
            one.model,
            one.rank,
            _tag(place) if one.is_original else "",
            first_said="" if one.exact else _(IMPOSSIBLE[place.about]),
        )
        for one in place.words
    ]


def _tag(place: ExactPlace) -> str:
    return _("chosen") if place.about is About.NEXT else _("original")


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
            word=name_of(place, one),
            exact=decimal(one.exact, 3),
            model=decimal(one.model, 3),
        )
        for one in place.worst[:WORST]
    )
    return _("Furthest off, exact → model: {words}.", words=words)


def name_of(place: ExactPlace, one: ExactWord) -> str:
    """A word, a class of pairs, or a span of the text."""
    if place.about is About.PAIR:
        return _(CLASSES.get(one.token, one.token))
    if place.about is About.ANSWER:
        return _("“{text}”", text=one.token) if one.token else _("no answer")
    return one.word or one.token
