"""The prompt, what may be answered to it, and accuracy and loss by the number of examples."""

from collections.abc import Iterator, Sequence

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.by_model import one_model, side_by_side
from explorer.questions.generation.prompt.charts import (
    Drawn,
    accuracy_chart,
    drawn,
    loss_chart,
    repeated_charts,
)
from explorer.questions.generation.prompt.options import RULE
from explorer.questions.generation.prompt.question import OPERATION, PromptRequest, PromptResult
from explorer.questions.generation.prompt.tables import numbers_table
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import heading, note, warning
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
REPEATED = N_(
    "A model that gives the commonest answer of its examples more often than it is right follows "
    "the majority label; one that gives the last one's, what it read most recently (Zhao et al. "
    "2021, section 4). The band goes from the worst order to the best."
)
ALL_DIFFER = N_(
    "No answer to a row is that of an example before it, so that there is no majority label here. "
    "A table with few answers, as yes and no, shows how strongly a model follows one."
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
    if result.refused:
        yield warning(said(result.refused))
    if result.second is None:
        yield from one_model(shown, result)
    else:
        yield from side_by_side(shown)
    curves = _curves(shown)
    if curves:
        yield heading(_("By the number of examples"))
        yield note(_of_what(result, shown))
        yield ChartBlock(
            (accuracy_chart(curves, rule), loss_chart(curves)), narrowest=CardWidth.MEDIUM
        )
        for one in result.every:
            if one.too_long:
                yield note(_ends(one.too_long))
        yield from _numbers(shown, rule)
        yield note(_(ABOUT), above=Space.APART)
        yield from _repeated(curves, rule)
    if any(one.best or (one.curve and one.curve.best_loss is not None) for one in result.every):
        yield note(_(BEST))
    yield note(_(SPACE))
    if result.note and result.second is None:
        yield note(said(result.note))


def _numbers(shown: Shown, rule: Rule) -> Iterator[Block]:
    """The curves in numbers, a table a model."""
    result: PromptResult = shown.result
    if result.second is None:
        assert result.curve is not None
        yield numbers_table(result.curve, rule)
        return
    cards = []
    for one in result.every:
        if one.curve is not None:
            name = shown.title_of(one.model)
            cards.append(Card((heading(name), numbers_table(one.curve, rule)), name))
    yield Columns(cards, CardWidth.WIDE, framed=False)


def _repeated(curves: Sequence[Drawn], rule: Rule) -> Iterator[Block]:
    """Whether answers are taken from the examples: the commonest of them, or the last."""
    own = [one for one in curves if not one.pinned]
    charts = repeated_charts(own, rule)
    if charts:
        yield heading(_("Answers taken from the examples"))
        yield note(_(REPEATED))
        yield ChartBlock(charts, narrowest=CardWidth.MEDIUM)
    elif max(own[0].curve.counts) > 1:
        yield note(_(ALL_DIFFER))


def _curves(shown: Shown) -> tuple[Drawn, ...]:
    """Those of the answer, and of the pinned one; none where the answer has none."""
    result: PromptResult = shown.result
    models = result.every
    if all(one.curve is None for one in models):
        return ()
    own = [(shown.title_of(one.model), one.curve) for one in models]
    if len(models) == 1:
        own = [(_("the model"), result.curve)]
    before: PromptResult | None = shown.before
    pinned = [
        (_("{model} (pinned)", model=shown.title_of(one.model)), one.curve)
        for one in (before.every if before is not None else ())
    ]
    return drawn(own, pinned)


def _ends(too_long: int) -> str:
    return ngettext(
        "With {count} example, questions of the table are longer than this model reads: the curve "
        "ends before that.",
        "With {count} examples, questions of the table are longer than this model reads: the curve "
        "ends before that.",
        too_long,
    )


def _of_what(result: PromptResult, shown: Shown) -> str:
    request = PromptRequest.of(shown.asked)
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
    draws_pinned=True,
    waits=waits,
    waiting_hint=N_(
        "Hundreds of prompts are read for the curve: some seconds with a small model. Press Run to "
        "see what examples are worth."
    ),
)
