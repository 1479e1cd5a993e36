"""What the page of a prompt draws itself: charts that have the pinned answer's curves, too."""

from collections.abc import Iterator

from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.charts import (
    DrawnCurve,
    accuracy_chart,
    drawn,
    loss_chart,
    repeated_charts,
)
from explorer.questions.generation.prompt.options import RULE
from explorer.questions.generation.prompt.parts import CURVES, REPEATED_CURVES
from explorer.questions.generation.prompt.question import QUESTION, PromptResult
from explorer.text import _
from explorer.ui.blocks import Block, CardWidth, ChartBlock, Shown, page_of_parts


def curves(shown: Shown) -> Iterator[Block]:
    """Accuracy and loss by the number of examples."""
    every = _drawn(shown)
    charts = accuracy_chart(every, Rule(shown.value(RULE))), loss_chart(every)
    yield ChartBlock(charts, narrowest=CardWidth.MEDIUM)


def repeated(shown: Shown) -> Iterator[Block]:
    """Whether answers are taken from the examples: the commonest of them, or the last."""
    own = [one for one in _drawn(shown) if not one.pinned]
    charts = repeated_charts(own, Rule(shown.value(RULE)))
    yield ChartBlock(charts, narrowest=CardWidth.MEDIUM)


def _drawn(shown: Shown) -> tuple[DrawnCurve, ...]:
    """Those of the answer, and of the pinned one."""
    result: PromptResult = shown.result
    models = result.every
    own = [(shown.title_of(one.model), one.curve) for one in models]
    if len(models) == 1:
        own = [(_("the model"), result.curve)]
    before: PromptResult | None = shown.before
    pinned = [
        (_("{model} (pinned)", model=shown.title_of(one.model)), one.curve)
        for one in (before.every if before is not None else ())
    ]
    return drawn(own, pinned)


PAGE = page_of_parts(QUESTION, {CURVES: curves, REPEATED_CURVES: repeated})
