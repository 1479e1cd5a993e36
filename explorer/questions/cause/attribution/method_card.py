"""One method: the tokens with its scores, whether they add up, how faithful they are."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.questions.cause.attribution.options import AT, STEPS
from explorer.questions.cause.attribution.question import (
    AttributionResult,
    Kind,
    MethodScores,
)
from explorer.questions.cause.attribution.scales import bar_of, highest_of
from explorer.questions.cause.attribution.wording import (
    gap_said,
    plain,
    signed,
    token_said,
)
from explorer.questions.cause.method import Method
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.sentence.pieces import of_tokens

MOST_STEPS = 500


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
