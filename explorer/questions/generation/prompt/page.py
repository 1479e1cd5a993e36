"""The prompt, what may be answered to it, and accuracy and loss by the number of examples."""

from collections.abc import Iterator

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.generation.prompt.charts import Before, accuracy_chart, loss_chart
from explorer.questions.generation.prompt.options import RULE
from explorer.questions.generation.prompt.question import (
    OPERATION,
    Curve,
    PromptRequest,
    PromptResult,
)
from explorer.questions.generation.prompt.rules import Rule
from explorer.questions.generation.prompt.tables import (
    answers_table,
    numbers_table,
    orders_table,
)
from explorer.text import N_, _, ngettext, said
from explorer.text.numbers import whole
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.charts.block import ChartBlock

ABOUT = N_(
    "Rows that are asked are never examples. Each time, other examples are drawn of the rest and "
    "put in order; the band goes from the worst time to the best. The loss is of the right answer "
    "among everything the model could say, accuracy is of the choice among the possible answers."
)
SPACE = N_(
    "An answer is cut as it stands in the template: a space before {answer} belongs to its first "
    "piece where pieces carry spaces. Of several pieces, probabilities are multiplied."
)
BEST = N_(
    "The best learner knows the small world's tables and that each kind of word (jobs, animals, "
    "qualities, dates, verbs) is asked one relation, which the prompt hides. To it, every relation "
    "that agrees with the examples is as likely as the others."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The prompt and its answers, then the curves."""
    result: PromptResult = shown.result
    rule = Rule(shown.value(RULE))
    yield from _warnings(result)
    yield Tokens(result.written, above=4)
    answers = [heading(_("Possible answers")), note(_(RULE.entry(rule.value).tip))]
    cards = [Card([*answers, answers_table(result, rule, shown.before)], _("Possible answers"))]
    if len(result.by_order) > 1 and len(result.examples) > 1:
        title = _("The same examples in other orders")
        told = note(_("Shares of the possible answers, by their probability."))
        cards.append(Card([heading(title), told, orders_table(result)], title))
    yield Columns(cards, 420, framed=False, shares=(1.2, 0.8) if len(cards) > 1 else ())
    curve = result.curve
    if curve is not None:
        yield heading(_("By the number of examples"))
        yield note(_of_what(result, shown))
        before = _before(shown, curve)
        charts = (accuracy_chart(curve, rule, before), loss_chart(curve, before))
        yield ChartBlock(charts, narrowest=330)
        if result.too_long:
            yield note(_ends(result.too_long))
        yield numbers_table(curve, rule)
        yield note(_(ABOUT), above=10)
    if result.best or (curve is not None and curve.best_loss is not None):
        yield note(_(BEST))
    yield note(_(SPACE))
    if result.note:
        yield note(said(result.note))


def _warnings(result: PromptResult) -> Iterator[Block]:
    if result.left_out:
        yield warning(
            ngettext(
                "With {count} example more, the prompt is longer than this model reads.",
                "With {count} examples more, the prompt is longer than this model reads.",
                result.left_out,
            )
        )
    if result.too_long == 0:
        yield warning(
            _("Questions of the table are longer than this model reads: there is no curve.")
        )


def _ends(too_long: int) -> str:
    return ngettext(
        "With {count} example, questions of the table are longer than this model reads: the curve "
        "ends before that.",
        "With {count} examples, questions of the table are longer than this model reads: the curve "
        "ends before that.",
        too_long,
    )


def _before(shown: Shown, curve: Curve) -> Before | None:
    """The curve of the pinned answer, under its model's name."""
    pinned = shown.pinned
    if pinned is None:
        return None
    name = _("{model} (pinned)", model=shown.title_of(pinned.result.model))
    return Before.of(name, pinned.result.curve, curve)


def _of_what(result: PromptResult, shown: Shown) -> str:
    request = PromptRequest.of(shown.asked)
    assert result.curve is not None
    return ngettext(
        "{count} row of {total} is asked; the other ones give examples, in {orders} orders.",
        "{count} rows of {total} are asked; the other ones give examples, in {orders} orders.",
        result.rows,
        total=whole(result.total),
        orders=whole(request.orders),
    )


def waits(_document: Document, _card: ModelCard, _shown: Shown | None) -> bool:
    """Hundreds of prompts are read for the curve."""
    return True


PAGE = Page(
    OPERATION,
    blocks,
    pinnable=True,
    waits=waits,
    waiting_hint=N_(
        "Hundreds of prompts are read for the curve: some seconds with a small model. Press Run to "
        "see what examples are worth."
    ),
)
