"""What the model answered: probabilities of classes, choices or target texts, and what it wrote."""

from collections.abc import Iterator
from math import exp

from explorer.questions.generation.task_layout.question import (
    Judged,
    TaskLayoutResult,
    WrittenAnswer,
)
from explorer.questions.generation.task_layout.tasks import TASKS, Kind
from explorer.text import _
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.parts.class_table import class_table

MOST_TARGETS = 12
"""Target texts that are listed, the likeliest first; the export has all."""


def answer(result: TaskLayoutResult, before: TaskLayoutResult | None) -> Iterator[Block]:
    """The answer, with what it was chosen from; nothing where there is none.

    Args:
        result: What is shown.
        before: The pinned answer; None where nothing is pinned.
    """
    if result.judged is not None:
        yield from _judged(result.judged, is_choice=TASKS[result.task].kind is Kind.CHOICE)
    elif result.written is not None:
        is_comparable = before is not None and before.task == result.task
        yield from _written(result.written, before.written if before and is_comparable else None)


def _judged(judged: Judged, *, is_choice: bool) -> Iterator[Block]:
    yield heading(_("The choices") if is_choice else _("The head’s classes"))
    chances = judged.probabilities
    if not chances:
        value = with_minus(judged.logits[0], 4)
        yield Text(_("One number: {value}", value=value), "strong")
        return
    if judged.several:
        yield note(_("Several classes may be right: each has a probability of its own."))
    elif not is_choice:
        yield note(
            _(
                "Its classes are those of its config.json; which task they were trained for is not "
                "written there."
            )
        )
    yield class_table(
        judged.labels,
        chances,
        judged.logits,
        titles=(_("Answers"), ""),
        key=lambda number: ("answer", number),
        order=sorted(range(len(chances)), key=lambda n: -chances[n]),
        strong=judged.best,
        first=1 if is_choice else 0,
    )


def _written(written: WrittenAnswer, before: WrittenAnswer | None) -> Iterator[Block]:
    yield heading(_("What the decoder wrote"))
    yield Text(_("“{text}”", text=written.text), "strong")
    values = {
        "share": in_digits(exp(written.log_probability)),
        "value": with_minus(written.log_probability, 2),
    }
    yield note(
        _(
            "Greedily, piece by piece; with its end it has the probability {share} "
            "(log-probability {value} nats).",
            **values,
        )
        if written.ended
        else _(
            "Greedily, piece by piece; it has the probability {share} (log-probability {value} "
            "nats).",
            **values,
        )
    )
    if before is not None:
        yield note(_("Pinned: “{text}”", text=before.text))
    if written.targets:
        yield from _targets(written)
    yield heading(_("Piece by piece"))
    yield _pieces(written)


def _pieces(written: WrittenAnswer) -> BarTable:
    rows = [
        Row(
            _("end") if one.ends else one.text or _("piece {id}", id=one.id),
            (in_digits(one.probability),),
            (Bar(one.probability),),
            lead=str(number),
            muted=one.ends,
            key=("written", number),
        )
        for number, one in enumerate(written.pieces, start=1)
    ]
    columns = (Column(_("p"), words=_("After all pieces before it.")),)
    axis = Axis(1.0, titled=False)
    return BarTable(rows, columns, axis, title=_("Pieces it wrote"), bold=False)


def _targets(written: WrittenAnswer) -> Iterator[Block]:
    yield heading(_("The texts of this task"))
    yield note(
        _("How probable each is as the whole answer, its end included; what is left is other text.")
    )
    ordered = sorted(
        written.targets,
        key=lambda one: (one.log_probability is None, -(one.log_probability or 0.0)),
    )
    chances = [exp(one.log_probability) for one in ordered if one.log_probability is not None]
    rows = []
    for one in ordered[:MOST_TARGETS]:
        value = one.log_probability
        rows.append(
            Row(
                one.text,
                ("–", "–") if value is None else (in_digits(exp(value)), with_minus(value, 2)),
                (Bar(exp(value)) if value is not None else None,),
                muted=value is None,
                strong=one.text == written.text,
                words=_("This vocabulary has no pieces for it.") if value is None else "",
                key=("target", one.text),
            )
        )
    columns = (
        Column(_("probability")),
        Column(_("ln p"), words=_("In nats"), dispensable=True),
    )
    axis = Axis(scale_for(max(chances, default=1.0)), titled=False)
    yield BarTable(rows, columns, axis, title=_("Texts of this task"), bold=False)
    left = len(ordered) - MOST_TARGETS
    if left > 0:
        said = _(
            "{count} more are in the export; together all have {share}.",
            count=left,
            share=in_digits(sum(chances)),
        )
        yield note(said)
