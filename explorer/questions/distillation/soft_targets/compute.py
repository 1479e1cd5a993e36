"""Asks two models for their distributions, and says what must be known of the comparison."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.question import (
    STUDENT,
    BidirectionalPredictor,
    Context,
    Unavailable,
    UserMistake,
    check_text,
    mask_of,
)
from explorer.numerics.distributions.comparing import compare
from explorer.questions.distillation.soft_targets.question import KEPT_LOGITS, SoftTargetsRequest
from explorer.questions.distillation.soft_targets.rows import Wanted
from explorer.questions.distillation.soft_targets.scored import (
    TextWithMasks,
    check_fill,
    scored_classes,
    scored_masks,
    tell_classes,
)
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD
from explorer.questions.distillation.soft_targets.targets import (
    CLASSES,
    MASKS,
    SoftTargetsResult,
    Targets,
)
from explorer.questions.distillation.soft_targets.word_by_word.compare_words import (
    compare_words,
)
from explorer.text import N_, Phrase


def means_classes(teacher: Any, student: Any, request: SoftTargetsRequest) -> bool:
    """Whether classes are meant: asked for, or possible where nothing is masked."""
    if request.what:
        return request.what == CLASSES
    both = (teacher, student)
    # Where every token may be masked in turn, models that can fill masks are asked to.
    if _is_masked(request) or (
        request.each and any(BidirectionalPredictor in m.ports for m in both)
    ):
        return False
    return tell_classes(teacher, student, request.pair)


def _is_masked(request: SoftTargetsRequest) -> bool:
    return TextWithMasks(request.text, request.pair, request.masks).has_masks


def compare_masks(
    teacher: Any, student: Any, request: SoftTargetsRequest, context: Context
) -> SoftTargetsResult:
    """Both models' scores at every mask.

    Raises:
        Unavailable: A model has no masked-LM head.
        UserMistake: Nothing is masked, or the two vocabularies share too little.
    """
    if request.each and not _is_masked(request):
        check_fill(teacher, student)
        return _compare_each(teacher, student, request, context)
    text = TextWithMasks(request.text, request.pair, request.masks)
    wanted = Wanted(request.top_k, request.words)
    both = scored_masks(teacher, student, text, context, wanted, request.least_share)
    kept = both.targets if request.keep_all else _within(both.targets, KEPT_LOGITS)
    notes = list(both.notes)
    if len(kept) < len(both.targets):
        notes.append(
            Phrase(
                N_(
                    "Only the first {kept} of {masks} masks are compared, because the "
                    "scores of a whole vocabulary are kept for each. Unmask some to see "
                    "the others."
                ),
                kept=len(kept),
                masks=len(both.targets),
            )
        )
    return SoftTargetsResult(
        teacher.stamp,
        student.stamp,
        both.readings.tokens,
        tuple(kept),
        both.vocabulary,
        MASKS,
        request.temperatures,
        both.readings.left.left_out,
        tuple(notes) + _said_of_words(kept[0], request),
    )


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
    both = scored_classes(teacher, student, request.text, request.pair, context, request.top_k)
    return SoftTargetsResult(
        teacher.stamp,
        student.stamp,
        both.readings.tokens,
        both.targets,
        both.vocabulary,
        CLASSES,
        request.temperatures,
        both.readings.left.left_out,
        both.notes,
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
