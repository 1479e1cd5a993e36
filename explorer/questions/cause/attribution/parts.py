"""Which words make a prediction: coloured tokens by two methods, and curves that test them."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Choices,
    Curve,
    Curves,
    Manner,
    OneCard,
    OneChoice,
    Panel,
    Part,
    Said,
    Score,
    Scores,
    Width,
    sets,
)
from explorer.api.question.parts.charts.curves import Dash, Over
from explorer.questions.cause.attribution.options import AT, STEPS
from explorer.questions.cause.attribution.question import (
    AttributionRequest,
    AttributionResult,
    ExplainedKind,
    MethodScores,
)
from explorer.questions.cause.attribution.wording import (
    ABOUT,
    KEPT,
    UNITS,
    among_said,
    baseline_said,
    explained_said,
    gap_said,
    measure_said,
    plain,
    question_said,
    signed,
)
from explorer.text import N_, Phrase

MOST_STEPS = 500
ONE = N_(
    "All methods here have one colour scale: the same colour is the same score, in the units of "
    "what is explained."
)
OWN = N_(
    "The methods' scores have different units, so each has a colour scale of its "
    "own, whose ends are below it: darkness can be compared within one method, "
    "and not between two."
)
LOOKS: tuple[tuple[str, Dash], ...] = (("bar", "solid"), ("bar_second", "dash"))
"""Colour and dash of each method's curve."""


def parts(
    result: AttributionResult, request: AttributionRequest | None = None
) -> Iterator[Said | Amounts | Choices | Cards | Scores | Curves]:
    """What is explained, the tokens by each method, and what the scores are worth."""
    request = request or AttributionRequest("")
    yield Said(question_said(result, explained_said(result)), Manner.STRONG)
    yield Amounts(tuple(_values(result)), in_summary=False)
    yield Said(among_said(result.explained), near=True)
    if request.at:
        back = sets(AT, (), N_("explain the masked word again"))
        yield Choices((OneChoice(N_("Explain the usual place again"), back, key="usual"),))
    yield Said(_scales_said(result), Manner.ABOUT)
    cards = (
        OneCard(
            one.about.title,
            tuple(_card(result, request, one)),
        )
        for one in result.methods
    )
    yield Cards(tuple(cards), Width.WIDE)
    yield _curves(result)
    yield Said(KEPT, Manner.ABOUT)
    yield Said(UNITS, Manner.ABOUT, near=True)
    yield Said(ABOUT, Manner.ABOUT, near=True)


def _values(result: AttributionResult) -> Iterator[Amount]:
    """The value, the baseline's, and how alike the methods are."""
    title = measure_said(result.explained)
    yield Amount("value", title, result.value, digits=2, words=N_("For the whole text."))
    yield Amount(
        "baseline_value",
        baseline_said(result),
        result.baseline_value,
        digits=2,
        words=N_("Value at the baseline; scores are relative to it."),
    )
    yield Amount(
        "whole",
        N_("all words together"),
        result.value - result.baseline_value,
        words=N_("The first number minus the second."),
        written=signed,
    )
    yield Amount(
        "agreement",
        N_("rank correlation of the two"),
        result.agreement(),
        digits=2,
        words=N_("Spearman's: 1 where both methods put all words into one order, 0 for chance."),
    )


def _card(
    result: AttributionResult, request: AttributionRequest, one: MethodScores
) -> Iterator[Part]:
    """One method: the tokens with its scores, whether they add up, how faithful they are."""
    about = one.about
    values = {"does": Phrase(about.does), "citation": Phrase(about.citation)}
    yield Said(Phrase(N_("{does} ({citation})"), **values), Manner.EXPLANATION, near=True)
    yield Scores(
        result.tokens,
        tuple(_score(result, one, number) for number in range(len(result.units))),
        about.title,
        _highest_of(result, one),
        about.signed,
        result.explained.place,
        in_files=False,
    )
    is_open = result.is_open(one)
    yield Said(gap_said(result, one), Manner.WARNING if is_open else Manner.NOTE)
    taken = one.steps or request.steps
    more = min(MOST_STEPS, 2 * taken)
    if is_open and one.steps and more > taken:
        steps = Phrase(N_("Take {count} steps"), count=more)
        yield Choices((OneChoice(steps, sets(STEPS, more, N_("take more steps")), key="steps"),))
    faithful = (
        Amount(
            "comprehensiveness",
            N_("comprehensiveness"),
            one.comprehensiveness,
            digits=2,
            words=N_(
                "What is lost without the words that score highest, the mean over 1, 5, 10, "
                "20 and 50 % of them (DeYoung et al. 2020): more is better."
            ),
        ),
        Amount(
            "sufficiency",
            N_("sufficiency"),
            one.sufficiency,
            digits=2,
            words=N_("What is lost with these words alone: less is better."),
        ),
    )
    yield Amounts(faithful, in_summary=False)


def _score(result: AttributionResult, one: MethodScores, number: int) -> Score:
    """A unit's; choosing it explains it, where it can be and is not explained already."""
    place, *rest = result.units[number]
    fixed = result.explained.kind is ExplainedKind.LABEL or place == result.explained.place
    return Score(
        place,
        float(one.scores[number]),
        float(one.errors[number]) if len(one.errors) else None,
        tuple(rest),
        result.words[number] if rest else "",
        None if fixed else sets(AT, (place,), N_("choose what is explained")),
        "" if fixed else N_("Click to explain this word instead."),
    )


def _highest_of(result: AttributionResult, one: MethodScores) -> float:
    """The score with the strongest colour.

    Methods whose scores are in the units of what is explained share a scale, so that a word that
    changes little looks like one. A gradient's length or attention is in no such units.
    """
    alike = [m for m in result.methods if m.about.in_units]
    sharing = alike if one.about.in_units else [one]
    return max(float(np.abs(m.scores).max(initial=0.0)) for m in sharing)


def _scales_said(result: AttributionResult) -> str:
    """How colours of several methods compare; "" for one method alone."""
    if len(result.methods) < 2:
        return ""
    if all(one.about.in_units for one in result.methods):
        return ONE
    return OWN


def _curves(result: AttributionResult) -> Curves:
    """The value while words go, and while they come, by each method's order."""
    unit = measure_said(result.explained)
    areas = [result.areas(one) for one in result.methods]

    def panel(which: int, name: str, title: str, words: str) -> Panel:
        curves = (
            Curve(
                one.about.title,
                getattr(one, name),
                colour,
                dash,
                after=_area_said(area[which]),
            )
            for one, (colour, dash), area in zip(result.methods, LOOKS, areas, strict=False)
        )
        floors = (result.value, result.baseline_value)
        return Panel(name, title, tuple(curves), words, unit=unit, height=150.0, floors=floors)

    return Curves(
        Over("words", N_("words"), np.arange(len(result.units) + 1, dtype=np.float64), whole=True),
        (
            panel(
                0,
                "deletion",
                N_("Words taken away, the highest score first"),
                N_(
                    "A good order falls at once: the words that carry the answer go first. The "
                    "area counts from the baseline's value, 0, to the text's, 1: less is better."
                ),
            ),
            panel(
                1,
                "insertion",
                N_("Words put in, the highest score first"),
                N_(
                    "A good order rises at once: few words are enough. The area counts from the "
                    "baseline's value, 0, to the text's, 1: more is better."
                ),
            ),
        ),
        Width.MEDIUM,
        title=N_("Does the model rely on these words?"),
    )


def _area_said(area: float | None) -> str:
    return "" if area is None else Phrase(N_(", area {area}"), area=plain(area))
