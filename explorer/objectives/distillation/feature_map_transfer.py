"""Knowledge transfer between models that are equally wide between their blocks.

Sun et al. 2020 (MobileBERT), section 3.5. Layer l of the student learns from layer l of the
teacher; both have as many layers, as many heads, and feature maps (what a block passes to the next)
of one width, so nothing has to be projected. T is the number of tokens, N the width, A the heads.

* feature maps: ``L_FMT = 1/(T N) sum_t sum_n (H^tr_tn - H^st_tn)^2``;
* attention: ``L_AT = 1/(T A) sum_t sum_a KL(a^tr_ta || a^st_ta)``, attention distributions a;
* predictions: ``L_PD = alpha L_MLM + (1 - alpha) L_KD + L_NSP``.
"""

from __future__ import annotations

from typing import Any


def feature_map_loss(student: Any, teacher: Any, real: Any) -> Any:
    """``L_FMT``, over the real tokens.

    Args:
        student: a block's output, shape [batch, length, width].
        teacher: the teacher's, same shape.
        real: not 0 where there is a token, 0 at padding; shape [batch, length].
    """
    kept = real.bool()
    return ((student[kept] - teacher[kept]) ** 2).mean()


def attention_transfer(student: Any, teacher: Any, real: Any) -> Any:
    """``L_AT``, over the real tokens: nats per head and attending token.

    Args:
        student: attention scores before the softmax, shape [batch, heads, length, length].
        teacher: the teacher's, same shape.
        real: not 0 where there is a token, 0 at padding; shape [batch, length].
    """
    kept = real.bool()
    # A finite number, not minus infinity: 0 times infinity would be no number.
    hidden = ~kept[:, None, None, :]
    taught = teacher.masked_fill(hidden, -1e4).log_softmax(dim=-1)
    learnt = student.masked_fill(hidden, -1e4).log_softmax(dim=-1)
    divergences = (taught.exp() * (taught - learnt)).sum(dim=-1)  # [batch, heads, length]
    return divergences.transpose(1, 2)[kept].mean()


def distillation_loss(mlm: Any, soft: Any, order: Any, alpha: float) -> Any:
    """``L_PD``: the losses of the heads; ``order`` is 0 where no text is a pair."""
    return alpha * mlm + (1.0 - alpha) * soft + order
