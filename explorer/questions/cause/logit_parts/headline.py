"""What to look at first: the part that wrote most of the difference."""

from typing import Any

from explorer.api.question import Headline, beyond
from explorer.questions.cause.logit_parts.question import OPENED, LogitPartsResult, strongest
from explorer.questions.cause.logit_parts.wording import nats, part_said
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.pieces import visible

SMALL = 0.2
"""Of the difference, what no part stands out by."""
LEAST = 0.1
"""Nats of difference between two words that are about as probable: 10 per cent."""
AHEAD = 1.25
"""Times the next part, below which it is a matter of chance which of them is the first."""
MOST = 1.0
"""Of the difference: one part that is all of it."""


def headline(result: LogitPartsResult, **_settings: Any) -> Headline:
    """The head or feed-forward part that adds most in the direction of the difference."""
    sign = 1.0 if result.difference > 0 else -1.0
    ahead = [one for one in result.parts if one.value * sign > 0]
    part = strongest(ahead)
    if part is None or abs(result.difference) < LEAST:
        return Headline()
    next_one = strongest([one for one in ahead if one is not part])
    if next_one is not None and abs(part.value) < AHEAD * abs(next_one.value):
        return Headline()
    share = part.value / result.difference
    if share < SMALL:
        return Headline()
    first, second = map(visible, result.words)
    sentence = Phrase(
        N_("{part} wrote most of “{first}” against “{second}”: {value} of {difference} nats."),
        part=part_said(part),
        first=first,
        second=second,
        value=nats(part.value),
        difference=with_minus(result.difference, 2),
    )
    points_at = {OPENED.key: part.name}
    return Headline(sentence, result.position, points_at, beyond(share, SMALL, MOST))
