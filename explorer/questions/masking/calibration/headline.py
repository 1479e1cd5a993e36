"""What to look at first: the mistake that the model is surest of."""

from typing import Any

from explorer.api.question import Headline, alone, beyond
from explorer.questions.masking.calibration.question import CalibrationResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import visible

SURE = 0.5
"""Probability above which a model says that it is right more often than not."""


def headline(result: CalibrationResult, **_set: Any) -> Headline:
    """The wrong first word with the largest probability, where that is above a half."""
    wrong = [one for one in result.places if not one.is_right]
    worst = max(wrong, key=lambda one: one.confidence, default=None)
    if worst is None or worst.confidence <= SURE:
        return Headline()
    return Headline(
        Phrase(
            N_("The surest mistake is at “{token}”: “{first}” has {share}."),
            token=alone(result.tokens[worst.position]),
            first=visible(worst.first),
            share=in_percent(worst.confidence),
        ),
        worst.position,
        strength=beyond(worst.confidence, SURE),
    )
