"""The losses of the papers as named terms, with their formulas and reductions, in one list."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.api.question import Table, column
from explorer.numerics.distributions.temperature import Floats
from explorer.numerics.layers import layer_map
from explorer.numerics.losses import weighted_sum
from explorer.questions.distillation.distillation_losses.losses import (
    DistillationLossesResult,
    LayerLosses,
    PredictionLosses,
)
from explorer.questions.distillation.distillation_losses.settings import INFINITE, KL, LossSettings
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.phrase import NOTHING

HINTON = N_("Soft targets")
DISTILBERT = "DistilBERT"
TINYBERT = "TinyBERT"
MOBILEBERT = "MobileBERT"

TOTAL = "total"
"""The key of the weighted sum."""


@dataclass(frozen=True)
class Term:
    """One loss.

    Attributes:
        key: "distillation", "tinybert_attention", ...
        group: Whose it is.
        title: What a person calls it.
        formula: As the paper writes it.
        reduction: What it is averaged or summed over, and its unit.
        value: None where it can't be computed.
        why: Why it can't; "" where it can.
        scale: What the value has been multiplied by (T^2, or 1).
        layers: (student layer, teacher layer, value) of the parts it is the sum of.
    """

    key: str
    group: str
    title: str
    formula: str
    reduction: str
    value: float | None
    why: str = ""
    scale: float = 1.0
    layers: tuple[tuple[int, int, float], ...] = ()


def layers_learnt(result: DistillationLossesResult, settings: LossSettings) -> tuple[int, ...]:
    """The teacher's layer for each student layer; empty where layers can't be compared."""
    found = result.layers
    if found is None:
        return ()
    return layer_map(
        settings.map_kind, found.student_layers, found.teacher_layers, settings.own_map
    )


def terms(result: DistillationLossesResult, settings: LossSettings) -> tuple[Term, ...]:
    """Every loss of the papers, in their order."""
    return (
        *_soft(result, settings),
        *_distilbert(result, settings),
        *_tinybert(result, settings),
        *_mobilebert(result, settings),
    )


NO_MASK = N_("Nothing is masked, or the models can't be compared at the masks.")
NO_LAYERS = N_("The layers of these models can't be compared token by token.")


def _soft(result: DistillationLossesResult, settings: LossSettings) -> tuple[Term, ...]:
    found = result.predictions
    t = result.temperature
    scale = t**2 if settings.squared else 1.0
    times = "T² · " if settings.squared else ""
    reduction = _averaged(found)

    def term(key: str, title: str, formula: str, value: float | None, what: str = "") -> Term:
        scaled = None if value is None else scale * value
        why = "" if value is not None else Phrase(NO_MASK)
        over = reduction if value is None else what or reduction
        return Term(key, HINTON, title, times + formula, over, scaled, why, scale)

    return (
        term(
            "distillation",
            Phrase(N_("Distillation loss")),
            "(−Σᵢ pᵢ log qᵢ)",
            None if found is None else found.cross_entropy,
        ),
        term(
            "kl_teacher_student",
            Phrase(N_("KL, teacher to student")),
            "Σᵢ pᵢ log (pᵢ / qᵢ)",
            None if found is None else found.kl_teacher_student,
        ),
        term(
            "teacher_entropy",
            Phrase(N_("Teacher's entropy")),
            "(−Σᵢ pᵢ log pᵢ)",
            None if found is None else found.teacher_entropy,
            Phrase(N_("the rest of the distillation loss: a constant, without a gradient")),
        ),
        term(
            "kl_student_teacher",
            Phrase(N_("KL, student to teacher")),
            "Σᵢ qᵢ log (qᵢ / pᵢ)",
            None if found is None else found.kl_student_teacher,
        ),
    )


def _averaged(found: PredictionLosses | None, *, several: bool = False) -> str:
    """What losses of predictions are averaged over, and their unit.

    Args:
        found: At the masks.
        several: Speak of masks where there is one alone, too.
    """
    if found is not None and found.are_classes:
        return Phrase(N_("the text's classes, nats"))
    if found is not None and found.masks == 1 and not several:
        return Phrase(N_("one mask, nats"))
    return Phrase(N_("mean over the masks, nats"))


def _distilbert(result: DistillationLossesResult, settings: LossSettings) -> tuple[Term, ...]:
    found, layers = result.predictions, result.layers
    student = None if found is None else found.student
    cosine, why = None, Phrase(NO_LAYERS)
    if layers is not None:
        why = Phrase(
            N_("The states are {teacher_width} and {student_width} wide."),
            teacher_width=layers.teacher_width,
            student_width=layers.student_width,
        )
        if layers.plain_cosine is not None:
            cosine, why = 1.0 - float(layers.plain_cosine[-1, -1]), NOTHING
    labelled = 0 if found is None else found.labelled
    unknown = Phrase(N_("[MASK] was typed: the true word is unknown."))
    if found is None:
        unknown = Phrase(NO_MASK)
    elif found.are_classes:
        unknown = Phrase(N_("Nobody knows the text's right class."))
    own = Term(
        "student",
        DISTILBERT,
        Phrase(N_("Student loss")),
        "−log q(y), T = 1",
        Phrase(N_("mean over the {labelled} masks whose word is known, nats"), labelled=labelled)
        if labelled != 1
        else Phrase(N_("one mask, nats")),
        student,
        "" if student is not None else unknown,
    )
    angle = Term(
        "cosine",
        DISTILBERT,
        Phrase(N_("Cosine loss")),
        "1 − cos(h student, h teacher)",
        Phrase(N_("last layer, mean over the tokens")),
        cosine,
        why,
    )
    return own, angle, _weighted(result, settings, student, cosine)


def _weighted(
    result: DistillationLossesResult,
    settings: LossSettings,
    student: float | None,
    cosine: float | None,
) -> Term:
    """DistilBERT's sum."""
    found = result.predictions
    distil = None
    if found is not None:
        by_kl = settings.distil == KL
        distil = found.kl_teacher_student if by_kl else found.cross_entropy
    scale = result.temperature**2 if settings.squared else 1.0
    value = None
    if distil is not None:
        value = weighted_sum((distil, student, cosine), settings.weights, (scale, 1.0, 1.0))
    constant = None
    if found is not None and settings.distil != KL:
        constant = settings.weights[0] * scale * found.teacher_entropy
    a, b, c = (f"{weight:g}" for weight in settings.weights)
    return Term(
        TOTAL,
        DISTILBERT,
        Phrase(N_("Weighted sum")),
        Phrase(
            N_("{a}{value} · distillation ({distil}) + {b} · student + {c} · cosine"),
            a=a,
            value=" T²" if settings.squared else "",
            distil=Phrase(settings.distil),
            b=b,
            c=c,
        ),
        _summed_up(student, cosine, constant),
        value,
        "" if value is not None else Phrase(NO_MASK),
    )


