"""Two models' distributions over the same classes, side by side at one temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.numerics.temperature import Floats, Logits, log_softmax


@dataclass(frozen=True)
class Comparison:
    """What two distributions have in common, in nats.

    Attributes:
        temperature: What both models' logits were divided by.
        teacher: Probabilities, one a class.
        student: Probabilities, one a class.
        teacher_entropy: Of the teacher's.
        student_entropy: Of the student's.
        kl_teacher_student: ``KL(teacher || student)``.
        kl_student_teacher: ``KL(student || teacher)``.
        cross_entropy: Of the student's under the teacher's.
    """

    temperature: float
    teacher: Floats
    student: Floats
    teacher_entropy: float
    student_entropy: float
    kl_teacher_student: float
    kl_student_teacher: float
    cross_entropy: float

    @property
    def teacher_top(self) -> float:
        """Probability of the teacher's likeliest class."""
        return float(self.teacher.max())

    @property
    def student_top(self) -> float:
        """Probability of the student's likeliest class."""
        return float(self.student.max())


def compare(
    teacher: Logits, student: Logits, temperature: float = 1.0, only: Sequence[int] | None = None
) -> Comparison:
    """Compare two models at one place.

    Args:
        teacher: Logits, one a class.
        student: Logits of the same classes.
        temperature: What both are divided by.
        only: Indices of the classes that count; both distributions are renormalised over them.
    """
    if only is not None:
        chosen = np.asarray(only, dtype=np.int64)
        teacher, student = teacher[chosen], student[chosen]
    p_logs, q_logs = log_softmax(teacher, temperature), log_softmax(student, temperature)
    p, q = np.exp(p_logs), np.exp(q_logs)
    teacher_entropy = -float((p * p_logs).sum())
    crossed = -float((p * q_logs).sum())
    return Comparison(
        temperature,
        p,
        q,
        max(0.0, teacher_entropy),
        max(0.0, -float((q * q_logs).sum())),
        max(0.0, float((p * (p_logs - q_logs)).sum())),
        max(0.0, float((q * (q_logs - p_logs)).sum())),
        crossed,
    )


def same_first(teacher: Logits, student: Logits) -> bool:
    """Whether both have the same likeliest class; a temperature does not change it."""
    return int(np.argmax(teacher)) == int(np.argmax(student))


def shared_top(teacher: Logits, student: Logits, count: int) -> int:
    """How many of the teacher's likeliest classes are among as many of the student's."""
    return len(_top(teacher, count) & _top(student, count))


def _top(logits: Logits, count: int) -> set[int]:
    order = np.argsort(-np.asarray(logits, dtype=np.float64), kind="stable")
    return set(order[:count].tolist())
