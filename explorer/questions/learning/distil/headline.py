"""What to look at first: how far the student is from the exact answers, and its teacher."""

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.questions.learning.distil.question import DistilResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.phrase import NOTHING

HALF = 0.5
"""The share of the excess loss that must be gone to stand out."""
BESIDE = N_(
    "By step {step}, the student has {own} nats left to learn of the exact answers; its teacher "
    "has {teacher}."
)
ALONE = N_("By step {step}, the student’s excess loss has fallen from {first} to {own} nats.")


def headline(result: DistilResult, **_looked_at: object) -> Headline:
    """The student at the frame that is the model, else at the last, beside its teacher."""
    run = result.run
    frames = [] if run is None else [one for one in run.frames if one.excess]
    if run is None or run.last is None or len(frames) < 2:
        return Headline(NOTHING)
    first, last = frames[0], run.last
    if first.excess is None or last.excess is None:
        return Headline(NOTHING)
    if last.excess > HALF * first.excess:
        return Headline()
    own, step = decimal(last.excess, 2), last.step
    if last.teacher_excess is None:
        sentence = Phrase(ALONE, step=step, first=decimal(first.excess, 2), own=own)
    else:
        sentence = Phrase(BESIDE, step=step, own=own, teacher=decimal(last.teacher_excess, 2))
    return Headline(sentence, strength=beyond(1 - last.excess / first.excess, HALF, 1.0))
