"""What is minimised when a student learns from soft targets, and how large its gradient is.

Hinton, Vinyals and Dean 2015, section 2: the gradient of a loss at temperature T shrinks as
1 / T^2 (once by the student's own T, once because a high T makes the two distributions alike), so
the loss is multiplied by T^2 where it is added to one that knows no temperature.

Sanh et al. 2019 (DistilBERT), section 2, adds three losses: ``5 T^2 L_distil + 2 L_student +
1 L_cos`` at T = 2. The paper has neither the weights nor T: they are those of its released code.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.distributions import divergence
from explorer.numerics.distributions.temperature import Floats, Logits, log_softmax

DISTILBERT_TEMPERATURE = 2.0
DISTILBERT_WEIGHTS = (5.0, 2.0, 1.0)
"""Of the distillation loss, the student's own loss and the cosine loss."""


def kl(from_logits: Logits, to_logits: Logits, temperature: float = 1.0) -> Floats:
    """``KL(p || q) = sum_i p_i (log p_i - log q_i)`` in nats at a temperature, a number a row.

    Args:
        from_logits: Of p, shape [..., classes].
        to_logits: Of q, same shape.
        temperature: What both are divided by.

    A class that is impossible in p (minus infinity) adds nothing.
    """
    p, q = log_softmax(from_logits, temperature), log_softmax(to_logits, temperature)
    return divergence.kl(p, q)


def cross_entropy(teacher: Logits, student: Logits, temperature: float = 1.0) -> Floats:
    """``-sum_i p_i log q_i`` in nats at a temperature, a number a row: the KL plus p's entropy."""
    p, q = log_softmax(teacher, temperature), log_softmax(student, temperature)
    return divergence.cross_entropy(p, q)


def student_loss(student: Logits, labels: Sequence[int] | NDArray[np.int64]) -> Floats:
    """``-log q_y`` in nats at temperature 1, a number a row: the loss with the hard label y.

    Args:
        student: Shape [rows, classes].
        labels: The true class of each row.
    """
    logs = log_softmax(student)
    found: Floats = -logs[np.arange(len(logs)), np.asarray(labels, dtype=np.int64)]
    return found


def gradient(teacher: Logits, student: Logits, temperature: float = 1.0) -> Floats:
    """How the distillation loss changes with the student's logits: ``(q - p) / T``.

    The same for the divergence and the cross-entropy, which differ by the teacher's entropy.
    Shape as the logits'.
    """
    p, q = log_softmax(teacher, temperature), log_softmax(student, temperature)
    found: Floats = (np.exp(q) - np.exp(p)) / temperature
    return found


def gradient_norm(teacher: Logits, student: Logits, temperature: float = 1.0) -> Floats:
    """Length of `gradient`, a number a row; times T^2 where the loss is."""
    found: Floats = np.linalg.norm(gradient(teacher, student, temperature), axis=-1)
    return found


def weighted_sum(
    parts: Sequence[float | None], weights: Sequence[float], scales: Sequence[float]
) -> float:
    """``sum_i weight_i scale_i part_i``; a part that is not there adds nothing.

    Args:
        parts: Losses, None where one can't be computed.
        weights: One each.
        scales: T^2 or 1, one each.
    """
    found = zip(parts, weights, scales, strict=True)
    return float(sum(w * scale * part for part, w, scale in found if part is not None))
