"""What the surprisal of each token is exactly worth in the miniatures' world."""

import math
from collections.abc import Iterator

from explorer.questions.masking.exact_answers.beside import exact_of, exact_said
from explorer.questions.masking.exact_answers.question import ExactAnswersResult
from explorer.questions.masking.surprisal.question import UNIT, SurprisalResult
from explorer.questions.masking.surprisal.strip import Unit
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens


def exact_surprisal(shown: Shown, unit: Unit) -> Iterator[Block]:
    """The exact surprisal below every token, and the sums of both."""
    result: SurprisalResult = shown.result
    found = exact_of(shown)
    yield from exact_said(shown)
    if not isinstance(found, ExactAnswersResult) or not found.places:
        return
    nats = {
        place.position: max(0.0, -math.log(place.original))
        for place in found.places
        if place.original is not None and place.original > 0.0
    }
    yield Tokens(
        result.tokens,
        shown.asked,
        {position: decimal(value * unit.per_nat, 2) for position, value in nats.items()},
    )
    both = [one for one in result.surprises if one.position in nats]
    exact = sum(nats[one.position] for one in both) * unit.per_nat
    own = sum(one.nats for one in both) * unit.per_nat
    yield note(
        _(
            "Below each token its exact surprisal in {unit}: {exact} together, where the model "
            "needs {own} for the same tokens.",
            unit=_(UNIT.entry(unit.name).title),
            exact=decimal(exact, 2),
            own=decimal(own, 2),
        ),
    )
