"""Next-token prediction: the objective of GPT-1, GPT-2 and GPT-3.

Radford et al. 2018, section 3.1, equation 1: maximise

    L1(U) = sum over i of log P(u_i | u_(i-k), ..., u_(i-1))

where k is the number of positions. Every token but the first is predicted from all before it, in
one pass, because attention looks to the left only. Radford et al. 2019 keep the objective.
"""

from __future__ import annotations

from typing import Any

from explorer.objectives import IGNORED


def next_token_losses(scores: Any, labels: Any) -> dict[str, Any]:
    """The mean of -log P over predicted tokens, in nats, and how often the likeliest is right.

    Args:
        scores: logits at every place, shape [batch, length, vocabulary]; those at place i are for
            the token at place i + 1.
        labels: the tokens themselves, `IGNORED` at padding, shape [batch, length].
    """
    from torch.nn import functional

    following = labels[:, 1:]
    asked = following != IGNORED
    chosen, truth = scores[:, :-1][asked], following[asked]
    return {
        "loss_next": functional.cross_entropy(chosen, truth),
        "next_accuracy": (chosen.argmax(-1) == truth).float().mean(),
    }
