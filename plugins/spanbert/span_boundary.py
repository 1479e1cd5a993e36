"""The span-boundary objective's head. Imports torch: import it only when a model is loaded."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn


class SpanBoundaryHead(nn.Module):  # type: ignore[misc,unused-ignore]  # torch may be untyped
    """Predicts a span's pieces from the tokens on its two sides (SpanBERT, section 3.2).

    With x the hidden states, s and e the span's ends and p the embedding of a place in the span:
    h0 = [x(s-1); x(e+1); p(i-s+1)], h1 = norm(gelu(W1 h0)), h2 = norm(gelu(W2 h1)), and the
    logits are h2 times the word embeddings, plus a bias where the files have one.

    Args:
        width: Of a hidden state.
        place_width: Of a place's embedding (200 in the paper).
        places: Longest span (20 in the paper, where spans end at 10).
        vocabulary: Number of pieces, for the bias; None where the files have no bias.
        epsilon: Of the layer norms.
    """

    def __init__(
        self, width: int, place_width: int, places: int, vocabulary: int | None, epsilon: float
    ) -> None:
        super().__init__()
        self.position_embeddings = nn.Embedding(places, place_width)
        self.dense1 = nn.Linear(2 * width + place_width, width)
        self.layer_norm1 = nn.LayerNorm(width, eps=epsilon)
        self.dense2 = nn.Linear(width, width)
        self.layer_norm2 = nn.LayerNorm(width, eps=epsilon)
        bias = None if vocabulary is None else nn.Parameter(torch.zeros(vocabulary))
        self.register_parameter("bias", bias)

    @classmethod
    def shaped_like(cls, weights: Mapping[str, Tensor], epsilon: float) -> "SpanBoundaryHead":
        """A head with the shapes of stored weights."""
        places, place_width = weights["position_embeddings.weight"].shape
        bias = weights.get("bias")
        vocabulary = None if bias is None else bias.shape[0]
        return cls(weights["dense2.bias"].shape[0], place_width, places, vocabulary, epsilon)

    def forward(self, left: Tensor, right: Tensor, places: Tensor, embeddings: Tensor) -> Any:
        """Logits of the pieces of spans.

        Args:
            left: Hidden states before the spans (n x width).
            right: Hidden states behind them (n x width).
            places: Which token of its span each is, from 0 (n).
            embeddings: The model's word embeddings (vocabulary x width).

        Returns:
            Tensor (n x vocabulary).
        """
        joined = torch.cat([left, right, self.position_embeddings(places)], dim=-1)
        hidden = self.layer_norm1(nn.functional.gelu(self.dense1(joined)))
        hidden = self.layer_norm2(nn.functional.gelu(self.dense2(hidden)))
        logits = hidden @ embeddings.T
        return logits if self.bias is None else logits + self.bias
