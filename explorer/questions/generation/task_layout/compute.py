"""The layouts of every family, and the answer of the one that is loaded."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    CausalLM,
    Context,
    Encoded,
    GenerativeQA,
    MultipleChoice,
    PairClassifier,
    UserMistake,
    check_text,
)
from explorer.hf.generate.answers import WROTE_MASKS
from explorer.hf.generate.loop import write
from explorer.hf.generate.targets import log_probabilities_of
from explorer.numerics.spans import softmax
from explorer.questions.generation.task_layout.cutting import (
    Read,
    between_own_pieces,
    drawn_in,
    missing_from,
    passage_of,
    read_by,
    style_of,
)
from explorer.questions.generation.task_layout.layouts import (
    Item,
    LayoutStyle,
    LayoutWords,
    TaskTexts,
    laid_out,
    written,
)
from explorer.questions.generation.task_layout.options import BETWEEN, choices_of
from explorer.questions.generation.task_layout.question import (
    FamilyLayout,
    HeadOutput,
    TargetScore,
    TaskLayoutRequest,
    TaskLayoutResult,
    WrittenAnswer,
    WrittenPiece,
)
from explorer.questions.generation.task_layout.tasks import (
    OF_CLASSES,
    PAIRED,
    TASKS,
    Task,
    TaskKind,
)
from explorer.questions.generation.task_layout.wording import NO_PREFIX
from explorer.text import N_, Phrase

JUDGES_PAIRS = N_(
    "Its head says whether one text follows another, or in which order they are: "
    "that is none of these tasks."
)
ANSWERS_ELSEWHERE = N_(
    "Scores of every piece as the answer’s start and end are asked for on the "
    "page “Question answering”."
)
NO_HEAD = N_("This model has no such head.")
WHO_CLASSIFIES = N_(
    "Load bert-sentiment-miniature, one of your own whose class is called "
    "...ForSequenceClassification, or t5-tasks-miniature, which writes its answers."
)
WHO_CHOOSES = N_(
    "Load gpt1-choice-miniature or bert-endings-miniature, or a model of your own whose class is "
    "called ...ForMultipleChoice or ...DoubleHeadsModel."
)
WRITES_NOTHING = N_("An answer in words of its own takes a model whose decoder writes one, as T5.")
NOT_PUBLISHED = N_("No layout of this task was published for models that read from the left.")
TWO_CHOICES = N_("T5’s layout has exactly two choices.")
TOO_LONG = N_("A sequence has {count} pieces, and this model reads {most}. Shorten the text.")
HAS_MASKS = N_("There is a mask in the text, and this head reads none. Take the mask away.")
NO_END = N_("The text did not end within {count} tokens: allow more.")
UNTRAINED_PREFIX = N_(
    "Its config.json names no prefix of any task. T5 v1.1, mT5 and t5-miniature were trained on "
    "filling spans alone: what such a checkpoint writes here is no answer to the task."
)
OTHER_PREFIXES = N_(
    "Its config.json names prefixes ({prefixes}), and not this one, which it may never have read. "
    "The published T5 was trained on all of these tasks and names four."
)
PLAIN_TEXT = N_(
    "Without these pieces the head has read its text as the tokenizer splits it, "
    "and judges by the last piece, as transformers’ class does."
)


def run(model: Any, request: TaskLayoutRequest, context: Context) -> TaskLayoutResult:
    """Lay a task out in every family's way, and ask the model where it has a head for it.

    Raises:
        UserMistake: The text, the second text or the choices are missing.
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    task, texts = _checked(request)
    own = style_of(model)
    layouts, read = [], list[Read]()
    for style in sorted(LayoutStyle, key=lambda one: one is not own):
        items = laid_out(style, task, texts)
        if style is own:
            read = [read_by(model, style, one) for one in items]
        layouts.append(_layout(model, style, task, items, read if style is own else None))
        context.check()
    result = TaskLayoutResult(
        model.stamp,
        request.task,
        tuple(layouts),
        left_out=next((one.left_out for one in read if one.left_out is not None), None),
    )
    items = laid_out(own, task, texts)
    if own is LayoutStyle.T5:
        return _write(model, request, task, items, read, result, context)
    return _judge(model, task, items, read, result, context)


