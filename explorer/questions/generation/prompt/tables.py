"""The possible answers to the question, and the curve in numbers."""

import math

import numpy as np

from explorer.numerics.distributions.temperature import log_softmax
from explorer.questions.generation.prompt.answers.rules import Rule, chosen, shares
from explorer.questions.generation.prompt.charts import repeats
from explorer.questions.generation.prompt.question import RULES, Curve, Floats, PromptResult
from explorer.text import _
from explorer.text.formatting.numbers import decimal, percent, whole, with_minus
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row


def answers_table(result: PromptResult, rule: Rule, before: PromptResult | None = None) -> BarTable:
    """What may be answered, the chosen answer first; beside it what was pinned."""
    values = shares(result.scores, rule)
    pinned: dict[str, float] = {}
    if before is not None:
        names = (one.option for one in before.scores)
        pinned = dict(zip(names, shares(before.scores, rule).tolist(), strict=True))
    best = dict(result.best)
    rows = []
    for number in np.argsort(-values, kind="stable").tolist():
        one = result.scores[number]
        bars = [Bar(float(values[number]))]
        cells = [percent(float(values[number]), 1), with_minus(one.by(rule), 2)]
        cells += [percent(math.exp(one.log_probability), 1), whole(one.pieces)]
        if best:
            bars.append(Bar(best.get(one.option, 0.0), "bar_second", hollow=True))
            cells.append(percent(best.get(one.option, 0.0), 1))
        then = pinned.get(one.option)
        if before is not None:
            cells.append("" if then is None else percent(then, 1))
        rows.append(
            Row(
                one.option,
                tuple(cells),
                tuple(bars),
                mark=then,
                tag=_("right") if one.option == result.right else "",
                strong=number == chosen(result.scores, rule),
                key=("option", one.option),
            )
        )
    columns = [
        Column(_("share"), words=_("The scores as shares of one whole: their softmax.")),
        Column(_("score"), words=_("By which the answer is chosen, in nats."), dispensable=True),
        Column(
            _("probability"),
            words=_("Of the answer behind the prompt, among all texts."),
            dispensable=True,
        ),
        Column(_("pieces"), dispensable=True),
    ]
    if best:
        columns.append(Column(_("best learner"), "bar_second"))
    if before is not None:
        columns.append(Column(_("pinned"), "muted"))
    return BarTable(
        rows, tuple(columns), Axis(titled=False), title=_("Possible answers"), bold=False
    )


def orders_table(result: PromptResult) -> BarTable:
    """The same examples in other orders: what is answered then, by its probability."""
    rows = []
    for number, values in enumerate(result.by_order):
        found = np.exp(log_softmax(values))
        best = int(found.argmax())
        right = next(
            (at for at, one in enumerate(result.scores) if one.option == result.right), best
        )
        rows.append(
            Row(
                _("as shown") if number == 0 else _("order {number}", number=number + 1),
                (result.scores[best].option, percent(float(found[right]), 1)),
                (Bar(float(found[right])),),
                words=_in_order(result, number),
                key=("order", number),
            )
        )
    share = _("right answer") if result.right is not None else _("share")
    return BarTable(
        rows,
        (Column(_("answer"), left=True), Column(share)),
        Axis(titled=False),
        title=_("The same examples in other orders"),
        bold=False,
        track=True,
    )


def _in_order(result: PromptResult, number: int) -> str:
    """The examples' questions in one of the orders."""
    if not result.permutations:  # of an older version
        return ""
    told = (result.examples[at][0] for at in result.permutations[number])
    return _("In this order: {questions}", questions=", ".join(told))


def numbers_table(curve: Curve, rule: Rule) -> BarTable:
    """A row a number of examples."""
    at = RULES.index(rule)
    columns = [
        Column(_("right, %"), words=_("Mean of the orders, worst to best.")),
        Column(_("loss"), words=_("Nats of the right answer: mean of the orders, least to most.")),
    ]
    learned = curve.best_right is not None and curve.best_loss is not None
    if learned:
        columns += [Column(_("best learner, %"), "bar_second"), Column(_("its loss"), "bar_second")]
    # Where all answers differ, nothing is told by how often one is repeated.
    repeated = repeats(curve, rule)
    if repeated:
        columns += [
            Column(
                _("commonest, %"),
                words=_(
                    "How often the answer is given that most examples have, and in brackets how "
                    "often it is right."
                ),
            ),
            Column(
                _("last, %"),
                words=_(
                    "How often the last example's answer is given, and in brackets how often it is "
                    "right."
                ),
            ),
        ]
    rows = []
    for place, count in enumerate(curve.counts):
        cells = [_spread(100 * curve.right[at, place], 0), _spread(curve.loss[place], 2)]
        if curve.best_right is not None and curve.best_loss is not None:
            cells += [decimal(100 * float(curve.best_right[place].mean()), 0)]
            cells += [decimal(float(curve.best_loss[place].mean()), 2)]
        if repeated:
            cells += [
                _beside(curve.commonest[at, place], curve.due[0, place]) if count else "",
                _beside(curve.last[at, place], curve.due[1, place]) if count else "",
            ]
        rows.append(Row(whole(count), tuple(cells), key=("count", count)))
    return BarTable(rows, tuple(columns), title=_("Examples"), bold=False, ruled=True)


def _spread(values: Floats, places: int) -> str:
    mean, least, most = (
        decimal(float(one), places) for one in (values.mean(), values.min(), values.max())
    )
    if least == most:
        return mean
    return _("{mean} ({least} to {most})", mean=mean, least=least, most=most)


def _beside(said: Floats, due: Floats) -> str:
    return _(
        "{said} ({due})",
        said=decimal(100 * float(said.mean()), 0),
        due=decimal(100 * float(due.mean()), 0),
    )
