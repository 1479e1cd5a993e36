"""Virtual adversarial training on normalised embeddings: a model is to answer the same nearby.

Miyato et al. 2018 look for the small change r of an input x that changes the predicted distribution
most, without any label, and add ``D(p(x), p(x + r))`` to the loss. One gradient finds it: from a
random r near 0 along the gradient of D. He et al. 2021 (DeBERTa) change the embeddings of words for
it, whose lengths differ between words and models; so the embeddings are normalised first, and the
change has one scale for all (SiFT). The numbers, and the direction in which a token's largest
coordinate is 1, are those of their code (microsoft/DeBERTa, DeBERTa/sift/sift.py); there the two
directions of D are cross-entropies, which have the same gradients for the predicted side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

BEGINS: Final = 1e-2
"""Spread of the random change that is begun with, cut at twice of it."""
STEP: Final = 1e-4
"""How far along the gradient a token's largest coordinate goes."""
TINY: Final = 1e-6

Scores = Callable[[Any], Any]
"""From normalised embeddings [..., width] to logits [rows, classes]."""


def normalised(embeddings: Any) -> Any:
    """Embeddings [..., width] with mean 0 and variance 1, each by itself."""
    from torch.nn import functional

    return functional.layer_norm(embeddings, embeddings.shape[-1:], eps=1e-7)


def symmetric_divergence(some: Any, others: Any) -> Any:
    """``KL(p || q) + KL(q || p)`` of logits [rows, classes], averaged over the rows; nats."""
    p, q = some.log_softmax(dim=-1), others.log_softmax(dim=-1)
    return ((p.exp() - q.exp()) * (p - q)).sum(dim=-1).mean()


def misleading(scores: Scores, embeddings: Any, answer: Any, begun: Any, step: float = STEP) -> Any:
    """The change of normalised embeddings that moves an answer most, shape as theirs.

    Args:
        scores: the model, from its normalised embeddings on.
        embeddings: normalised ones.
        answer: the logits without a change.
        begun: a random change, as of `random_change`.
        step: how far along the gradient.
    """
    import torch

    change = begun.detach().requires_grad_(True)
    moved = symmetric_divergence(scores(embeddings.detach() + change), answer.detach())
    (gradient,) = torch.autograd.grad(moved, change)
    largest = gradient.abs().amax(dim=-1, keepdim=True)
    # A gradient of a mean is small: what counts is its direction, token by token.
    return (begun + step * gradient / (largest + TINY * largest.max())).detach()


def random_change(embeddings: Any, generator: Any, spread: float = BEGINS) -> Any:
    """A change to begin with, drawn from a torch generator."""
    import torch

    drawn = torch.randn(embeddings.shape, generator=generator, dtype=embeddings.dtype) * spread
    return drawn.clamp(-2 * spread, 2 * spread).to(embeddings.device)


def virtual_adversarial_loss(scores: Scores, embeddings: Any, answer: Any, change: Any) -> Any:
    """How far the answer at changed embeddings is from that without a change, in nats.

    Args:
        scores: the model, from its normalised embeddings on.
        embeddings: normalised ones, with their gradients.
        answer: the logits without a change, with their gradients.
        change: that of `misleading`.
    """
    return symmetric_divergence(scores(embeddings + change), answer)