def _summed_up(student: float | None, cosine: float | None, constant: float | None) -> str:
    """Which of DistilBERT's losses the sum holds, and what of it no student can change."""
    if constant is not None:
        return Phrase(
            N_("{sum}; {constant} of it is the teacher's entropy, a constant"),
            sum=_summed_up(student, cosine, None),
            constant=significant(constant, 4),
        )
    if student is None and cosine is None:
        return Phrase(N_("sum without the student and the cosine loss"))
    if student is None:
        return Phrase(N_("sum without the student loss"))
    if cosine is None:
        return Phrase(N_("sum without the cosine loss"))
    return Phrase(N_("sum of the three"))


def _tinybert(result: DistillationLossesResult, settings: LossSettings) -> tuple[Term, ...]:
    layers, found = result.layers, result.predictions
    learnt = layers_learnt(result, settings)
    prediction = None if found is None else found.cross_entropy_t1
    embedding = None if layers is None else float(layers.hidden_mse[0, 0])
    how = "" if layers is None else _how(layers)
    many = Phrase(
        N_("sum over the layers of the mean over heads and pairs of tokens, before the softmax")
    )
    return (
        Term(
            "tinybert_embedding",
            TINYBERT,
            Phrase(N_("Embedding loss")),
            "MSE(Eˢ Wₑ, Eᵗ)",
            Phrase(N_("mean over tokens and width{how}"), how=how),
            embedding,
            "" if embedding is not None else Phrase(NO_LAYERS),
        ),
        _summed(
            "tinybert_hidden",
            TINYBERT,
            Phrase(N_("Hidden loss")),
            "Σₘ MSE(Hˢ Wₕ, Hᵗ)",
            Phrase(N_("sum over the layers of the mean over tokens and width{how}"), how=how),
            None if layers is None else lambda m, n: float(layers.hidden_mse[m, n]),
            learnt,
            Phrase(NO_LAYERS),
        ),
        _summed(
            "tinybert_attention",
            TINYBERT,
            Phrase(N_("Attention loss")),
            "Σₘ 1/h Σᵢ MSE(Aᵢˢ, Aᵢᵗ), A = Q Kᵀ / √d",
            many,
            _attention(layers, "mse"),
            learnt,
            _why_not_attention(layers),
        ),
        Term(
            "tinybert_prediction",
            TINYBERT,
            Phrase(N_("Prediction loss")),
            Phrase(N_("CE(zᵗ / t, zˢ / t), t = 1")),
            _averaged(found, several=True),
            prediction,
            "" if prediction is not None else Phrase(NO_MASK),
        ),
    )


