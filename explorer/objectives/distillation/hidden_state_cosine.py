"""Cosine loss: the student's hidden states shall point where the teacher's point.

Sanh et al. 2019 (DistilBERT), section 2: added to the soft targets and the masked language model,
``L = 5 L_soft + 2 L_mlm + 1 L_cos`` in the released training. It needs equal widths.
"""

from __future__ import annotations

from typing import Any


def cosine_loss(student: Any, teacher: Any, real: Any) -> Any:
    """``1 - cos(student, teacher)``, averaged over the real tokens; from 0 (same) to 2 (opposite).

    Args:
        student: last hidden states, shape [batch, length, width].
        teacher: the teacher's, same shape.
        real: not 0 where there is a token, 0 at padding; shape [batch, length].
    """
    from torch.nn import functional

    kept = real.bool()
    return 1.0 - functional.cosine_similarity(student[kept], teacher[kept], dim=-1).mean()
