"""What to look at first: the edit that changes the followed word's probability most."""

import math

from explorer.api.question import Headline, beyond
from explorer.questions.cause.edits.question import EditedWord, EditsResult, PredictionKind
from explorer.questions.cause.edits.wording import JUDGEMENTS
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

SMALL = 0.1
"""Nats that are not much."""


def headline(result: EditsResult, **_looked_at: object) -> Headline:
    """From which probability to which one, whatever edits are ranked by."""
    if not result.edits:
        return Headline(NOTHING)  # the page says so
    most = max(result.edits, key=lambda one: abs(one.change))
    old = result.words[most.place]
    word: str = visible(result.word)
    if result.kind is PredictionKind.REPLACED:
        word = Phrase(JUDGEMENTS[result.word])
    values = {
        "new": most.put,
        "old": old.word,
        "word": word,
        "before": in_percent(math.exp(result.log_probability)),
        "after": in_percent(math.exp(most.log_probability)),
    }
    if abs(most.change) < SMALL:
        return Headline()
    if most.change < 0:
        sentence = Phrase(
            N_(
                "With “{new}” in place of “{old}”, “{word}” falls from {before} to {after}: "
                "more than with any other edit."
            ),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "With “{new}” in place of “{old}”, “{word}” rises from {before} to {after}: "
                "more than with any other edit."
            ),
            **values,
        )
    # By what factor the probability changes.
    strength = beyond(math.exp(abs(most.change)), math.exp(SMALL))
    return Headline(sentence, _position(result, old), strength=strength)


def _position(result: EditsResult, word: EditedWord) -> int | None:
    """Of the first token of an edited word."""
    return next(
        (
            n
            for n, token in enumerate(result.tokens)
            if token.part == word.part and token.start <= word.start < token.end
        ),
        None,
    )
