"""The exact answer beside an answer: what came of it, where a page shows one."""

from collections.abc import Iterator

from explorer.api.question import Failure
from explorer.exact_answers.answers import ExactAnswersResult, ExactPlace, outside_said
from explorer.exact_answers.asking import LANE
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import note


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


def exact_at(shown: Shown, position: int, lane: str = LANE) -> ExactPlace | None:
    """The exact answer at a place, where it is known and wanted."""
    found = exact_of(shown, lane)
    return found.at(position) if isinstance(found, ExactAnswersResult) else None
