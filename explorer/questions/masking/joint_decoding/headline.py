"""What to look at first: what the masks gain from being filled together."""

import math

from explorer.api.question import Headline, beyond
from explorer.questions.masking.joint_decoding.question import Filling, JointDecodingResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import drawn

SMALL = 0.1
"""Nats between a joint probability and the product that are no dependence to speak of."""


def headline(result: JointDecodingResult) -> Headline:
    """Whether the best filling is that of each mask alone, and what each of both is worth."""
    best, alone = result.fillings[0], result.independent
    values = {"words": _words(best), "share": in_percent(math.exp(best.log_joint))}
    if len(best.chosen) == 1:
        return Headline()  # nothing is filled together
    if alone is None or best.log_independent is None:
        sentence = Phrase(
            N_("Of all fillings that were tried, “{words}” has most: {share} together."), **values
        )
        return Headline(sentence)
    if any(not one.is_same(alone.chosen[m]) for m, one in enumerate(best.chosen)):
        # What the best filling is, beside that of each mask alone, the page itself says.
        gain, most = max(
            (
                (one.log_joint - one.log_independent, one)
                for one in result.fillings
                if one.log_independent is not None
            ),
            key=lambda told: told[0],
        )
        values = {
            "words": _words(most),
            "share": in_percent(math.exp(most.log_joint)),
            "its": in_percent(math.exp(most.log_joint - gain)),
        }
        sentence = Phrase(
            N_(
                "“{words}” gains most from being filled in together: {share}, where the masks "
                "alone would give it {its}."
            ),
            **values,
        )
        return Headline(sentence, strength=_beyond(gain))
    values |= {"its": in_percent(math.exp(best.log_independent))}
    gain = best.log_joint - best.log_independent
    if abs(gain) < SMALL:
        return Headline()
    sentence = Phrase(
        N_(
            "The masks depend on each other: “{words}” has {share} together, but {its} where "
            "each is taken alone."
        ),
        **values,
    )
    return Headline(sentence, strength=_beyond(gain))


def _beyond(gain: float) -> float:
    """Of how many times as probable the words are together."""
    return beyond(math.exp(abs(gain)), math.exp(SMALL))


def _words(filling: Filling) -> str:
    return " · ".join(drawn(one) for one in filling.chosen)
