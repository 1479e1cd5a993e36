"""Which layer of a student learns from which of its teacher, and the losses between them.

Jiao et al. 2020 (TinyBERT), section 3, and Sun et al. 2020 (MobileBERT), section 3.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.losses import kl

UNIFORM = "uniform"
LAST = "last"
OWN = "own"
KINDS = (UNIFORM, LAST, OWN)


def uniform_map(student_layers: int, teacher_layers: int) -> tuple[int, ...]:
    """``g(m) = m N / M`` for m = 1 .. M, rounded where M does not divide N (TinyBERT's uniform).

    Layers count from 1; the last always learns from the last.
    """
    step = teacher_layers / student_layers
    return tuple(max(1, int(step * layer + 0.5)) for layer in range(1, student_layers + 1))


def last_map(student_layers: int, teacher_layers: int) -> tuple[int, ...]:
    """The teacher's last layers one after the other: ``g(m) = N - M + m``, at least 1."""
    shift = teacher_layers - student_layers
    return tuple(max(1, layer + shift) for layer in range(1, student_layers + 1))


def layer_map(
    kind: str, student_layers: int, teacher_layers: int, own: Sequence[int] = ()
) -> tuple[int, ...]:
    """Where each student layer learns: the teacher's layer for layers 1 .. M.

    Args:
        kind: "uniform", "last" or "own".
        student_layers: M.
        teacher_layers: N.
        own: The user's; what is missing or outside 1 .. N is taken from the uniform map.
    """
    if kind == LAST:
        return last_map(student_layers, teacher_layers)
    uniform = uniform_map(student_layers, teacher_layers)
    if kind != OWN:
        return uniform
    given = [*own[:student_layers], *uniform[len(own) :]]
    return tuple(g if 1 <= g <= teacher_layers else u for g, u in zip(given, uniform, strict=True))


def attention_mse(student: NDArray[np.float32], teacher: NDArray[np.float32]) -> float:
    """TinyBERT's ``1/h sum_i MSE(A_i^S, A_i^T)`` (equation 7), on scores before the softmax.

    The score of a place that is not seen, as beyond a window, counts as 0, as in its authors' code.

    Args:
        student: ``Q K^T / sqrt(d_k)``, shape [heads, tokens, tokens].
        teacher: Same shape.
    """
    own, goal = (
        np.where(np.isneginf(one), 0.0, one.astype(np.float64)) for one in (student, teacher)
    )
    return float(((own - goal) ** 2).mean())


def attention_transfer(student: NDArray[np.float32], teacher: NDArray[np.float32]) -> float:
    """MobileBERT's ``1/(T A) sum_t sum_a KL(a^teacher || a^student)`` (section 3.5), in nats.

    Args:
        student: Scores before the softmax, shape [heads, tokens, tokens].
        teacher: Same shape.
    """
    return float(kl(teacher, student).mean())
