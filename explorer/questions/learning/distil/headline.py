"""What to look at first: how far the student is from the exact answers, and its teacher."""

from explorer.api.question import Headline
from explorer.questions.learning.distil.question import DistilResult
from explorer.questions.learning.run_request import excess_fallen
from explorer.questions.learning.runs import MeasuredFrame
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

BESIDE = N_(
    "By step {step}, the student has {own} nats left to learn of the exact answers; its teacher "
    "has {teacher}."
)
ALONE = N_("By step {step}, the student’s excess loss has fallen from {first} to {own} nats.")


def headline(result: DistilResult, **_looked_at: object) -> Headline:
    """The student at the frame that is the model, else at the last, beside its teacher."""
    return excess_fallen(result.run, _fallen)


def _fallen(frame: MeasuredFrame, first: float, last: float) -> Phrase:
    told = {"step": frame.step, "own": decimal(last, 2)}
    if frame.teacher_excess is None:
        return Phrase(ALONE, first=decimal(first, 2), **told)
    return Phrase(BESIDE, teacher=decimal(frame.teacher_excess, 2), **told)
