"""What to look at first: a token at which another word becomes the likeliest."""

from typing import Any

from explorer.api.question import Headline, alone, beyond
from explorer.questions.distillation.numerical_precision.question import NumericalPrecisionResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.pieces import visible

NOTABLE = 0.01
"""Nats: a distribution that moves less is as good as the same."""


def headline(result: NumericalPrecisionResult, **_set: Any) -> Headline:
    """The flip with the largest divergence, else the token whose distribution moves most."""
    flipped = [one for one in result.places if one.is_flipped]
    worst = max(flipped or result.places, key=lambda one: one.divergence)
    if not flipped and worst.divergence < NOTABLE:
        return Headline()
    values = {
        "token": alone(result.tokens[worst.position]),
        "nats": significant(worst.divergence, 2),
    }
    if flipped:
        said = Phrase(
            N_("At “{token}” the likeliest word flips from “{first}” to “{now}” (KL {nats} nats)."),
            first=visible(worst.first),
            now=visible(worst.rounded_first),
            **values,
        )
    else:
        said = Phrase(N_("No word flips; “{token}” moves most, by {nats} nats of KL."), **values)
    return Headline(said, worst.position, strength=beyond(worst.divergence, NOTABLE))
