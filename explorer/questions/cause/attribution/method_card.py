"""One method: the tokens with its scores, whether they add up, how faithful they are."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.questions.cause.attribution.options import AT, STEPS
from explorer.questions.cause.attribution.question import (
    AttributionResult,
    Kind,
    MethodScores,
)
from explorer.questions.cause.attribution.wording import (
    gap_said,
    plain,
    signed,
    token_said,
)
from explorer.questions.cause.method import Method
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens, ShadeBar
from explorer.ui.sentence.pieces import of_tokens

MOST_STEPS = 500
ONE = N_(
    "All methods here have one colour scale, up to {high}: the same colour is the same score, in "
    "the units of what is explained."
)
OWN = N_(
    "The methods' scores have different units, so each has a colour scale of its own, whose ends "
    "stand below it: darkness can be compared within one method, and not between two."
)


def method_card(shown: Shown, one: MethodScores) -> Iterator[Block]:
    """One method's card: its name, the tokens, whether they add up, how faithful they are."""
    result: AttributionResult = shown.result
    about = one.method.about
    yield Text(_(about.title), "title", words=_(about.does))
    yield note(
        _("{does} ({citation})", does=_(about.does), citation=_(about.citation)), above=Space.TIGHT
    )
    yield ScoredTokens(tokens_of(shown, one), _(about.title))
    yield bar_of(result, one)
    if result.is_open(one):
        yield warning(gap_said(result, one), above=Space.APART)
        taken = one.steps or STEPS.of(shown.asked)
        more = min(MOST_STEPS, 2 * taken)
        if one.method is Method.INTEGRATED_GRADIENTS and more > taken:
            act = shown.setting(STEPS, more, _("take more steps"))
            yield Chips([Chip(_("Take {count} steps", count=more), act, key="steps")])
    else:
        yield note(gap_said(result, one), above=Space.APART)
    yield Numbers(
        [
            Number(
                plain(one.comprehensiveness),
                _("comprehensiveness"),
                _(
                    "What is lost without the words that score highest, the mean over 1, 5, 10, "
                    "20 and 50 % of them (DeYoung et al. 2020): more is better."
                ),
            ),
            Number(
                plain(one.sufficiency),
                _("sufficiency"),
                _("What is lost with these words alone: less is better."),
            ),
        ],
    )


def tokens_of(shown: Shown, one: MethodScores) -> list[ScoredToken]:
    """The text with a method's scores, the pieces of a unit as one."""
    result: AttributionResult = shown.result
    pieces = of_tokens(result.tokens, shown.asked)
    highest = highest_of(result, one)
    places = places_written(one.scores)
    numbered = {unit[0]: n for n, unit in enumerate(result.units)}
    inside = {place for unit in result.units for place in unit[1:]}
    tokens = []
    for place, piece in enumerate(pieces):
        if place in inside:
            continue
        text = token_said(piece)
        number = numbered.get(place)
        act = _explain(shown, place)
        if number is None:
            is_asked = place == result.explained.place
            tokens.append(
                ScoredToken(
                    text,
                    (one.method.value, place),
                    asked=is_asked,
                    words=_("“{token}”: what is explained", token=text) if is_asked else "",
                    special=piece.special,
                    part=piece.part,
                    joined=piece.joined,
                )
            )
            continue
        unit, score = result.units[number], float(one.scores[number])
        text = text if len(unit) == 1 else result.words[number]
        error = float(one.errors[number]) if len(one.errors) else 0.0
        words = _("“{token}”: {score}", token=text, score=signed(score, 4))
        if error:
            words = _(
                "“{token}”: {score}, standard error {error}",
                token=text,
                score=signed(score, 4),
                error=decimal(error, 4),
            )
        if act is not None:
            words = "\n".join((words, _("Click to explain this word instead.")))
        tokens.append(
            ScoredToken(
                text,
                (one.method.value, place),
                score / highest,
                signed(score, places) if one.method.about.signed else decimal(score, places),
                f"±{decimal(error, places)}" if error else "",
                words,
                act,
                asked=place == result.explained.place,
                part=piece.part,
                joined=piece.joined,
            )
        )
    return tokens


def places_written(scores: Sequence[float] | np.ndarray) -> int:
    """Digits behind the point that tell scores apart: two, or more where all are small."""
    highest = float(np.abs(np.asarray(scores)).max()) if len(scores) else 1.0
    return 2 if highest >= 0.1 or highest == 0 else 3 if highest >= 0.01 else 4


def _explain(shown: Shown, place: int) -> object:
    """The gesture of explaining a token; None for what can't be, or is explained already."""
    result: AttributionResult = shown.result
    if result.explained.kind is Kind.LABEL or place == result.explained.place:
        return None
    return set_options(shown.now, {AT.key: AT.written((place,))}, _("choose what is explained"))


def highest_of(result: AttributionResult, one: MethodScores) -> float:
    """The score with the strongest colour.

    Methods whose scores are in the units of what is explained share a scale, so that a word that
    changes little looks like one. A gradient's length or attention is in no such units.
    """
    alike = [m for m in result.methods if m.method.about.in_units]
    sharing = alike if one.method.about.in_units else [one]
    return max(float(np.abs(m.scores).max(initial=0.0)) for m in sharing) or 1.0


def bar_of(result: AttributionResult, one: MethodScores) -> ShadeBar:
    """The scale below a method's tokens, with the scores at its ends."""
    return ShadeBar(highest_of(result, one), is_signed=one.method.about.signed)


def scales_said(result: AttributionResult) -> str:
    """How colours of several methods compare; "" for one method alone."""
    if len(result.methods) < 2:
        return ""
    if all(one.method.about.in_units for one in result.methods):
        high = highest_of(result, result.methods[0])
        return _(ONE, high=decimal(high, 2 if high >= 0.1 else 4))
    return _(OWN)
