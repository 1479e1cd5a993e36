"""What to look at first: the verdict that is furthest from the truth, or the plainest one."""

from typing import Any

import numpy as np

from explorer.api.question import Headline, alone, beyond
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import readable


def headline(
    result: ReplacedTokensResult, threshold: float = DEFAULT_THRESHOLD, **_looked_at: Any
) -> Headline:
    """The worst error; where there is none, the token that is called replaced most surely.

    Args:
        result: The answer.
        threshold: Above which a token is called replaced.
    """
    inside = [n for n, token in enumerate(result.tokens) if not token.special]
    if not inside:
        return Headline(NOTHING)
    chances, truth = (np.array(one, float) for one in result.judged())
    errors = np.where((chances > threshold) != (truth > 0), abs(chances - truth), -1.0)
    if errors.max() >= 0:
        place = inside[int(errors.argmax())]
        # From a chance just on the wrong side of the threshold to one that is as wrong as can be.
        side = threshold if result.truth[place] else 1.0 - threshold
        strength = beyond(float(errors.max()), 1.0 - side, 1.0)
        if result.truth[place]:
            return Headline(_missed(result, place, threshold), place, strength=strength)
        sentence = Phrase(
            N_(
                "“{word}” is the worst false alarm at a threshold of {threshold}: it was "
                "there all along, yet the chance that it was replaced is put at {share}."
            ),
            **_values(result, place, threshold),
        )
        return Headline(sentence, place, strength=strength)
    replaced = [n for n in inside if result.truth[n]]
    if not replaced:
        return Headline()
    place = max(replaced, key=lambda n: result.probability[n])
    strength = beyond(float(result.probability[place]), threshold, 1.0)
    if not result.original[place]:
        sentence = Phrase(
            N_(
                "No verdict is wrong at a threshold of {threshold}; “{word}” gives itself away "
                "most: the chance that it was replaced is put at {share}."
            ),
            **_values(result, place, threshold),
        )
        return Headline(sentence, place, strength=strength)
    sentence = Phrase(
        N_(
            "No verdict is wrong at a threshold of {threshold}; “{word}” in place of “{original}” "
            "gives itself away most: the chance of that is put at {share}."
        ),
        **_values(result, place, threshold),
    )
    return Headline(sentence, place, strength=strength)


def _values(result: ReplacedTokensResult, place: int, threshold: float) -> dict[str, str]:
    return {
        "threshold": significant(threshold, 3),
        "word": alone(result.tokens[place]),
        "original": readable(result.original[place]),
        "share": in_percent(result.probability[place]),
    }


def _missed(result: ReplacedTokensResult, place: int, threshold: float) -> Phrase:
    values = _values(result, place, threshold)
    if not result.original[place]:
        return Phrase(
            N_(
                "“{word}” fools the discriminator most at a threshold of {threshold}: it is a "
                "replacement, but the chance of that is put at only {share}."
            ),
            **values,
        )
    return Phrase(
        N_(
            "“{word}” fools the discriminator most at a threshold of {threshold}: it "
            "replaces “{original}”, but the chance of that is put at only {share}."
        ),
        **values,
    )
