"""What to look at first: the choice whose score the paths change most."""

from typing import Any

from explorer.api.question import Headline, beyond
from explorer.questions.knowledge.graph_question.question import GraphQuestionResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

SMALL = 0.05
"""A difference of scores that does not stand out."""


def headline(result: GraphQuestionResult, **_looked_at: Any) -> Headline:
    """Each choice's score beside the one that it would have without any path."""
    best, plain = result.choices[result.best], result.choices[result.best_alone]
    most = max(result.choices, key=lambda one: abs(one.score - one.without))
    if plain.without - best.without >= SMALL and best.score - plain.score >= SMALL:
        sentence = Phrase(
            N_(
                "The paths decide: without any, “{plain}” ({alone}) would be chosen, and not "
                "“{choice}”, which goes from {without} to {score}."
            ),
            plain=plain.text,
            alone=decimal(plain.without, 2),
            choice=best.text,
            without=decimal(best.without, 2),
            score=decimal(best.score, 2),
        )
        moved = min(plain.without - best.without, best.score - plain.score)
        return Headline(sentence, strength=beyond(moved, SMALL, 1.0))
    if abs(most.score - most.without) < SMALL:
        return Headline()
    code = N_(
        "The paths change the score of “{choice}” most: {score} with them, {without} without any."
    )
    sentence = Phrase(
        code,
        choice=most.text,
        score=decimal(most.score, 2),
        without=decimal(most.without, 2),
    )
    moved = abs(most.score - most.without)
    return Headline(sentence, strength=beyond(moved, SMALL, 1.0))
