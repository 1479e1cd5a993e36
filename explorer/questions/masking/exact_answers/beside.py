"""The exact answer beside a model's, on whichever page shows one: a switch, and what it draws."""

from collections.abc import Iterator, Sequence

from explorer.api import Failure, ModelStamp
from explorer.questions.masking.exact_answers.question import (
    BESIDE,
    ExactAnswersRequest,
    ExactAnswersResult,
    ExactPlace,
    outside_said,
)
from explorer.text import _
from explorer.text.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Detail, Shown
from explorer.ui.blocks.tables.pairs import Pair, pairs
from explorer.ui.blocks.text import note

LANE = "exact answers"
WORST = 2
"""Words on which the model is most wrong, that are named."""


def wanted(
    shown: Shown, *, every: bool = False, model: ModelStamp | None = None
) -> Sequence[Detail]:
    """The exact answers about what was asked, where the switch is on.

    Args:
        shown: The page's.
        every: About every token, each hidden alone.
        model: Who predicts; None for the answer's `model`.
    """
    if not BESIDE.of(shown.now):
        return ()
    asked = shown.asked
    masks = () if every else asked.masks
    request = ExactAnswersRequest(asked.text, asked.pair, masks, every)
    return (Detail(request, model or shown.result.model, LANE),)


def exact_of(shown: Shown) -> ExactAnswersResult | Failure | None:
    """What came of it; None where it is not wanted, or under way."""
    found = [shown.details.get(one) for one in shown.complete if one.lane == LANE]
    return found[0] if found else None


def exact_said(shown: Shown) -> Iterator[Block]:
    """Why there is no exact answer, or that the text was read as a beginning; else nothing."""
    found = exact_of(shown)
    if isinstance(found, Failure):
        yield note(found.message, above=4)
    elif found is not None and not found.places:
        yield note(outside_said(found), above=4)
    elif found is not None:
        yield note(
            _(
                "The model is {divergence} nats from the exact answers (KL), which hold {floor}.",
                divergence=decimal(found.divergence, 3),
                floor=decimal(found.floor, 3),
            ),
            above=4,
        )


def exact_at(shown: Shown, position: int) -> ExactPlace | None:
    """The exact answer at a place, where it is known and wanted."""
    found = exact_of(shown)
    return found.at(position) if isinstance(found, ExactAnswersResult) else None


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
            number,
            one.model,
            one.rank,
            _("original") if one.is_original else "",
        )
        for number, one in enumerate(place.words, start=1)
    ]


def divergence_said(place: ExactPlace) -> str:
    """How far the model is from the exact answer at a place."""
    return _(
        "KL(exact ‖ model) {divergence} nats; the exact answer holds {entropy} nats.",
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
    return _("Most wrong, exact → model: {words}.", words=words)
