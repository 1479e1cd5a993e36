"""What to look at first: the rule of which most is left to learn."""

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.questions.learning.learnt_rules.question import LearntRulesResult, title_of
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

MUCH = 2.0
"""How much more is left of a rule than of all, so that it stands out."""
MOST = 6.0
LEAST = 0.05
"""Nats of excess below which nothing is left to speak of."""


def headline(result: LearntRulesResult, **_looked_at: object) -> Headline:
    """The rule with the most excess, where it is far above all of them."""
    if not result.rules:
        return Headline()
    worst = max(result.rules, key=lambda one: one.excess)
    whole = result.whole.excess
    times = worst.excess / whole if whole > 0 else 0.0
    if worst.excess < LEAST or times < MUCH:
        return Headline()
    sentence = Phrase(
        N_(
            "Most is left to learn of “{rule}”: {excess} nats of excess, where all rules have "
            "{whole}."
        ),
        rule=title_of(worst.rule),
        excess=decimal(worst.excess, 2),
        whole=decimal(whole, 2),
    )
    return Headline(sentence, strength=beyond(times, MUCH, MOST))