def _checked(request: TaskLayoutRequest) -> tuple[Task, TaskTexts]:
    """The task and its texts.

    Raises:
        UserMistake: Something is missing, or nothing that can be chosen.
    """
    check_text(request.text)
    task = TASKS[request.task]
    second, choices = (request.pair or "").strip(), choices_of(request.choices)
    if task.kind in PAIRED and not second:
        raise UserMistake(N_("This task is asked of two texts."), N_("Give the second text."))
    if task.kind is TaskKind.CHOICE and len(choices) < 2:
        raise UserMistake(
            N_("There is nothing to choose among."),
            N_("Give two choices at least, with {sign} between them."),
            sign=BETWEEN,
        )
    return task, TaskTexts(request.text, request.pair or "", choices, request.asks)


def _layout(
    model: Any,
    style: LayoutStyle,
    task: Task,
    items: Sequence[Sequence[Item]],
    read: Sequence[Read] | None,
) -> FamilyLayout:
    if read is not None:
        sequences = tuple(one.sequence for one in read)
    else:
        sequences = tuple(drawn_in(model, style, one) for one in items)
    if task.kind is TaskKind.ANSWER and style is LayoutStyle.BERT:
        sequences = tuple(map(passage_of, sequences))
    return FamilyLayout(
        style,
        sequences,
        own=read is not None,
        missing=missing_from(model, items)
        if read is not None and style is LayoutStyle.GPT1
        else (),
        written=written(items[0]) if style is LayoutStyle.T5 and items else "",
        targets=task.targets if style is LayoutStyle.T5 else (),
    )


def _judge(
    model: Any,
    task: Task,
    items: Sequence[Sequence[Item]],
    read: list[Read],
    result: TaskLayoutResult,
    context: Context,
) -> TaskLayoutResult:
    """What the head says that reads one state of each sequence."""
    kind = MultipleChoice if task.kind is TaskKind.CHOICE else PairClassifier
    head = model.ports.get(kind)
    why = _why_not(model, task, kind, head)
    if why:
        return replace(result, why=why)
    drawn = read
    is_plain = any(one.encoded is None for one in read)
    if is_plain:  # special pieces are missing
        plain = items if task.kind is TaskKind.CHOICE else items[:1]
        texts = [[item for item in one if isinstance(item, LayoutWords)] for one in plain]
        read = [between_own_pieces(model, one, last=True) for one in texts]
    inputs = [one.encoded for one in read if one.encoded is not None]
    why = _why_unread(model, result, inputs)
    if why:
        return replace(result, why=why)
    if task.kind is TaskKind.CHOICE:
        judged = _chosen(head.logits(inputs, context), items)
    else:
        # Both orders' states are added before the linear layer, which has no bias: so are scores.
        logits = sum(head.logits(one, context) for one in inputs)
        judged = _classified(model, head.labels, logits)
    if is_plain and drawn:
        judged = replace(judged, read=tuple(one.sequence for one in read))
        result = replace(result, notes=(Phrase(PLAIN_TEXT),))
    left_out = next((one.left_out for one in inputs if one.left_out is not None), None)
    return replace(result, judged=judged, left_out=left_out)


def _why_not(model: Any, task: Task, kind: type, head: Any) -> Phrase:
    """Why the model's head, or its lack, answers no such task; nothing where it does."""
    if task.kind is TaskKind.ANSWER:
        is_left = style_of(model) is LayoutStyle.GPT1
        return Phrase(NOT_PUBLISHED if is_left else ANSWERS_ELSEWHERE)
    if task.kind is TaskKind.TEXT:
        return Phrase(WRITES_NOTHING)
    if head is None:
        who = WHO_CHOOSES if task.kind is TaskKind.CHOICE else WHO_CLASSIFIES
        return Phrase.joined([model.refused.get(kind, NO_HEAD), who])
    if task.kind in OF_CLASSES and head.judges_pairs:
        return Phrase.joined([JUDGES_PAIRS, WHO_CLASSIFIES])
    return Phrase()


