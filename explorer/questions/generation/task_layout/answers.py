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
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note

MOST_TARGETS = 12
"""Target texts that are listed, the likeliest first; the export has all."""


def answer(shown: Shown) -> Iterator[Block]:
    """The answer, with what it was chosen from; nothing where there is none."""
    result: TaskLayoutResult = shown.result
    before: TaskLayoutResult | None = shown.before
    if before is not None and before.task != result.task:
        before = None
    if result.judged is not None:
        yield from _judged(result, result.judged, before)
    elif result.written is not None:
        yield from _written(result.written, before)


def _judged(
    result: TaskLayoutResult, judged: Judged, before: TaskLayoutResult | None
) -> Iterator[Block]:
    is_choice = TASKS[result.task].kind is Kind.CHOICE
    yield heading(_("The choices") if is_choice else _("The head’s classes"))
    if not judged.probabilities:
        value = with_minus(judged.logits[0], 4)
        yield Text(_("One number: {value}", value=value), "strong")
        then = _numbers(before)
        if then:
            yield note(_("Pinned: {value}", value=with_minus(next(iter(then.values())), 4)))
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
    then = _numbers(before)
    rows = []
    for number in sorted(range(len(judged.labels)), key=lambda n: -judged.probabilities[n]):
        chance, label = judged.probabilities[number], judged.labels[number]
        cells = [in_digits(chance), with_minus(judged.logits[number], 2)]
        rows.append(
            Row(
                label,
                (*cells, *_pinned_cell(before, then, label)),
                (Bar(chance),),
                lead=str(number + 1) if is_choice else "",
                mark=then.get(label),
                strong=number == judged.best,
                key=("answer", number),
            )
        )
    columns = [
        Column(_("probability")),
        Column(_("logit"), words=_("Its raw score, before the softmax."), dispensable=True),
        *_pinned_column(before),
    ]
    yield BarTable(rows, tuple(columns), Axis(1.0), title=_("Answers"), bold=False)


def _written(written: WrittenAnswer, before: TaskLayoutResult | None) -> Iterator[Block]:
    yield heading(_("What the decoder wrote"))
    yield Text(_("“{text}”", text=written.text), "strong")
    yield note(
        _(
            "Greedily, piece by piece; with its end it has the probability {share} "
            "(log-probability {value} nats).",
            share=in_digits(exp(written.log_probability)),
            value=with_minus(written.log_probability, 2),
        )
        if written.ended
        else _(
            "Greedily, piece by piece; it has the probability {share} (log-probability {value} "
            "nats).",
            share=in_digits(exp(written.log_probability)),
            value=with_minus(written.log_probability, 2),
        )
    )
    if before is not None and before.written is not None:
        yield note(_("Pinned: “{text}”", text=before.written.text))
    if written.targets:
        yield from _targets(written, before)
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


def _targets(written: WrittenAnswer, before: TaskLayoutResult | None) -> Iterator[Block]:
    yield heading(_("The texts of this task"))
    yield note(
        _("How probable each is as the whole answer, its end included; what is left is other text.")
    )
    ordered = sorted(
        written.targets,
        key=lambda one: (one.log_probability is None, -(one.log_probability or 0.0)),
    )
    then = _numbers(before)
    chances = [exp(one.log_probability) for one in ordered if one.log_probability is not None]
    rows = []
    for one in ordered[:MOST_TARGETS]:
        value = one.log_probability
        cells = [in_digits(exp(value)), with_minus(value, 2)] if value is not None else ["–", "–"]
        rows.append(
            Row(
                one.text,
                (*cells, *_pinned_cell(before, then, one.text)),
                (Bar(exp(value)) if value is not None else None,),
                mark=then.get(one.text),
                muted=value is None,
                strong=one.text == written.text,
                words=_("This vocabulary has no pieces for it.") if value is None else "",
                key=("target", one.text),
            )
        )
    columns = [
        Column(_("probability")),
        Column(_("ln p"), words=_("In nats"), dispensable=True),
        *_pinned_column(before),
    ]
    top = scale_for(max([*chances, *then.values()], default=1.0))
    title = _("Texts of this task")
    yield BarTable(rows, tuple(columns), Axis(top, titled=False), title=title, bold=False)
    left = len(ordered) - MOST_TARGETS
    if left > 0:
        said = _(
            "{count} more are in the export; together all have {share}.",
            count=left,
            share=in_digits(sum(chances)),
        )
        yield note(said)


def _numbers(before: TaskLayoutResult | None) -> dict[str, float]:
    """The pinned answer's probabilities by what they are of; a similarity's number alone."""
    if before is None:
        return {}
    if before.judged is not None:
        values = before.judged.probabilities or before.judged.logits
        return dict(zip(before.judged.labels, values, strict=True))
    told = before.written.targets if before.written is not None else ()
    return {one.text: exp(one.log_probability) for one in told if one.log_probability is not None}


def _pinned_cell(
    before: TaskLayoutResult | None, then: dict[str, float], label: str
) -> tuple[str, ...]:
    if before is None:
        return ()
    return (in_digits(then[label]) if label in then else "",)


def _pinned_column(before: TaskLayoutResult | None) -> tuple[Column, ...]:
    return () if before is None else (Column(_("pinned"), "muted"),)
