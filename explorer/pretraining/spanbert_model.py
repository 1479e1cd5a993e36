"""SpanBERT for pretraining: BERT's masked language model with the head of the span boundaries.

The weights are BERT's in their published layout, and ``sbo.*``. This file imports torch; the recipe
imports it when it makes its model.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertForMaskedLM

# As in the authors' code: twice the longest span in words, because a word has several pieces.
PLACES: Final = 20
# 200 for a width of 768 in the authors' code: about a quarter.
PLACE_SHARE: Final = 4


class SpanBoundaryPredictor(nn.Module):
    """f of the span-boundary objective (see `explorer.objectives.masking.span_boundary`)."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        width, place_width = config.hidden_size, config.hidden_size // PLACE_SHARE
        self.position_embeddings = nn.Embedding(PLACES, place_width)
        self.dense1 = nn.Linear(2 * width + place_width, width)
        self.layer_norm1 = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.dense2 = nn.Linear(width, width)
        self.layer_norm2 = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, left: Tensor, right: Tensor, places: Tensor, embeddings: Tensor) -> Tensor:
        """Logits of the pieces, shape [selected, vocabulary].

        Args:
            left: outputs before the spans, shape [selected, width].
            right: outputs behind the spans, shape [selected, width].
            places: place in the span from 0, shape [selected].
            embeddings: the piece embeddings, shape [vocabulary, width].
        """
        joined = torch.cat([left, right, self.position_embeddings(places)], dim=-1)
        hidden = self.layer_norm1(functional.gelu(self.dense1(joined)))
        hidden = self.layer_norm2(functional.gelu(self.dense2(hidden)))
        return functional.linear(hidden, embeddings, self.bias)


class SpanBertForPreTraining(BertForMaskedLM):  # type: ignore[misc]
    """BERT without next sentences, with both of SpanBERT's heads."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.sbo = SpanBoundaryPredictor(config)
        self.post_init()
