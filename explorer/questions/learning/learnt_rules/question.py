"""How much of each rule of a small world has this model learnt?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from explorer.api.question import (
    MODEL,
    Asks,
    Cell,
    Listing,
    ModelStamp,
    Predictor,
    Question,
    Table,
    Topic,
    asked,
    column,
)
from explorer.learning.measured.rule_words import words_of
from explorer.questions.learning.learnt_rules.options import WORLD
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import percent


@dataclass(frozen=True)
class LearntRulesRequest(Asks):
    """Lay a model beside the exact answers of a small world, rule by rule.

    Attributes:
        world: Whose texts: "small", "world", "korean"; "" for the model's own.
    """

    world: str = asked(WORLD)


@dataclass(frozen=True)
class MeasuredRule:
    """What a model came to at the places of a rule.

    Attributes:
        rule: Its name; "" for all of them.
        places: How many.
        loss: The model's cross-entropy, in nats.
        floor: The least there can be.
        accuracy: How often the likeliest piece is right.
        best: How often that could be at best.
        error: Standard error of the excess; None of a single place.
    """

    rule: str
    places: int
    loss: float
    floor: float
    accuracy: float
    best: float
    error: float | None = None

    @property
    def excess(self) -> float:
        """What is left to learn: the mean divergence from the exact distribution."""
        return self.loss - self.floor


@dataclass(frozen=True)
class LearntRulesResult:
    """A model beside the exact floor of its loss.

    Attributes:
        model: Who was asked.
        world: Whose texts: "small", "world", "korean".
        whole: Of all places, each rule as often as it writes.
        rules: Rule by rule.
    """

    model: ModelStamp
    world: str
    whole: MeasuredRule
    rules: tuple[MeasuredRule, ...]


@dataclass(frozen=True)
class LearntRuleShareRow:
    """A rule of the world, and what is left to learn of it."""

    rule: str = column(N_("rule"), key=True)
    excess: float = column(
        N_("excess loss"),
        unit=N_("nats"),
        digits=3,
        least=0.0,
        tip=N_("The mean divergence from the exact answer: 0 where the rule is known."),
    )
    error: float | None = column(N_("±"), digits=3, compared=False, tip=N_("Standard error."))
    loss: float = column(N_("loss"), unit=N_("nats"), digits=3, dispensable=True)
    floor: float = column(
        N_("exact floor"), unit=N_("nats"), digits=3, compared=False, dispensable=True
    )
    accuracy: float = column(N_("accuracy"), written=percent)
    best: float = column(N_("at best"), written=percent, compared=False)
    places: int = column(N_("places"), compared=False, dispensable=True)


ALL = N_("all rules")


def title_of(rule: str) -> Phrase:
    """What people read for a rule."""
    if not rule:
        return Phrase(ALL)
    words = words_of(rule)
    return verbatim(rule) if words is None else Phrase(words.title)


def rows_of(result: LearntRulesResult) -> Iterator[LearntRuleShareRow]:
    """All of them together, and each, those of which most is left first."""
    for one in (result.whole, *sorted(result.rules, key=lambda each: -each.excess)):
        yield LearntRuleShareRow(
            title_of(one.rule),
            one.excess,
            one.error,
            one.loss,
            one.floor,
            one.accuracy,
            one.best,
            one.places,
        )


def table(result: LearntRulesResult) -> Table:
    """One row a rule, below that of all of them."""
    return Table.of(LearntRuleShareRow, rows_of(result))


def summary(result: LearntRulesResult) -> Mapping[str, Cell]:
    """Of all places."""
    return {
        "world": result.world,
        "excess": result.whole.excess,
        "loss": result.whole.loss,
        "floor": result.whole.floor,
        "accuracy": result.whole.accuracy,
    }


QUESTION = Question(
    name="learnt_rules",
    title=N_("What is learnt"),
    asks=N_("How much of each rule of the small world has this model learnt?"),
    listing=Listing(Topic.LEARNING, 6, "format-list-checks"),
    found_by=(
        *("excess loss", "what is learnt first", "rule by rule", "grammar", "acquisition order"),
        *("초과 손실", "무엇을 배웠나", "먼저 배우는 것", "규칙", "문법"),
    ),
    request=LearntRulesRequest,
    result=LearntRulesResult,
    table=table,
    summary=summary,
    column_titles={
        "world": N_("world"),
        "excess": N_("excess loss"),
        "loss": N_("loss"),
        "floor": N_("exact floor"),
        "accuracy": N_("accuracy"),
    },
    roles={MODEL: (Predictor,)},
    waiting_hint=N_("It takes some seconds: choose Run."),
    is_expensive=lambda _document, _card, _answered: True,
    elsewhere=N_("Models that predict words of a text answer, as the bundled bert-miniature."),
)
