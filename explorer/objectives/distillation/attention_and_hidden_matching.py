"""Layer-to-layer distillation: attention scores and hidden states shall match the teacher's.

Jiao et al. 2020 (TinyBERT), section 3. Layer m of the student learns from layer g(m) of the
teacher; 0 is the embedding layer and g(0) = 0.

* equation 7: ``L_attn = 1/h sum_i MSE(A_i^S, A_i^T)``, with the h heads' scores before the softmax,
  ``A = Q K^T / sqrt(d_k)``: student and teacher have as many heads;
* equation 8: ``L_hidn = MSE(H^S W_h, H^T)``, with W_h learned, to the teacher's width;
* equation 9: ``L_embd = MSE(E^S W_e, E^T)``.

The paper's means run over whole texts; here texts are padded, and padding counts nowhere.
"""

from __future__ import annotations

from typing import Any


def uniform_layer_map(student_layers: int, teacher_layers: int) -> tuple[int, ...]:
    """``g(m) = m N / M`` for m = 1 .. M (section 4.2: the uniform strategy).

    Raises:
        ValueError: M does not divide N.
    """
    if student_layers < 1 or teacher_layers % student_layers:
        raise ValueError(
            f"{teacher_layers} layers cannot be mapped evenly to {student_layers}."
            " Give the student a number of layers that divides the teacher's."
        )
    step = teacher_layers // student_layers
    return tuple(step * layer for layer in range(1, student_layers + 1))


def attention_loss(student: Any, teacher: Any, real: Any) -> Any:
    """Mean squared difference of attention scores, over heads and pairs of real tokens.

    Args:
        student: scores before the softmax, shape [batch, heads, length, length].
        teacher: the teacher's, same shape.
        real: not 0 where there is a token, 0 at padding; shape [batch, length].
    """
    kept = real.bool()
    pairs = (kept[:, :, None] & kept[:, None, :])[:, None]
    squares = ((student - teacher) ** 2).masked_fill(~pairs, 0.0)
    return squares.sum() / (pairs.sum() * student.shape[1])


def hidden_loss(projected: Any, teacher: Any, real: Any) -> Any:
    """Mean squared difference of hidden states, over real tokens and the teacher's width.

    Args:
        projected: the student's states times W_h (or W_e), shape [batch, length, teacher's width].
        teacher: the teacher's states, same shape.
        real: not 0 where there is a token, 0 at padding; shape [batch, length].
    """
    kept = real.bool()
    return ((projected[kept] - teacher[kept]) ** 2).mean()
