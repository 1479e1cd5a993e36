"""Two models' distributions over the same classes, side by side at one temperature."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.numerics.distributions import divergence
from explorer.numerics.distributions.temperature import (
    Floats,
    Logits,
    TemperatureCurves,
    curves,
    log_softmax,
)
from explorer.numerics.losses import kl


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
        total_variation: The share of the probability that lies on other classes.
    """

    temperature: float
    teacher: Floats
    student: Floats
    teacher_entropy: float
    student_entropy: float
    kl_teacher_student: float
    kl_student_teacher: float
    cross_entropy: float
    total_variation: float

    @property
    def teacher_top(self) -> float:
        """Probability of the teacher's likeliest class."""
        return float(self.teacher.max())

    @property
    def student_top(self) -> float:
        """Probability of the student's likeliest class."""
        return float(self.student.max())


def compare(teacher: Logits, student: Logits, temperature: float = 1.0) -> Comparison:
    """Compare two models at one place.

    Args:
        teacher: Logits, one a class.
        student: Logits of the same classes.
        temperature: What both are divided by.
    """
    p_logs, q_logs = log_softmax(teacher, temperature), log_softmax(student, temperature)
    p, q = np.exp(p_logs), np.exp(q_logs)
    return Comparison(
        temperature,
        p,
        q,
        float(divergence.entropy(p_logs)),
        float(divergence.entropy(q_logs)),
        float(divergence.kl(p_logs, q_logs)),
        float(divergence.kl(q_logs, p_logs)),
        float(divergence.cross_entropy(p_logs, q_logs)),
        total_variation(p, q),
    )


def total_variation(p: Floats, q: Floats) -> float:
    """``1/2 sum_i |p_i - q_i|``: the share of one that lies elsewhere in the other, 0 to 1."""
    return 0.5 * float(np.abs(p - q).sum())


def kl_of(p: Floats, q: Floats) -> float | None:
    """``KL(p || q)`` in nats of probabilities; None where q is zero and p is not: infinite."""
    with np.errstate(divide="ignore"):
        value = float(divergence.kl(np.log(p), np.log(q)))
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class OverTemperatures:
    """What a temperature does to two distributions.

    Attributes:
        teacher: Entropy and top share at each temperature.
        student: The same.
        kl: ``KL(teacher || student)`` in nats at each.
    """

    teacher: TemperatureCurves
    student: TemperatureCurves
    kl: Floats


def over_temperatures(
    teacher: Logits, student: Logits, temperatures: Sequence[float] | Floats
) -> OverTemperatures:
    """Both models' curves, and how far they are apart, at some temperatures in rising order."""
    at = np.asarray(temperatures, dtype=np.float64)
    apart = np.array([float(kl(teacher, student, float(t))) for t in at])
    return OverTemperatures(curves(teacher, at), curves(student, at), apart)


def same_first(teacher: Logits, student: Logits) -> bool:
    """Whether both have the same likeliest class; a temperature does not change it."""
    return int(np.argmax(teacher)) == int(np.argmax(student))


def shared_top(teacher: Logits, student: Logits, count: int) -> int:
    """How many of the teacher's likeliest classes are among as many of the student's."""
    return len(_top(teacher, count) & _top(student, count))


def _top(logits: Logits, count: int) -> set[int]:
    order = np.argsort(-np.asarray(logits, dtype=np.float64), kind="stable")
    return set(order[:count].tolist())
