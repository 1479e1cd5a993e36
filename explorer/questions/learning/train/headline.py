"""What to look at first: what is left to learn."""

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.questions.learning.train.question import TrainResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.phrase import NOTHING

HALF = 0.5
"""The share of the excess loss that must be gone to stand out."""


def headline(result: TrainResult, **_looked_at: object) -> Headline:
    """The excess loss at the first frame, and at the one that is the model, else the last."""
    run = result.run
    frames = [] if run is None else [one for one in run.frames if one.excess]
    if run is None or run.last is None or len(frames) < 2:
        return Headline(NOTHING)
    first, last = frames[0], run.last
    if first.excess is None or last.excess is None:
        return Headline(NOTHING)
    if last.excess > HALF * first.excess:
        return Headline()
    sentence = Phrase(
        N_("By step {step}, the excess loss has fallen from {first} to {last} nats."),
        step=last.step,
        first=decimal(first.excess, 2),
        last=decimal(last.excess, 2),
    )
    return Headline(sentence, strength=beyond(1 - last.excess / first.excess, HALF, 1.0))
