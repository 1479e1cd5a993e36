"""Which words make a prediction: coloured tokens by two methods, and curves that test them."""

from collections.abc import Iterator

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.cause.attribution.curves import curves
from explorer.questions.cause.attribution.method_card import method_card, scales_said
from explorer.questions.cause.attribution.options import AT, FIRST_STEPS
from explorer.questions.cause.attribution.question import (
    OPERATION,
    AttributionRequest,
    AttributionResult,
)
from explorer.questions.cause.attribution.wording import (
    ABOUT,
    KEPT,
    UNITS,
    among_said,
    baseline_said,
    measure_said,
    plain,
    question_said,
    signed,
    token_said,
)
from explorer.questions.cause.method import Method
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.sentence.pieces import of_tokens


def blocks(shown: Shown) -> Iterator[Block]:
    """What is explained, the tokens by each method, and what the scores are worth."""
    result: AttributionResult = shown.result
    yield Text(question_said(result, explained_said(shown)), "strong")
    yield Numbers(_numbers(result))
    if among := among_said(result.explained):
        yield note(among)
    if shown.value(AT):
        back = shown.setting(AT, (), _("explain the masked word again"))
        yield Chips([Chip(_("Explain the usual place again"), back, key="usual")])
    if how := scales_said(result):
        yield note(how, above=Space.APART)
    yield Columns(
        [Card(tuple(method_card(shown, one)), _(one.method.about.title)) for one in result.methods],
        narrowest=CardWidth.WIDE,
    )
    yield heading(_("Are they what the model goes by?"))
    yield ChartBlock(tuple(curves(result)), narrowest=CardWidth.MEDIUM)
    yield note(_(KEPT), above=Space.APART)
    yield note(_(UNITS))
    yield note(_(ABOUT))


def explained_said(shown: Shown) -> str:
    """What stands at the place that is explained; nothing behind the end of the text."""
    tokens, place = shown.result.tokens, shown.result.explained.place
    if place is None or place >= len(tokens):
        return ""
    return token_said(of_tokens(tokens, shown.asked)[place])


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


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """Many passes through a large model."""
    request = AttributionRequest.of(document)
    tokens = tokens_about(document)
    passes = sum(
        _passes(method, tokens, request) for method in {request.method, request.beside} if method
    )
    return takes_long(card, tokens * passes)


def _passes(method: Method, tokens: float, request: AttributionRequest) -> float:
    """About how many texts are read for a method and its curves; one with gradients is three."""
    steps = float(request.steps or FIRST_STEPS)
    read = {
        Method.INTEGRATED_GRADIENTS: 3.0 * steps,
        Method.SEQUENTIAL_INTEGRATED_GRADIENTS: 3.0 * steps * tokens,
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
