"""How large are the losses of distillation for this very input, layer by layer?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    STUDENT,
    TEACHER,
    BidirectionalPredictor,
    Cell,
    LayersFrom0,
    LeftOut,
    Listing,
    ModelStamp,
    Operation,
    PairClassifier,
    ReadsEntities,
    Table,
    Token,
    a_text,
    any_of,
    asked,
    spaces_stay_visible,
)
from explorer.api.question.roles import BySlot
from explorer.api.question.upgrades import FormerOption
from explorer.document import Mask
from explorer.questions.distillation.distillation_losses.settings import (
    DISTIL,
    FOLLOWS,
    MAP,
    MEASURE,
    OPTIONS,
    TEMPERATURE,
    WEIGHTS,
    Settings,
    followed,
    map_from_0,
)
from explorer.questions.distillation.distillation_losses.terms import table_of, terms
from explorer.questions.distillation.notes import noted
from explorer.questions.distillation.roles import SECOND_MODEL
from explorer.questions.distillation.soft_targets.settings import SWAP, SWAPPED
from explorer.text import N_, Phrase

Numbers = NDArray[np.float64]

SAME_WIDTH = N_("same width")
TRAINED = N_("trained projection")
LEAST_SQUARES = N_("least squares on this text")


@dataclass(frozen=True)
class DistillationLossesRequest(ReadsEntities):
    """Ask for every loss between a teacher and a student.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters; without any there are no losses of predictions.
        temperature: Of the distillation loss.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    temperature: float = asked(TEMPERATURE)


@dataclass(frozen=True)
class PredictionLosses:
    """Losses at the masks, averaged over them, in nats.

    Attributes:
        masks: How many there are.
        classes: Over how many words: the vocabulary, or what two vocabularies share.
        cross_entropy: ``-sum p log q`` at the temperature asked for.
        kl_teacher_student: ``KL(p || q)`` at that temperature.
        kl_student_teacher: ``KL(q || p)`` at that temperature.
        cross_entropy_t1: The same as cross_entropy at T = 1: TinyBERT's prediction loss.
        labelled: At how many masks the hidden word is known.
        student: ``-log q_y`` of the hidden words y, averaged over those; None without any.
        teacher: The teacher's own ``-log p_y``.
        temperatures: Those of the curves.
        kl_curve: ``KL(p || q)`` at each of them.
        gradient_curve: Length of ``(q - p) / T`` at each, averaged over the masks.
        are_classes: They are of a text as a whole, whose classes two classifiers tell apart; then
            "masks" is 1 and means the text.
        by_number: Its classes have different names and are compared by their numbers.
    """

    masks: int
    classes: int
    cross_entropy: float
    kl_teacher_student: float
    kl_student_teacher: float
    cross_entropy_t1: float
    labelled: int
    student: float | None
    teacher: float | None
    temperatures: Numbers
    kl_curve: Numbers
    gradient_curve: Numbers
    are_classes: bool = False
    by_number: bool = False


@dataclass(frozen=True)
class LayerLosses:
    """Every student layer against every teacher layer.

    Attributes:
        student_layers: M, embeddings not counted.
        teacher_layers: N, embeddings not counted.
        tokens: Over how many tokens the states are compared, special ones included.
        student_width: Of the student's states.
        teacher_width: Of the teacher's.
        projection: How the student's states are brought to the teacher's width: one of the three
            names above.
        hidden_mse: Mean squared difference of projected states, (M + 1) x (N + 1); row and column
            0 are the embeddings.
        cosine: Mean cosine of projected states with the teacher's, same shape.
        cka: Linear CKA of the states as they are, same shape.
        plain_mse: Mean squared difference of the states as they are, same shape; None where the
            widths differ.
        plain_cosine: Mean cosine of the states as they are; None where the widths differ.
        attention_mse: Of scores before the softmax, M x N; None where the heads differ in number.
        attention_kl: ``KL(teacher || student)`` of attention, a mean over heads and tokens, M x N;
            None where the heads differ in number; no number where it is infinite, as where a
            student sees nothing of what its teacher attends to.
        student_heads: In a layer.
        teacher_heads: In a layer.
        undefined: Fields in which "not a number" says that there is none.
    """

    undefined: ClassVar = frozenset({"attention_kl"})

    student_layers: int
    teacher_layers: int
    tokens: int
    student_width: int
    teacher_width: int
    projection: str
    hidden_mse: Numbers
    cosine: Numbers
    cka: Numbers
    plain_mse: Numbers | None
    plain_cosine: Numbers | None
    attention_mse: Numbers | None
    attention_kl: Numbers | None
    student_heads: int
    teacher_heads: int

    @property
    def fits_exactly(self) -> bool:
        """Least squares has at least as many unknowns as tokens, and so says nothing."""
        return self.projection == LEAST_SQUARES and self.tokens <= self.student_width


