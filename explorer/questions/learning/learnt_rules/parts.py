"""A model beside the exact floor of a small world, rule by rule."""

from collections.abc import Iterator

from explorer.api.question import Amount, Amounts, Manner, Rows, Said
from explorer.learning.measured.rule_words import words_of
from explorer.questions.learning.learnt_rules.question import (
    LearntRuleShareRow,
    LearntRulesResult,
    rows_of,
    title_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.phrase import NOTHING

ABOUT = N_(
    "The grammar of the small world gives the exact probability of every word in a gap. The floor "
    "is the loss of who knows it, and nothing can predict better; the excess is what this model "
    "has left to learn. Each rule is asked about at places of texts that nobody is trained on."
)
OF_TEXTS = N_("Asked about texts of {world}, at {count} places.")
WORLDS = {
    "small": N_("the smallest world"),
    "world": N_("the miniatures' world"),
    "korean": N_("the smallest world in Korean"),
}
OVER = N_(
    "Which rule is learnt first is seen over the steps of training: choose “Ask at every step”."
)


def parts(result: LearntRulesResult) -> Iterator[Said | Amounts | Rows]:
    """All places in a few numbers, and the rules."""
    whole = result.whole
    yield Said(ABOUT, Manner.ABOUT)
    yield Said(
        Phrase(OF_TEXTS, world=Phrase(WORLDS[result.world]), count=whole.places), Manner.PLAIN
    )
    yield Amounts(
        (
            Amount("excess", N_("Excess loss (nats)"), whole.excess, written=_three),
            Amount("floor", N_("Exact floor (nats)"), whole.floor, written=_three),
            Amount("accuracy", N_("Accuracy"), whole.accuracy, written=percent),
            Amount("best", N_("Accuracy at best"), whole.best, written=percent),
        )
    )
    says = {str(title_of(one.rule)): words_of(one.rule) for one in result.rules}

    def words(row: LearntRuleShareRow) -> Phrase:
        told = says.get(row.rule)
        return NOTHING if told is None else Phrase(told.says)

    yield Rows(
        LearntRuleShareRow,
        tuple(rows_of(result)),
        title=N_("Rule by rule"),
        bar="excess",
        words=words,
    )
    yield Said(OVER, Manner.HINT)


def _three(value: float) -> str:
    return decimal(value, 3)
