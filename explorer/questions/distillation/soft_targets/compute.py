"""Asks two models for their distributions, and says what must be known of the comparison."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    STUDENT,
    TEACHER,
    BidirectionalPredictor,
    Context,
    Encoded,
    Predictor,
    Unavailable,
    UserMistake,
    check_text,
    mask_of,
)
from explorer.api.question.parts.classes import matched_by_name
from explorer.document import Document
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.heads.classes import can_classify, class_logits
from explorer.hf.text.paired import read_twice
from explorer.hf.text.vocabularies.overlap import same_vocabulary
from explorer.numerics.distributions.comparing import compare
from explorer.questions.distillation.soft_targets.question import KEPT_LOGITS, SoftTargetsRequest
from explorer.questions.distillation.soft_targets.rows import Aligned, class_targets
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD
from explorer.questions.distillation.soft_targets.targets import (
    CLASSES,
    MASKS,
    SharedVocabulary,
    SoftTargetsResult,
    Targets,
)
from explorer.questions.distillation.soft_targets.word_by_word.compare_words import (
    JOINED,
    check_places,
    compare_words,
)
from explorer.text import N_, NN_, Phrase

NUMBERED = Phrase(
    N_(
        "The models name their classes differently: they are compared by number, and a row has "
        "both names. Whether classes of one number mean the same, only their makers know."
    )
)


def means_classes(teacher: Any, student: Any, request: SoftTargetsRequest) -> bool:
    """Whether classes are meant: asked for, or possible where nothing is masked."""
    if request.what:
        return request.what == CLASSES
    both = (teacher, student)
    # Where every token may be masked in turn, models that can fill masks are asked to.
    if is_masked(request) or (
        request.each and any(BidirectionalPredictor in m.ports for m in both)
    ):
        return False
    return all(can_classify(one, pair=bool(request.pair)) for one in both)


def is_masked(request: SoftTargetsRequest) -> bool:
    """Whether the user masked anything, or typed a mask."""
    return bool(request.masks or Document(request.text, request.pair).literal_masks())


def check_fills(model: Any, role: str) -> None:
    """Refuse a model that has no distribution of its own for what stands at a mask.

    Raises:
        Unavailable: It has no masked-LM head, or reads from the left only.
    """
    if BidirectionalPredictor not in model.ports:
        raise Unavailable(
            N_(
                "{id} can't be the {role} here: it has no masked-LM head that sees both sides of a "
                "mask."
            ),
            N_(
                "Choose two models that fill masks, such as BERT and DistilBERT, or compare them "
                "word by word."
            ),
            id=model.stamp.id,
            role=role,
        )


def compare_masks(
    teacher: Any, student: Any, request: SoftTargetsRequest, context: Context
) -> SoftTargetsResult:
    """Both models' scores at every mask.

    Raises:
        Unavailable: A model has no masked-LM head.
        UserMistake: Nothing is masked, or the two vocabularies share too little.
    """
    check_fills(teacher, TEACHER)
    check_fills(student, STUDENT)
    if request.each and not is_masked(request):
        return _compare_each(teacher, student, request, context)
    readings = read_twice(
        teacher,
        student,
        request.text,
        request.pair,
        request.masks,
        # A part of a word in one vocabulary has no counterpart in the other; a word may have.
        whole=not same_vocabulary(teacher.tokenizer, student.tokenizer),
    )
    check_places(readings)
    taught = scores_at_masks(teacher, readings.left, context)
    learnt = scores_at_masks(student, readings.right, context)
    aligned = Aligned(teacher.tokenizer, student.tokenizer, taught.shape[1], learnt.shape[1])
    masks: list[Targets] = []
    refused: list[Targets] = []
    for place in readings.places:
        targets = aligned.targets(taught[place.left], learnt[place.right], place, request)
        least = min(targets.teacher_mass, targets.student_mass)
        enough = len(targets.teacher) > 0 and least >= request.least_share
        (masks if aligned.same or enough else refused).append(targets)
    if not masks:
        raise _too_little(refused, request.least_share)
    rows = taught.shape[1], learnt.shape[1]
    notes = list(_said_of_vocabularies(aligned.same, rows, masks, refused, request.least_share))
    if readings.joined:
        notes.append(JOINED)
    kept = masks if request.keep_all else _within(masks, KEPT_LOGITS)
    if len(kept) < len(masks):
        notes.append(
            Phrase(
                N_(
                    "Only the first {kept} of {masks} masks are compared, because the "
                    "scores of a whole vocabulary are kept for each. Unmask some to see "
                    "the others."
                ),
                kept=len(kept),
                masks=len(masks),
            )
        )
    least = min(min(one.teacher_mass, one.student_mass) for one in masks)
    vocabulary = SharedVocabulary(
        aligned.same, taught.shape[1], learnt.shape[1], len(masks[0].teacher), least
    )
    return SoftTargetsResult(
        teacher.stamp,
        student.stamp,
        readings.tokens,
        tuple(kept),
        vocabulary,
        MASKS,
        request.temperatures,
        readings.left.left_out,
        tuple(notes) + _said_of_words(kept[0], request),
    )


def scores_at_masks(model: Any, encoded: Encoded, context: Context) -> NDArray[np.float32]:
    """A model's scores at every mask: log-probabilities, which are logits less a constant.

    Returns:
        Shape [masks, vocabulary], in the order of the input.
    """
    rows: NDArray[np.float32] = rows_at_masks(model.port(Predictor), encoded, context).cpu().numpy()
    return rows


def _compare_each(
    teacher: Any, student: Any, request: SoftTargetsRequest, context: Context
) -> SoftTargetsResult:
    """Both models' scores at every token of the text, each masked alone.

    Raises:
        UserMistake: The text has no tokens, or the vocabularies share too little at all of them.
    """
    refusal = UserMistake(N_("There is nothing to mask in this text."), N_("Type a sentence."))
    found: list[SoftTargetsResult] = []
    tokens = teacher.encode(request.text, request.pair).tokens
    for position, token in enumerate(tokens):
        if token.special or token.reserved or token.start == token.end:
            continue
        mask = mask_of(tokens, position)
        alone = replace(request, masks=(mask,), each=False, keep_all=True)
        try:
            found.append(compare_masks(teacher, student, alone, context))
        except UserMistake as mistake:
            if isinstance(mistake, Unavailable):
                raise
            refusal = mistake
    if not found:
        raise refusal
    least = min(one.vocabulary.shared_mass for one in found)
    return replace(
        found[0],
        masks=tuple(mask for one in found for mask in one.masks),
        vocabulary=replace(found[0].vocabulary, shared_mass=least),
        notes=(
            Phrase(
                N_("Every token was masked in turn, each alone: {count} places."), count=len(found)
            ),
        ),
    )


def _within(masks: Sequence[Targets], limit: int) -> list[Targets]:
    """The first masks whose scores fit the limit; one at least."""
    kept: list[Targets] = []
    used = 0
    for one in masks:
        used += one.teacher.size + one.student.size
        if kept and used > limit:
            break
        kept.append(one)
    return kept


def _too_little(refused: Sequence[Targets], least: float) -> UserMistake:
    found = max(refused, key=lambda one: min(one.teacher_mass, one.student_mass))
    mass = min(found.teacher_mass, found.student_mass)
    return UserMistake(
        N_(
            "The words that both vocabularies have as one piece hold {mass} of the teacher's "
            "probability; below {least} a comparison would say little."
        )
        if found.teacher_mass <= found.student_mass
        else N_(
            "The words that both vocabularies have as one piece hold {mass} of the student's "
            "probability; below {least} a comparison would say little."
        ),
        N_("Compare two models whose vocabularies have more in common."),
        mass=f"{mass:.0%}",
        least=f"{least:.0%}",
    )


def _said_of_vocabularies(
    same: bool,
    rows: tuple[int, int],
    masks: Sequence[Targets],
    refused: Sequence[Targets],
    least: float,
) -> list[Phrase]:
    if same and rows[0] == rows[1]:
        return []
    shared = len(masks[0].teacher)
    teacher, student = (
        min(masses)
        for masses in zip(*((one.teacher_mass, one.student_mass) for one in masks), strict=True)
    )
    if same:
        cut = Phrase(
            N_(
                "The pieces are the same, but the teacher's table has {teacher_rows} rows and the "
                "student's {student_rows}: both distributions are renormalised over the first "
                "{shared}. These hold {teacher} of the teacher's probability and {student} of the "
                "student's (T = 1)."
            ),
            teacher_rows=rows[0],
            student_rows=rows[1],
            shared=shared,
            teacher=f"{teacher:.2%}",
            student=f"{student:.2%}",
        )
        return [cut]
    first = Phrase(
        N_(
            "The vocabularies differ: the models are compared on the {shared} "
            "words that both have as one piece. These hold {teacher} of the "
            "teacher's probability and {student} of the student's (T = 1); both "
            "are renormalised over them."
        ),
        shared=shared,
        teacher=f"{teacher:.1%}",
        student=f"{student:.1%}",
    )
    said = [first]
    if refused:
        said.append(
            Phrase(
                NN_(
                    "{count} mask is left out: the shared words hold less than {least} there.",
                    "{count} masks are left out: the shared words hold less than {least} there.",
                ),
                count=len(refused),
                least=f"{least:.0%}",
            )
        )
    return said


def _said_of_words(targets: Targets, request: SoftTargetsRequest) -> tuple[Phrase, ...]:
    if not request.words:
        return ()
    said = [one.why for one in targets.words if one.why]
    only = targets.only
    if only is None:
        return (
            *said,
            Phrase(N_("None of these words can be compared: the whole vocabulary is shown.")),
        )
    whole = compare(targets.teacher, targets.student)
    chosen = list(only)
    share = Phrase(
        N_(
            "Only {count} words count, and both distributions are renormalised over "
            "them: of the whole vocabulary (T = 1) they hold {teacher} for the teacher "
            "and {student} for the student."
        ),
        count=len(only),
        teacher=f"{whole.teacher[chosen].sum():.1%}",
        student=f"{whole.student[chosen].sum():.1%}",
    )
    return (*said, share)


def compare_classes(
    teacher: Any, student: Any, request: SoftTargetsRequest, context: Context
) -> SoftTargetsResult:
    """Both classifiers' scores for the text, classes of the same name beside each other.

    Raises:
        Unavailable: A model is no classifier.
        UserMistake: They tell different numbers of classes apart.
    """
    readings = read_twice(teacher, student, request.text, request.pair)
    names, taught = class_logits(teacher, readings.left, context, pair=bool(request.pair))
    other_names, learnt = class_logits(student, readings.right, context, pair=bool(request.pair))
    if len(names) != len(other_names):
        raise UserMistake(
            N_("The teacher tells {count} classes apart and the student {others}."),
            N_("Compare two classifiers of the same classes."),
            count=len(names),
            others=len(other_names),
        )
    notes = []
    matched = matched_by_name(names, other_names)
    if matched is not None:
        learnt = learnt[list(matched)]
    else:
        names = tuple(map("{} | {}".format, names, other_names))
        notes.append(NUMBERED)
    targets = class_targets(names, taught, learnt, request.top_k)
    return SoftTargetsResult(
        teacher.stamp,
        student.stamp,
        readings.tokens,
        (targets,),
        SharedVocabulary(matched is not None, len(names), len(names), len(names)),
        CLASSES,
        request.temperatures,
        readings.left.left_out,
        tuple(notes),
    )


def run(teacher: Any, request: SoftTargetsRequest, context: Context) -> SoftTargetsResult:
    """Run both models once each and lay their scores side by side.

    Raises:
        Unavailable: A model has no head for it.
        UserMistake: A model is missing, nothing is masked, a temperature is not above 0, or the
            two vocabularies share too little.
    """
    check_text(request.text)
    student = context.model(STUDENT)
    context.check()
    if request.what == EVERY_WORD:
        return compare_words(teacher, student, request, context)
    if means_classes(teacher, student, request):
        return compare_classes(teacher, student, request, context)
    return compare_masks(teacher, student, request, context)
