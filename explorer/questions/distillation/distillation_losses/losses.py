"""What is measured between a teacher and a student: at the masks, and between their layers."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import LeftOut, ModelStamp, Token
from explorer.text import N_, Phrase

Numbers = NDArray[np.float64]

SAME_WIDTH = N_("same width")
TRAINED = N_("trained projection")
LEAST_SQUARES = N_("least squares on this text")


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

    @property
    def teacher_entropy(self) -> float:
        """``-sum p log p`` of the teacher at that temperature: H(p, q) = H(p) + KL(p || q)."""
        return self.cross_entropy - self.kl_teacher_student


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
