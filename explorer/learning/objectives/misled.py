"""A second loss beside that of masked words: the same answer where embeddings mislead (SiFT).

He et al. 2021 (DeBERTa) fine-tune so. The embeddings are what the norm over them reads, normalised
without its weights, which it then reads in their place: a model answers as it does without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from explorer.objectives.adversarial.scale_invariant import (
    misleading,
    normalised,
    random_change,
    virtual_adversarial_loss,
)

Encoded = TypeVar("Encoded")
SPREAD: Final = 0.01
"""Of the random change that the search for a misleading one begins with."""


def misled(
    model: Any, read: Callable[[], Encoded], scores: Callable[[Encoded], Any], step: float
) -> tuple[Encoded, Any, Any]:
    """What a model says of a batch, and how far its answer moves where its embeddings mislead it.

    Args:
        model: Of transformers, with a norm over its embeddings.
        read: What it encodes of the batch.
        scores: From that to logits [rows, classes].
        step: How far a token's largest coordinate is moved, in standard deviations of its
            embedding.

    Returns:
        What it encoded as it is, the logits, and the virtual adversarial loss in nats a row.
    """
    import torch

    norm = model.base_model.embeddings.LayerNorm
    embedded: list[Any] = []

    def at(given: Any = None) -> Encoded:
        """Encoded from the embeddings that are given, or from its own."""

        def embed(_norm: Any, inputs: tuple[Any, ...]) -> tuple[Any]:
            embedded.append(normalised(inputs[0]) if given is None else given)
            return (embedded[-1],)

        hook = norm.register_forward_pre_hook(embed)
        try:
            return read()
        finally:
            hook.remove()

    def moved(given: Any) -> Any:
        return scores(at(given))

    clean = at()
    own, answer = embedded[0], scores(clean)
    generator = torch.Generator().manual_seed(int(torch.randint(2**31, ())))
    begun = random_change(own, generator, SPREAD)
    change = misleading(moved, own, answer, begun, step)
    return clean, answer, virtual_adversarial_loss(moved, own, answer, change)