def _why_unread(model: Any, result: TaskLayoutResult, inputs: Sequence[Encoded]) -> Phrase:
    """Why these inputs are given to no head; nothing where they are."""
    if not any(one.own and one.style is LayoutStyle.GPT1 for one in result.layouts):
        return Phrase()
    longest = max(len(one.tokens) for one in inputs)
    if model.max_length is not None and longest > model.max_length:
        return Phrase(TOO_LONG, count=longest, most=model.max_length)
    if any(one.masked for own in inputs for one in own.tokens):
        return Phrase(HAS_MASKS)
    return Phrase()


def _chosen(logits: Any, items: Sequence[Sequence[Item]]) -> HeadOutput:
    """The choices by their scores."""
    values = logits.cpu().numpy().astype(np.float64)
    choices = tuple(
        next(item.text for item in one if isinstance(item, LayoutWords) and item.field != "first")
        for one in items
    )
    return HeadOutput(choices, tuple(values.tolist()), tuple(softmax(values).tolist()))


def _classified(model: Any, labels: tuple[str, ...], logits: Any) -> HeadOutput:
    """The classes by their scores; one alone is a number, and not a class."""
    values = logits.cpu().numpy().astype(np.float64)
    told = tuple(values.tolist())
    if len(labels) == 1:
        return HeadOutput(labels, told, ())
    if getattr(model.config, "problem_type", None) == "multi_label_classification":
        chances = 1 / (1 + np.exp(-values))
        return HeadOutput(labels, told, tuple(chances.tolist()), several=True)
    return HeadOutput(labels, told, tuple(softmax(values).tolist()))


def _write(
    model: Any,
    request: TaskLayoutRequest,
    task: Task,
    items: Sequence[Sequence[Item]],
    read: Sequence[Read],
    result: TaskLayoutResult,
    context: Context,
) -> TaskLayoutResult:
    """What the decoder writes in answer to the text."""
    writer = model.port(GenerativeQA)
    if not read:
        return replace(result, why=Phrase(TWO_CHOICES if task.prompt else NO_PREFIX))
    encoded = read[0].encoded
    assert encoded is not None
    writing = model.port(CausalLM).writing(encoded)
    steps = tuple(write(writing, request.max_new_tokens, context))
    own = [one.id for one in steps if not one.ends]
    ended = bool(steps) and steps[-1].ends
    pieces = tuple(
        WrittenPiece(
            "" if one.ends else writer.text([one.id]),
            one.id,
            float(one.warped.logs[one.id].exp()),
            one.ends,
        )
        for one in steps
    )
    known = prefixes_of(model.config)
    prefixed = any(written(one).startswith(known) for one in items)
    answer = WrittenAnswer(
        writer.text(own),
        pieces,
        ended,
        _targets(model, writing, task.targets, context),
        prefixed,
    )
    notes = []
    if not known:
        notes.append(Phrase(UNTRAINED_PREFIX))
    elif not prefixed:
        named = ", ".join(one.strip() for one in known)
        notes.append(Phrase(OTHER_PREFIXES, prefixes=named))
    if any(map(writer.is_mask, own)):
        notes.append(Phrase(WROTE_MASKS))
    elif not ended:
        notes.append(Phrase(NO_END, count=request.max_new_tokens))
    return replace(result, written=answer, notes=tuple(notes))


def prefixes_of(config: Any) -> tuple[str, ...]:
    """The prefixes of tasks that a checkpoint's config names."""
    tasks = getattr(config, "task_specific_params", None)
    told = tasks.values() if isinstance(tasks, dict) else ()
    found = (str(one.get("prefix") or "") for one in told if isinstance(one, dict))
    return tuple(one for one in found if one.strip())


def _targets(
    model: Any, writing: Any, targets: Sequence[str], context: Context
) -> tuple[TargetScore, ...]:
    """How probable each text is that the task has it write."""
    unknown = model.tokenizer.unk_token_id
    backend = model.tokenizer.backend_tokenizer
    texts = [backend.encode(one, add_special_tokens=False).ids for one in targets]
    ends = writing.opening.ends[:1]
    spelled = [number for number, ids in enumerate(texts) if ids and unknown not in ids]
    found = log_probabilities_of(writing, [[*texts[n], *ends] for n in spelled], context)
    values = dict(zip(spelled, found, strict=True))
    return tuple(TargetScore(text, values.get(n)) for n, text in enumerate(targets))
