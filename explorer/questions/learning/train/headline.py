"""What to look at first: what is left to learn."""

from explorer.api.question import Headline
from explorer.questions.learning.run_request import excess_fallen
from explorer.questions.learning.runs import MeasuredFrame
from explorer.questions.learning.train.question import TrainResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal


def headline(result: TrainResult, **_looked_at: object) -> Headline:
    """The excess loss at the first frame, and at the one that is the model, else the last."""
    return excess_fallen(result.run, _fallen)


def _fallen(frame: MeasuredFrame, first: float, last: float) -> Phrase:
    return Phrase(
        N_("By step {step}, the excess loss has fallen from {first} to {last} nats."),
        step=frame.step,
        first=decimal(first, 2),
        last=decimal(last, 2),
    )
