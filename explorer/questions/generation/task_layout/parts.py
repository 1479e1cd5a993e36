"""Each family's sequences for a task, where the answer is read out, and what the model answered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp

from explorer.api.question import Cards, Manner, OneCard, Rows, Said, Width, column
from explorer.questions.generation.task_layout.question import (
    FamilyLayout,
    HeadOutput,
    PlacedSequence,
    TaskLayoutRequest,
    TaskLayoutResult,
    WrittenAnswer,
)
from explorer.questions.generation.task_layout.tasks import TASKS, TaskKind
from explorer.questions.generation.task_layout.wording import (
    below_said,
    missing_said,
    published_in,
    read_out_said,
    sequence_said,
    targets_said,
    texts_said,
    title_of,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits

MOST_TARGETS = 12
"""Target texts that are listed, the likeliest first; the export has all."""
OTHERS = N_("Other families’ layouts")
AROUND = N_("Their special pieces, around the pieces of this model’s tokenizer.")


@dataclass(frozen=True)
class AnsweredRow:
    """A class or a choice, as the head has it."""

    label: str = column(N_("answer"), key=True)
    number: int = column(N_("number"), compared=False)
    probability: float = column(N_("probability"), written=in_digits)
    logit: float = column(
        N_("logit"), digits=2, tip=N_("Its raw score, before the softmax."), dispensable=True
    )


@dataclass(frozen=True)
class WrittenRow:
    """A piece that the decoder wrote."""

    number: int = column(N_("number"), key=True)
    piece: str = column(N_("piece"))
    p: float = column(N_("p"), tip=N_("After all pieces before it."), written=in_digits)


@dataclass(frozen=True)
class TargetTextRow:
    """A text of the task, as the whole answer."""

    text: str = column(N_("text"), key=True)
    probability: float | None = column(N_("probability"), written=in_digits)
    log: float | None = column(N_("ln p"), tip=N_("In nats"), digits=2, dispensable=True)


def parts(
    result: TaskLayoutResult,
    request: TaskLayoutRequest | None = None,
    titles: Mapping[str, str] | None = None,
) -> Iterator[Said | Cards | Rows | PlacedSequence]:
    """The model's own layout beside its answer, then the other families'.

    Args:
        result: The answer.
        request: What was asked; None where nobody knows.
        titles: What people read for models, by their ids.
    """
    if result.why:
        yield Said(Phrase(N_("Nothing is computed. {why}"), why=result.why), near=True)
    own, *others = result.layouts
    laid: list[Said | PlacedSequence] = [
        Said(texts_said(request) if request is not None else "", near=True)
    ]
    laid += _own(result, own, titles)
    answered = tuple(_answer(result))
    around = (Said(OTHERS, Manner.TITLE), Said(AROUND, Manner.EXPLANATION, near=True))
    if answered:
        beside = (part for one in others for part in _layout(result, one, title_of(one)))
        both = (OneCard("", (*laid, *around, *beside)), OneCard("", answered))
        yield Cards(both, Width.WIDE, framed=False, shares=(1.7, 1.0))
        return
    yield from laid
    yield from around
    cards = tuple(OneCard("", tuple(_layout(result, one, title_of(one)))) for one in others)
    yield Cards(cards, Width.WIDE, framed=False)


def _own(
    result: TaskLayoutResult, layout: FamilyLayout, titles: Mapping[str, str] | None
) -> Iterator[Said | PlacedSequence]:
    title = Phrase(
        N_("As {model} reads it: {layout}"),
        model=(titles or {}).get(result.model.id, result.model.name),
        layout=Phrase(title_of(layout)),
    )
    yield from _layout(result, layout, title)
    if result.judged is not None and result.judged.read:
        yield Said(N_("What its head has read"), Manner.TITLE)
        for number, sequence in enumerate(result.judged.read):
            yield PlacedSequence(result.task, layout, sequence, "read", number)


def _layout(
    result: TaskLayoutResult, layout: FamilyLayout, title: str
) -> Iterator[Said | PlacedSequence]:
    task = TASKS[result.task]
    yield Said(title, Manner.TITLE)
    yield Said(published_in(layout), Manner.EXPLANATION, near=True)
    yield Said(missing_said(layout), Manner.WARNING, near=True)
    for number, sequence in enumerate(layout.sequences):
        yield Said(sequence_said(result, layout, number), Manner.PLAIN, near=True)
        yield PlacedSequence(result.task, layout, sequence, layout.style.value, number)
    yield Said(below_said(layout), Manner.EXPLANATION, near=True)
    how = Manner.EXPLANATION if layout.sequences else Manner.PLAIN
    yield Said(read_out_said(layout, task), how, near=True)
    for words in targets_said(layout, result.task):
        yield Said(words, Manner.PLAIN, near=True)


def _answer(result: TaskLayoutResult) -> Iterator[Said | Rows]:
    """The answer with what it was chosen from; nothing where there is none."""
    if result.judged is not None:
        yield from _judged(result.judged, is_choice=TASKS[result.task].kind is TaskKind.CHOICE)
    elif result.written is not None:
        yield from _written(result.written)


def _judged(judged: HeadOutput, *, is_choice: bool) -> Iterator[Said | Rows]:
    yield Said(N_("The choices") if is_choice else N_("The head’s classes"), Manner.TITLE)
    chances = judged.probabilities
    if not chances:
        value = with_minus(judged.logits[0], 4)
        yield Said(Phrase(N_("One number: {value}"), value=value), Manner.STRONG)
        return
    if judged.several:
        yield Said(N_("Several classes may be right: each has a probability of its own."))
    elif not is_choice:
        yield Said(
            N_(
                "Its classes are those of its config.json; which task they were trained for is not "
                "written there."
            )
        )
    rows = tuple(
        AnsweredRow(judged.labels[n], n + is_choice, chances[n], judged.logits[n])
        for n in sorted(range(len(chances)), key=lambda n: -chances[n])
    )
    yield Rows(AnsweredRow, rows, bar="probability", scale=(0.0, 1.0), in_files=False)


def _written(written: WrittenAnswer) -> Iterator[Said | Rows]:
    yield Said(N_("What the decoder wrote"), Manner.TITLE)
    yield Said(Phrase("“{text}”", text=written.text), Manner.STRONG)
    code = N_(
        "Greedily, piece by piece; it has the probability {share} (log-probability {value} nats)."
    )
    if written.ended:
        code = N_(
            "Greedily, piece by piece; with its end it has the probability {share} "
            "(log-probability {value} nats)."
        )
    share, value = exp(written.log_probability), with_minus(written.log_probability, 2)
    yield Said(Phrase(code, share=in_digits(share), value=value), near=True)
    if written.targets:
        yield from _targets(written)
    yield Said(N_("Piece by piece"), Manner.TITLE)
    rows = tuple(
        WrittenRow(number, _piece(one.text, one.id, ends=one.ends), one.probability)
        for number, one in enumerate(written.pieces, start=1)
    )
    yield Rows(WrittenRow, rows, bar="p", scale=(0.0, 1.0), in_files=False)


def _piece(text: str, number: int, *, ends: bool) -> str:
    return Phrase(N_("end")) if ends else text or Phrase(N_("piece {id}"), id=number)


def _targets(written: WrittenAnswer) -> Iterator[Said | Rows]:
    yield Said(N_("The texts of this task"), Manner.TITLE)
    yield Said(
        N_(
            "How probable each is as the whole answer, its end included; what is left is other "
            "text."
        ),
        near=True,
    )
    known = [one for one in written.targets if one.log_probability is not None]
    known.sort(key=lambda one: -(one.log_probability or 0.0))
    rows = [TargetTextRow(one.text, exp(log := one.log_probability or 0.0), log) for one in known]
    together = sum(row.probability or 0.0 for row in rows)
    rows += [
        TargetTextRow(one.text, None, None)
        for one in written.targets
        if one.log_probability is None
    ]
    unknown = N_("This vocabulary has no pieces for it.")
    yield Rows(
        TargetTextRow,
        tuple(rows),
        bar="probability",
        most=MOST_TARGETS,
        words=lambda row: unknown if row.probability is None else "",
        chosen=lambda row: row.text == written.text,
        in_files=False,
    )
    left = len(rows) - MOST_TARGETS
    if left > 0:
        code = NN_(
            "{count} more is in the export; together all have {share}.",
            "{count} more are in the export; together all have {share}.",
        )
        yield Said(Phrase(code, count=left, share=in_digits(together)), near=True)