def _mobilebert(result: DistillationLossesResult, settings: LossSettings) -> tuple[Term, ...]:
    layers = result.layers
    learnt = layers_learnt(result, settings)
    plain = None if layers is None else layers.plain_mse
    why = Phrase(NO_LAYERS)
    if layers is not None:
        why = Phrase(
            N_("The feature maps are {teacher_width} and {student_width} wide."),
            teacher_width=layers.teacher_width,
            student_width=layers.student_width,
        )
    return (
        _summed(
            "mobilebert_feature_map",
            MOBILEBERT,
            Phrase(N_("Feature map transfer")),
            "Σₗ 1/(T N) Σ (Hˢ − Hᵗ)²",
            Phrase(N_("sum over the layers of the mean over tokens and width, nothing projected")),
            None if plain is None else lambda m, n: float(plain[m, n]),
            learnt,
            why,
        ),
        _summed(
            "mobilebert_attention",
            MOBILEBERT,
            Phrase(N_("Attention transfer")),
            "Σₗ 1/(T A) Σ KL(aᵗ ‖ aˢ)",
            Phrase(N_("sum over the layers of the mean over heads and tokens, nats")),
            _attention(layers, "kl"),
            learnt,
            _why_not_attention(layers),
        ),
    )


Pairwise = Callable[[int, int], float]


def _attention(layers: LayerLosses | None, kind: str) -> Pairwise | None:
    if layers is None:
        return None
    found: Floats | None = layers.attention_mse if kind == "mse" else layers.attention_kl
    if found is None:
        return None
    chosen = found
    return lambda m, n: float(chosen[m - 1, n - 1])


def _why_not_attention(layers: LayerLosses | None) -> str:
    if layers is None:
        return Phrase(NO_LAYERS)
    return Phrase(
        N_("There are {teacher_heads} and {student_heads} heads in a layer."),
        teacher_heads=layers.teacher_heads,
        student_heads=layers.student_heads,
    )


def _summed(
    key: str,
    group: str,
    title: str,
    formula: str,
    reduction: str,
    value: Pairwise | None,
    learnt: tuple[int, ...],
    why: str,
) -> Term:
    """A loss summed over the layers of the map; `value` and `learnt` have rows of states."""
    if value is None:
        return Term(key, group, title, formula, reduction, None, why)
    parts = tuple((m - 1, n - 1, value(m, n)) for m, n in enumerate(learnt, start=1))
    total = float(np.sum([part for _unused, _unused, part in parts]))
    if not np.isfinite(total):
        return Term(key, group, title, formula, reduction, None, Phrase(INFINITE))
    return Term(key, group, title, formula, reduction, total, layers=parts)


def _how(layers: LayerLosses) -> str:
    if layers.projection == "same width":
        return Phrase(N_("; nothing projected, the widths are the same"))
    return (
        Phrase(N_("; W by {projection}"), projection=layers.projection)
        if "least" in layers.projection
        else Phrase(N_("; W as trained"))
    )


LOSS, HOW_LARGE = N_("loss"), N_("how large")
"""What the columns of a term are called, on the page and in files."""


@dataclass(frozen=True)
class DistillationLossRow:
    """A loss, or what a layer adds to it."""

    group: str = column(N_("paper"), key=True)
    loss: str = column(LOSS, key=True)
    student_layer: int | None = column(N_("student's layer"), key=True)
    teacher_layer: int | None = column(N_("teacher's layer"), key=True)
    value: float | None = column(HOW_LARGE)
    times_t_squared: bool = column(N_("times T²"), compared=False)
    temperature: float = column(N_("temperature"))
    formula: str = column(N_("formula"), compared=False)
    reduction: str = column(N_("averaged over"), compared=False)
    why_not: str = column(N_("why there is none"), compared=False)


def table_of(result: DistillationLossesResult, settings: LossSettings) -> Table:
    """Every term as a row, and every layer of it as one more."""
    rows = []
    t = result.temperature
    for term in terms(result, settings):
        shared = (t, str(term.formula), str(term.reduction), str(term.why))
        times = term.scale != 1.0 or (settings.squared and term.group == HINTON)
        title = str(term.title)
        rows.append(DistillationLossRow(term.group, title, None, None, term.value, times, *shared))
        rows.extend(
            DistillationLossRow(term.group, title, m, n, value, False, *shared)
            for m, n, value in term.layers
        )
    return Table.of(DistillationLossRow, rows)