@dataclass(frozen=True)
class DistillationLossesResult:
    """All losses for one input.

    Attributes:
        model: The teacher.
        other: The student.
        tokens: The text as the teacher saw it.
        temperature: Of the distillation loss.
        predictions: At the masks; None where there are none.
        layers: Between the layers; None where the models can't be laid on each other.
        notes: What must be known before the numbers are believed.
        left_out: What did not fit into the teacher, or None.
    """

    model: ModelStamp
    other: ModelStamp
    tokens: tuple[Token, ...]
    temperature: float
    predictions: PredictionLosses | None
    layers: LayerLosses | None
    notes: tuple[Phrase, ...] = field(default=())
    left_out: LeftOut | None = None


def table(
    result: DistillationLossesResult,
    squared: bool = True,
    weights: Sequence[float] = WEIGHTS.default,
    distil: str = DISTIL.default,
    layer_map: str | tuple[int, ...] = MAP.default,
) -> Table:
    """One row a loss, those between layers one a pair of layers; else as the papers have it."""
    return table_of(result, followed(squared, weights, distil, layer_map))


COLUMN_TITLES = {
    "distillation": N_("Distillation loss"),
    "kl_teacher_student": N_("KL, teacher to student"),
    "kl_student_teacher": N_("KL, student to teacher"),
    "student": N_("Student loss"),
    "cosine": N_("Cosine loss"),
    "total": N_("Weighted sum"),
    "tinybert_embedding": N_("TinyBERT, embeddings"),
    "tinybert_hidden": N_("TinyBERT, hidden states"),
    "tinybert_attention": N_("TinyBERT, attention"),
    "tinybert_prediction": N_("TinyBERT, predictions"),
    "mobilebert_feature_map": N_("MobileBERT, feature maps"),
    "mobilebert_attention": N_("MobileBERT, attention"),
    "matched_by": N_("classes matched by"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: DistillationLossesResult) -> Mapping[str, Cell]:
    """Every loss by its name, in the settings of the papers; None where there is none."""
    found: dict[str, Cell] = {term.key: term.value for term in terms(result, Settings())}
    if result.predictions is not None and result.predictions.are_classes:
        found["matched_by"] = "number" if result.predictions.by_number else "name"
    return found


OPERATION = Operation(
    name="distillation_losses",
    title=N_("Distillation losses"),
    question=N_("How large is each loss of distillation for this input, layer by layer?"),
    listing=Listing(N_("Distillation"), 42, "function-variant", "Alt+Shift+2"),
    found_by=("distillation loss", "cosine loss", "hidden state loss", "TinyBERT", "증류 손실"),
    request=DistillationLossesRequest,
    result=DistillationLossesResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={**FOLLOWS, "measure": MEASURE},
    second_model_hint=SECOND_MODEL,
    made_from=noted,
    worst="kl_teacher_student",
    casting=BySlot((TEACHER, STUDENT), SWAPPED),
    roles=dict.fromkeys((TEACHER, STUDENT), (any_of(BidirectionalPredictor, PairClassifier),)),
    upgrades=(spaces_stay_visible, LayersFrom0()),
    formerly=("distillation",),
    former_options={"map": FormerOption("layer_map", map_from_0)},
    options=(SWAP, *OPTIONS),
    conditions=(
        a_text(N_("Type a sentence and mask a word in it to see the losses of distillation.")),
    ),
)
