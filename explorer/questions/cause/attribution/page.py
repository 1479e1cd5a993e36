"""Which words make a prediction: coloured tokens by two methods, and curves that test them."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.cause.attribution.options import AT, STEPS
from explorer.questions.cause.attribution.question import (
    OPERATION,
    AttributionRequest,
    AttributionResult,
    Kind,
    MethodScores,
)
from explorer.questions.cause.attribution.wording import (
    ABOUT,
    KEPT,
    UNITS,
    baseline_said,
    gap_said,
    measure_said,
    plain,
    question_said,
    signed,
)
from explorer.questions.cause.method import Method
from explorer.text import N_, _, said
from explorer.text.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Dash, Line, Reference
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.token_layout import MASK_LABEL

DEAR = 4e11
"""Multiplications above which the question waits for the Run button: some seconds on a CPU."""

LINES: Sequence[tuple[str, Dash]] = (("bar", "solid"), ("bar_second", "dash"))
MOST_STEPS = 500


def blocks(shown: Shown) -> Iterator[Block]:
    """What is explained, the tokens by each method, and what the scores are worth."""
    result: AttributionResult = shown.result
    yield from left_out(result.left_out)
    yield Text(question_said(result, token_said(shown, result.explained.place)), "strong")
    for one in result.notes:
        yield note(said(one))
    yield Numbers(_numbers(result))
    if shown.value(AT) and not shown.alone:
        back = shown.setting(AT, (), _("explain the masked word again"))
        yield Chips([Chip(_("Explain the usual place again"), back, key="usual")])
    yield Columns(
        [Card(tuple(_method(shown, one)), _(one.method.about.title)) for one in result.methods],
        narrowest=430.0,
        above=14.0,
    )
    yield heading(_("Are they what the model goes by?"))
    yield ChartBlock(tuple(_curves(result)), narrowest=360.0)
    yield note(_(KEPT), above=12.0)
    yield note(_(UNITS))
    yield note(_(ABOUT))


def token_said(shown: Shown, place: int | None) -> str:
    """What stands at a place, as the sentence has it."""
    tokens = shown.result.tokens
    if place is None or place >= len(tokens):
        return ""
    piece = of.of_tokens(tokens, shown.asked)[place]
    return MASK_LABEL if piece.masked else piece.text or piece.piece


def _numbers(result: AttributionResult) -> list[Number]:
    """The value, the baseline's, and how alike the methods are."""
    whole = result.value - result.baseline_value
    numbers = [
        Number(plain(result.value), measure_said(result.explained), _("For the whole text.")),
        Number(
            plain(result.baseline_value),
            baseline_said(result),
            _("The same number where nothing is said: scores count from here."),
        ),
        Number(signed(whole), _("all words together"), _("The first number minus the second.")),
    ]
    agreement = result.agreement()
    if agreement is not None:
        words = _("Spearman's: 1 where both methods put all words into one order, 0 for chance.")
        numbers.append(Number(plain(agreement), _("rank correlation of the two"), words))
    return numbers


def _method(shown: Shown, one: MethodScores) -> Iterator[Block]:
    """One method's card: its name, the tokens, whether they add up, how faithful they are."""
    result: AttributionResult = shown.result
    about = one.method.about
    yield Text(_(about.title), "title", above=0.0, words=_(about.does))
    yield note(_("{does} ({citation})", does=_(about.does), citation=_(about.citation)), above=2.0)
    yield ScoredTokens(tokens_of(shown, one), _(about.title), above=12.0)
    if result.is_open(one):
        yield warning(gap_said(result, one), above=10.0)
        more = min(MOST_STEPS, 2 * STEPS.of(shown.asked))
        if one.method is Method.INTEGRATED_GRADIENTS and more > STEPS.of(shown.asked):
            act = shown.setting(STEPS, more, _("take more steps"))
            yield Chips([Chip(_("Take {count} steps", count=more), act, key="steps")])
    else:
        yield note(gap_said(result, one), above=10.0)
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
        above=10.0,
    )


def tokens_of(shown: Shown, one: MethodScores) -> list[ScoredToken]:
    """The text with a method's scores, the pieces of a unit as one."""
    result: AttributionResult = shown.result
    pieces = of.of_tokens(result.tokens, shown.asked)
    highest = float(np.abs(one.scores).max()) or 1.0
    places = places_written(one.scores)
    numbered = {unit[0]: n for n, unit in enumerate(result.units)}
    inside = {place for unit in result.units for place in unit[1:]}
    tokens = []
    for place, piece in enumerate(pieces):
        if place in inside:
            continue
        text = MASK_LABEL if piece.masked else piece.text or piece.piece
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


def _curves(result: AttributionResult) -> Iterator[Chart]:
    """The value while words go, and while they come, by each method's order."""
    count = len(result.units)
    steps = np.arange(count + 1, dtype=np.float64)
    said_of = measure_said(result.explained)
    for which, (title, words, name) in enumerate(
        (
            (
                _("Words taken away, the highest score first"),
                _(
                    "A good order falls at once: the words that carry the answer go first. The "
                    "area counts from the baseline's value, 0, to the text's, 1: less is better."
                ),
                "deletion",
            ),
            (
                _("Words put in, the highest score first"),
                _(
                    "A good order rises at once: few words are enough. The area counts from the "
                    "baseline's value, 0, to the text's, 1: more is better."
                ),
                "insertion",
            ),
        )
    ):
        yield Chart(
            title,
            words,
            tuple(
                Line(
                    _(one.method.about.title),
                    steps,
                    getattr(one, name),
                    colour,
                    dash,
                    after=_area_said(result.areas(one)[which]),
                )
                for one, (colour, dash) in zip(result.methods, LINES, strict=False)
            ),
            Axis(_("words"), 0.0, float(count), whole=True),
            Axis(said_of, grid=True),
            references=tuple(
                Reference((0.0, value), (float(count), value), dash="dot")
                for value in (result.value, result.baseline_value)
            ),
            height=150.0,
        )


def _area_said(area: float | None) -> str:
    return "" if area is None else _(", area {area}", area=plain(area))


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """Many passes through a large model."""
    request = AttributionRequest.of(document)
    tokens = 1.5 * len(f"{document.text} {document.pair or ''}".split())
    passes = sum(
        _passes(method, tokens, request) for method in {request.method, request.beside} if method
    )
    return card.parameters * tokens * passes > DEAR


def _passes(method: Method, tokens: float, request: AttributionRequest) -> float:
    """About how many texts are read for a method and its curves; one with gradients is three."""
    read = {
        Method.INTEGRATED_GRADIENTS: 3.0 * request.steps,
        Method.SEQUENTIAL_INTEGRATED_GRADIENTS: 3.0 * request.steps * tokens,
        Method.OCCLUSION: tokens,
        Method.DELETION: tokens,
        Method.SHAPLEY: 2.0 * request.samples * tokens,
    }
    return read.get(method, 3.0) + 2.0 * tokens


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=N_(
        "The text is read many times over to score its words, which takes this model a while. "
        "Press Run to see them."
    ),
)
"""Attribution: `AttributionRequest`'s answer."""
