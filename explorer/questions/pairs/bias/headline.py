"""What to look at first: what most measures say, where they are sure of it."""

from explorer.api.question import Headline
from explorer.learning.bias.measures import MEASURES
from explorer.questions.pairs.bias.question import BiasResult, measured
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent

FIRST = "crows"


def headline(result: BiasResult) -> Headline:
    """CrowS-Pairs' score, where its interval leaves out what a model without bias has."""
    found = measured(result).get(FIRST)
    neutral = MEASURES[FIRST].neutral
    if found is None or found.low is None or found.high is None or neutral is None:
        return Headline()
    if found.low <= neutral <= found.high:
        return Headline()  # so few pairs tell nothing
    sentence = (
        N_("CrowS-Pairs: the stereotyped sentence is preferred in {share} of {pairs} pairs.")
        if found.value > neutral
        else N_("CrowS-Pairs: the opposite sentence is preferred in {share} of {pairs} pairs.")
    )
    share = found.value if found.value > neutral else 1.0 - found.value
    return Headline(Phrase(sentence, share=percent(share, 1), pairs=found.pairs))
