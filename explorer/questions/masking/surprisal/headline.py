"""What to look at first: the token that surprises most, and what was expected there."""

import math

from explorer.api import Headline
from explorer.api.tokens import alone
from explorer.questions.masking.surprisal.question import SurprisalResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn


def headline(result: SurprisalResult) -> Headline:
    """The most surprising token, beside the model's own first guess."""
    if not result.surprises:
        return Headline(NOTHING)
    worst = max(result.surprises, key=lambda one: one.nats)
    best = worst.predictions[0]
    values = {
        "word": alone(result.tokens[worst.position]),
        "share": in_percent(math.exp(worst.log_probability)),
    }
    if worst.rank == 1:
        return Headline()  # its least sure token is the model's first guess
    sentence = Phrase(
        N_(
            "“{word}” surprises the model most: it has only {share}, where “{best}” "
            "({its}) was expected."
        ),
        best=drawn(best),
        its=in_percent(best.probability),
        **values,
    )
    return Headline(sentence, worst.position)
