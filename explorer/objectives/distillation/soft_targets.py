"""Soft targets: a student learns the teacher's whole distribution, not only the right answer.

Hinton, Vinyals and Dean 2015, section 2: at temperature T the logits z give
``p_i(T) = exp(z_i / T) / sum_j exp(z_j / T)``. A high T shows which wrong answers the teacher holds
for less wrong. The gradient of the loss shrinks with 1 / T^2, so the loss is multiplied by T^2
where it is added to one that knows no temperature.

Two forms of the same thing: they differ by the entropy of the teacher, which no student can change.
Jiao et al. 2020 (TinyBERT), equation 10, writes the cross-entropy, at t = 1. Sanh et al. 2019
(DistilBERT) takes the divergence; T = 2 is that of its released code.
"""

from __future__ import annotations

from typing import Any


def soft_cross_entropy(student: Any, teacher: Any, temperature: float = 1.0) -> Any:
    """``-sum_i p_i(T) log q_i(T)``, averaged over the rows; nats.

    Args:
        student: logits, shape [rows, classes].
        teacher: logits, shape [rows, classes].
        temperature: T, above 0.
    """
    targets = (teacher / temperature).softmax(dim=-1)
    return -(targets * (student / temperature).log_softmax(dim=-1)).sum(dim=-1).mean()


def soft_target_loss(student: Any, teacher: Any, temperature: float) -> Any:
    """``T^2 KL(p(T) || q(T))``, averaged over the rows; 0 where the student is the teacher.

    Args:
        student: logits, shape [rows, classes].
        teacher: logits, shape [rows, classes].
        temperature: T, above 0.
    """
    targets = (teacher / temperature).log_softmax(dim=-1)
    predicted = (student / temperature).log_softmax(dim=-1)
    divergence = (targets.exp() * (targets - predicted)).sum(dim=-1).mean()
    return temperature**2 * divergence
