"""What to look at first: the run that had learnt half of what it came to earliest."""

from collections.abc import Iterator

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.learning.curves.half_way import half_way
from explorer.learning.curves.names import OBJECTIVES, MeasuredQuantity
from explorer.learning.curves.record import MeasuredColumn, TrainingRecord
from explorer.questions.learning.training_curves.question import TrainingCurvesResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.phrase import NOTHING

LATE = 0.2
"""The share of a run after which half of the way is no surprise: what falls evenly is half way in
the middle."""
EARLY = N_(
    "{title} is halfway in “{of}” by step {step} of {steps}: its loss falls from {first} to "
    "{loss}, and ends at {last}."
)


def headline(result: TrainingCurvesResult, **_looked_at: object) -> Headline:
    """The loss that fell to half of its way earliest, as a share of its run."""
    found = [(place / len(one.steps), place, record, one) for record, one, place in _losses(result)]
    if not found:
        return Headline(NOTHING)
    share, place, record, one = min(found, key=lambda each: each[0])
    if share > LATE:
        return Headline()
    sentence = Phrase(
        EARLY,
        title=record.title,
        of=Phrase(OBJECTIVES[one.column.objective]),
        step=round(one.steps[place]),
        steps=round(one.steps[-1]),
        first=decimal(float(one.values[0]), 2),
        loss=decimal(float(one.values[place]), 2),
        last=decimal(float(one.values[-1]), 2),
    )
    return Headline(sentence, strength=beyond(1.0 - share, 1.0 - LATE, 1.0))


def _losses(result: TrainingCurvesResult) -> Iterator[tuple[TrainingRecord, MeasuredColumn, int]]:
    for record in result.records:
        for one in record.columns:
            kind = one.column
            if kind.quantity is MeasuredQuantity.LOSS and kind.objective and not kind.held_out:
                place = half_way(one.steps, one.values)
                if place is not None and one.values[-1] < one.values[0]:
                    yield record, one, place
