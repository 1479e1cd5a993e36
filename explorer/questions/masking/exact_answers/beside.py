"""The exact answer beside a model's, on whichever page shows one: a switch, and what it draws."""

import math
from collections.abc import Iterator, Sequence

from explorer.api.question import Compared, ComparedWord, Detail, Failure
from explorer.exact_answers.answers import ExactAnswersResult, ExactPlace
from explorer.exact_answers.asking import LANE, About, ExactAnswersRequest
from explorer.questions.masking.exact_answers.parts import SIDES, told_of
from explorer.questions.masking.surprises import PER_NAT, UNIT
from explorer.text import _, ngettext, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks import (
    Block,
    Card,
    Columns,
    ContextLine,
    Shown,
    Space,
    Text,
    Tokens,
    context_of,
    exact_at,
    exact_of,
    exact_said,
    heading,
    note,
    place_blocks,
)


def laid_beside(
    shown: Shown, detail: Detail, position: int | None, *, has_places: bool
) -> Iterator[Block]:
    """What stands on the page of another question, as `Question.drawn_beside` has it."""
    about, lane = detail.request.about, detail.lane
    if position is not None:
        yield from _at(shown, position, lane, about)
    elif about in (About.PAIR, About.ANSWER):
        yield from exact_whole(shown, lane)
    elif detail.request.every:
        yield from exact_surprisals(shown, lane)
    else:
        yield from exact_as_far(shown, lane) if has_places else exact_cards(shown, lane)


def _at(shown: Shown, position: int, lane: str, about: About) -> Iterator[Block]:
    """What stands beside the same place of the page, by the name of the model where of several."""
    place = exact_at(shown, position, lane)
    if place is None:
        return
    if about is About.NEXT:
        yield heading(_("Exact answer"))
    found = exact_of(shown, lane)
    of_exact = [one for one in shown.complete if isinstance(one.request, ExactAnswersRequest)]
    if len(of_exact) > 1 and isinstance(found, ExactAnswersResult):
        title = _("{model} and the exact answer", model=shown.title_of(found.model))
        yield Text(title, "strong", above=Space.SECTION)
    yield from _blocks(place)


def exact_as_far(shown: Shown, lane: str = LANE) -> Iterator[Block]:
    """The same of a text that may leave the world later on."""
    yield from exact_said(shown, lane)
    found = exact_of(shown, lane)
    if isinstance(found, ExactAnswersResult) and found.places and found.outside is not None:
        count = len(found.places)
        yield note(
            ngettext(
                "Exact is the first new token: after it the miniatures’ world has no such text.",
                "Exact are the first {count} new tokens: after them the miniatures’ world "
                "has no such text.",
                count,
            ),
        )


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
    every = [word for place in found.places for word in told_of(place).words]
    yield Columns(
        [
            Card(
                [
                    ContextLine(context_of(found.tokens, place.position, shown.asked)),
                    *_blocks(place, among=every),
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
    yield from _blocks(*found.places)


def _blocks(*places: ExactPlace, among: Sequence[ComparedWord] = ()) -> Iterator[Block]:
    """The divergence at places, the words on which the model is most wrong, and both answers."""
    told = tuple(map(told_of, places))
    yield from place_blocks(Compared(SIDES, (), told, among=tuple(among)))
