"""What to look at first: the words that speak most for what is explained, and against it."""

import numpy as np

from explorer.api.question import Headline, beyond
from explorer.questions.cause.attribution.question import AttributionResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, signed
from explorer.text.phrase import NOTHING

SMALL = 0.05
"""Nats that are not much, and of the largest score a share that is not."""
DEVIATIONS = 2.0
"""Standard errors that a sampled score must be larger than."""


def headline(result: AttributionResult) -> Headline:
    """Of the method that was asked for, the highest score and the lowest."""
    (first, *_beside) = result.methods
    scores = np.asarray(first.scores, float)
    if not len(scores) or not np.isfinite(scores).all():
        return Headline(NOTHING)
    best, worst = int(scores.argmax()), int(scores.argmin())
    largest = int(abs(scores).argmax())
    # Of all that the words' scores come to, what is the largest one's: even would be the same each.
    whole = float(abs(scores).sum())
    share = abs(float(scores[largest])) / whole if whole else 0.0
    strength = beyond(share, 1.0 / len(scores), 1.0)
    values = {"best": result.words[best], "high": signed(scores[best], 2)}
    place = result.units[largest][0]
    least = SMALL * abs(scores[largest])
    if not first.about.signed:
        values |= {"method": Phrase(first.about.title), "high": decimal(scores[best], 2)}
        values |= {"mean": decimal(float(scores.mean()), 2)}
        sentence = Phrase(
            N_(
                "By {method}, “{best}” matters most: {high}, against a mean of {mean} over all "
                "words."
            ),
            **values,
        )
        return Headline(sentence, place, strength=strength)
    values |= {"worst": result.words[worst], "low": signed(scores[worst], 2)}
    if len(first.errors) and abs(scores[largest]) <= DEVIATIONS * first.errors[largest]:
        return Headline()  # within its error
    if first.about.in_units and abs(scores[largest]) < SMALL:
        return Headline()
    if scores[worst] > -least:
        sentence = Phrase(
            N_("Hardly a word speaks against it; “{best}” speaks for it most, with {high}."),
            **values,
        )
    elif scores[best] < least:
        sentence = Phrase(
            N_("Hardly a word speaks for it; “{worst}” speaks against it most, with {low}."),
            **values,
        )
    elif result.explained.word:
        sentence = Phrase(
            N_(
                "“{best}” speaks most for “{word}” ({high}), and “{worst}” most against it ({low})."
            ),
            word=result.explained.word,
            **values,
        )
    else:
        sentence = Phrase(
            N_("“{best}” raises the value most ({high}), and “{worst}” lowers it most ({low})."),
            **values,
        )
    return Headline(sentence, place, strength=strength)
