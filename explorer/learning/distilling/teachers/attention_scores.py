"""The attention scores of a model before the softmax, which transformers does not hand out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def captured_scores(model: Any) -> Iterator[list[Any]]:
    """Inside, each forward pass fills the list anew: one tensor a layer, first layer first.

    A tensor is ``Q K^T / sqrt(d_k)``, shape [batch, heads, length, length], with gradients where
    the pass has them. Works for BERT and MobileBERT, whose layers name their projections alike.
    """
    heads = model.config.num_attention_heads
    scores: list[Any] = []
    queries: list[Any] = []
    handles = []

    def split(projected: Any) -> Any:
        return projected.unflatten(-1, (heads, -1)).transpose(1, 2)

    def start(_module: Any, _inputs: Any) -> None:
        scores.clear()

    def keep(_module: Any, _inputs: Any, output: Any) -> None:
        queries.append(split(output))

    def multiply(_module: Any, _inputs: Any, output: Any) -> None:
        query = queries.pop()
        scores.append(query @ split(output).transpose(2, 3) / query.shape[-1] ** 0.5)

    handles.append(model.base_model.register_forward_pre_hook(start))
    for layer in model.base_model.encoder.layer:
        attention = layer.attention.self
        handles.append(attention.query.register_forward_hook(keep))
        handles.append(attention.key.register_forward_hook(multiply))
    try:
        yield scores
    finally:
        for handle in handles:
            handle.remove()
