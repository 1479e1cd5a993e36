"""Computes the losses of distillation from two loaded models and one text."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    STUDENT,
    Context,
    LayerTrace,
    Unavailable,
    UserMistake,
    check_text,
)
from explorer.hf.states.layers import Floats32, LayerStates, trained_projection
from explorer.hf.text.paired import TwoReadings, read_twice
from explorer.numerics import losses
from explorer.numerics.distributions.temperature import temperatures_between
from explorer.numerics.layers import attention_mse, attention_transfer
from explorer.numerics.vectors.kernel_alignment import CentredStates, alignment
from explorer.numerics.vectors.similarity import least_squares, mean_cosine, mean_squared
from explorer.questions.distillation.distillation_losses.losses import (
    LEAST_SQUARES,
    SAME_WIDTH,
    TRAINED,
    DistillationLossesResult,
    LayerLosses,
    Numbers,
    PredictionLosses,
)
from explorer.questions.distillation.distillation_losses.question import DistillationLossesRequest
from explorer.questions.distillation.soft_targets.rows import Wanted
from explorer.questions.distillation.soft_targets.scored import (
    TextWithMasks,
    scored_classes,
    scored_masks,
    tell_classes,
)
from explorer.questions.distillation.soft_targets.targets import Targets
from explorer.text import N_, Phrase

CURVE_POINTS = 49
Project = Callable[[Floats32, int], Any]


def measure(
    teacher: Any, student: Any, request: DistillationLossesRequest, context: Context
) -> DistillationLossesResult:
    """Every loss that these two models have for this text.

    Raises:
        Unavailable: A model has no masked-LM head.
        Cancelled: The run was cancelled; checked before every layer.
    """
    notes: list[Phrase] = []
    readings = read_twice(teacher, student, request.text, request.pair, request.masks)
    predictions = _predictions(teacher, student, request, context, notes)
    layers = None
    if not readings.same_tokens:
        notes.append(
            Phrase(
                N_(
                    "The models split the text into different tokens, so their layers can't be "
                    "compared token by token."
                )
            )
        )
    else:
        layers = _layers(teacher, student, readings, context, notes)
    return DistillationLossesResult(
        teacher.stamp,
        student.stamp,
        readings.tokens,
        request.temperature,
        predictions,
        layers,
        tuple(notes),
        readings.left.left_out,
    )


def _predictions(
    teacher: Any,
    student: Any,
    request: DistillationLossesRequest,
    context: Context,
    notes: list[Phrase],
) -> PredictionLosses | None:
    text = TextWithMasks(request.text, request.pair, request.masks)
    if not text.has_masks:
        if not tell_classes(teacher, student, request.pair):
            notes.append(
                Phrase(N_("Nothing is masked: mask a word to see the losses of predictions."))
            )
            return None
        notes.append(
            Phrase(N_("Nothing is masked: the losses of predictions are those of the classes."))
        )
        classes = scored_classes(teacher, student, request.text, request.pair, context)
        notes.extend(classes.notes)
        return replace(
            prediction_losses(classes.targets, request.temperature),
            are_classes=True,
            by_number=not classes.vocabulary.same,
        )
    try:
        both = scored_masks(teacher, student, text, context, Wanted())
    except UserMistake as mistake:
        if isinstance(mistake, Unavailable):
            raise
        notes.append(Phrase(mistake.code, **mistake.values))
        return None
    notes.extend(both.notes)
    return prediction_losses(both.targets, request.temperature)


def prediction_losses(masks: tuple[Targets, ...], temperature: float) -> PredictionLosses:
    """Losses at masks, averaged over them.

    Args:
        masks: Both models' logits at each; one at least.
        temperature: Of the distillation loss.
    """

    def mean(loss: Callable[..., Any], at: float, *, swapped: bool = False) -> float:
        pairs = [(m.student, m.teacher) if swapped else (m.teacher, m.student) for m in masks]
        return float(np.mean([loss(first, second, at) for first, second in pairs]))

    known = [(m, m.original.index) for m in masks if m.original is not None]
    own, taught = (
        [float(losses.student_loss(logits[None], [label])[0]) for logits, label in chosen]
        for chosen in (
            [(m.student, label) for m, label in known],
            [(m.teacher, label) for m, label in known],
        )
    )
    at = temperatures_between(count=CURVE_POINTS)
    return PredictionLosses(
        masks=len(masks),
        classes=len(masks[0].teacher),
        cross_entropy=mean(losses.cross_entropy, temperature),
        kl_teacher_student=mean(losses.kl, temperature),
        kl_student_teacher=mean(losses.kl, temperature, swapped=True),
        cross_entropy_t1=mean(losses.cross_entropy, 1.0),
        labelled=len(known),
        student=float(np.mean(own)) if own else None,
        teacher=float(np.mean(taught)) if taught else None,
        temperatures=at,
        kl_curve=np.array([mean(losses.kl, float(t)) for t in at]),
        gradient_curve=np.array([mean(losses.gradient_norm, float(t)) for t in at]),
    )


def _layers(
    teacher: Any, student: Any, readings: TwoReadings, context: Context, notes: list[Phrase]
) -> LayerLosses | None:
    try:
        taught = teacher.port(LayerTrace).layers(readings.left, context)
        learnt = student.port(LayerTrace).layers(readings.right, context)
    except Unavailable as why:
        notes.append(Phrase(why.code, **why.values))
        return None
    trained = trained_projection(student, taught.width)
    found = layer_losses(learnt, taught, trained, context)
    if found.fits_exactly:
        notes.append(
            Phrase(
                N_(
                    "The student's states are brought to the teacher's width by least "
                    "squares on this text, and with {tokens} tokens and {student_width} "
                    "numbers in a state that fits exactly: hidden MSE and cosine say "
                    "nothing here. CKA needs no projection."
                ),
                tokens=found.tokens,
                student_width=found.student_width,
            )
        )
    elif found.projection == LEAST_SQUARES:
        notes.append(
            Phrase(
                N_(
                    "The student has no trained projection to the teacher's width: its "
                    "states are fitted by least squares on this text, which flatters it."
                )
            )
        )
    if found.attention_mse is None:
        notes.append(
            Phrase(
                N_(
                    "The teacher has {teacher_heads} attention heads in a layer and the "
                    "student {student_heads}: their attention can't be compared head by "
                    "head."
                ),
                teacher_heads=found.teacher_heads,
                student_heads=found.student_heads,
            )
        )
    return found


def layer_losses(
    learnt: LayerStates, taught: LayerStates, trained: Project | None, context: Context
) -> LayerLosses:
    """Every student layer against every teacher layer.

    Args:
        learnt: The student's states and scores.
        taught: The teacher's, of the same tokens.
        trained: From a student layer's states and its number (0 for the embeddings) to states as
            wide as the teacher's; None without one.
        context: Can stop it between two layers.
    """
    shape = (len(learnt.hidden), len(taught.hidden))
    hidden, cosine, cka = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    plain, plain_cosine = np.zeros(shape), np.zeros(shape)
    same_width = learnt.width == taught.width
    centred = [CentredStates(goal) for goal in taught.hidden]
    for row, states in enumerate(learnt.hidden):
        context.check()
        own = CentredStates(states)
        projected = trained(states, row) if trained is not None else states
        for column, goal in enumerate(taught.hidden):
            if trained is None and not same_width:
                projected = least_squares(states, goal)
            hidden[row, column] = mean_squared(projected, goal)
            cosine[row, column] = mean_cosine(projected, goal)
            cka[row, column] = alignment(own, centred[column])
            if same_width:
                plain[row, column] = mean_squared(states, goal)
                plain_cosine[row, column] = mean_cosine(states, goal)
    untrained = SAME_WIDTH if same_width else LEAST_SQUARES
    same_heads = learnt.heads == taught.heads
    return LayerLosses(
        student_layers=learnt.layers,
        teacher_layers=taught.layers,
        tokens=len(learnt.hidden[0]),
        student_width=learnt.width,
        teacher_width=taught.width,
        projection=TRAINED if trained is not None else untrained,
        hidden_mse=hidden,
        cosine=cosine,
        cka=cka,
        plain_mse=plain if same_width else None,
        plain_cosine=plain_cosine if same_width else None,
        attention_mse=_each(attention_mse, learnt, taught) if same_heads else None,
        attention_kl=_each(attention_transfer, learnt, taught) if same_heads else None,
        student_heads=learnt.heads,
        teacher_heads=taught.heads,
    )


def _each(loss: Callable[..., float], learnt: LayerStates, taught: LayerStates) -> Numbers:
    """A loss of attention scores, student layers x teacher layers; no number where infinite."""
    found = np.array([[loss(own, goal) for goal in taught.scores] for own in learnt.scores])
    return np.where(np.isinf(found), np.nan, found)


def run(
    teacher: Any, request: DistillationLossesRequest, context: Context
) -> DistillationLossesResult:
    """Run both models and compute every loss that can be computed.

    Raises:
        Unavailable: A model has no masked-LM head.
        UserMistake: A model is missing, there is no text, or a temperature is not above 0.
    """
    check_text(request.text)
    if not 0 < request.temperature < float("inf"):
        raise UserMistake(
            N_("A temperature must be above 0."), N_("Choose one between 0.25 and 20.")
        )
    student = context.model(STUDENT)
    context.check()
    return measure(teacher, student, request, context)
