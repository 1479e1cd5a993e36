"""DeBERTa's models for pretraining: transformers' encoders with the authors' heads.

The names of weights are those of the published files. transformers' own classes lack the enhanced
mask decoder and the replaced-token head. This file imports torch; recipes import it when they make
their models.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional
from transformers.activations import ACT2FN
from transformers.modeling_outputs import MaskedLMOutput, TokenClassifierOutput
from transformers.models.deberta.modeling_deberta import DisentangledSelfAttention

from explorer.objectives.masking.enhanced_mask_decoder import decode


class MaskedTokenHead(nn.Module):
    """Dense, activation, norm, then the word embeddings as output weights."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """States [..., hidden] and word embeddings [vocabulary, hidden] to logits."""
        return functional.linear(
            self.LayerNorm(self.activation(self.dense(states))), words, self.bias
        )


class ReplacedTokenHead(nn.Module):
    """Version 3's detector: the first token's state is added to every token's."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.classifier = nn.Linear(config.hidden_size, 1)
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Tensor:
        """States [batch, length, hidden] to logits [batch, length]; above zero means replaced."""
        together = self.LayerNorm(states + states[:, :1])
        logits: Tensor = self.classifier(self.activation(self.dense(together)))
        return logits.squeeze(-1)


class JointProjection(nn.Linear):
    """Version 1's one projection to queries, keys and values, head by head.

    Where ``asking`` is set, queries come from it, and keys and values from the input as always.
    """

    asking: Tensor | None = None

    def __init__(self, width: int, heads: int) -> None:
        super().__init__(width, 3 * width, bias=False)
        self.heads = heads

    def forward(self, states: Tensor) -> Tensor:
        """States [batch, length, width] to [batch, length, 3 * width]."""
        if self.asking is None:
            return super().forward(states)
        # Rows of the weight: for each head its query's, its key's and its value's.
        rows = self.weight.reshape(self.heads, 3, -1, self.in_features)
        asked = functional.linear(self.asking, rows[:, 0].flatten(0, 1))
        given = functional.linear(states, rows[:, 1:].flatten(0, 2))
        shape = (*states.shape[:-1], self.heads)
        parts = (asked.reshape(*shape, 1, -1), given.reshape(*shape, 2, -1))
        return torch.cat(parts, dim=-2).flatten(-3)


class AskingAttention(DisentangledSelfAttention):  # type: ignore[misc]
    """Version 1's attention, made to take queries from elsewhere (transformers' way fails)."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.in_proj = JointProjection(config.hidden_size, config.num_attention_heads)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor,
        output_attentions: bool = False,
        query_states: Tensor | None = None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
    ) -> Any:
        """As in transformers; ``query_states`` is [batch, length, hidden]."""
        self.in_proj.asking = query_states
        try:
            return super().forward(
                hidden_states, attention_mask, output_attentions, None, relative_pos, rel_embeddings
            )
        finally:
            self.in_proj.asking = None


def _without_class_name(folder: Path) -> None:
    """Take this file's class out of config.json: no other program knows it."""
    path = folder / "config.json"
    config = json.loads(path.read_text("utf-8"))
    config.pop("architectures", None)
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")


@functools.cache
def masked_lm_class(prefix: str) -> Any:
    """DeBERTa with the masked-LM head on the enhanced mask decoder.

    Args:
        prefix: ``Deberta`` for version 1, ``DebertaV2`` for versions 2 and 3.
    """
    base: Any = getattr(transformers, f"{prefix}PreTrainedModel")
    body: Any = getattr(transformers, f"{prefix}Model")

    class DebertaWithDecoder(base):  # type: ignore[misc]
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            self.deberta = body(config)
            self.deberta.embeddings.position_embeddings = nn.Embedding(
                config.max_position_embeddings, config.hidden_size
            )
            if prefix == "Deberta":
                self.deberta.encoder.layer[-1].attention.self = AskingAttention(config)
            self.lm_predictions = nn.ModuleDict({"lm_head": MaskedTokenHead(config)})
            self.post_init()

        def states(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
            """The decoder's states, [batch, length, hidden]."""
            positions = self.deberta.embeddings.position_embeddings.weight
            decoded: Tensor = decode(self.deberta, input_ids, attention_mask, positions)
            return decoded

        def score(self, states: Tensor) -> Tensor:
            """Decoder states [n, hidden] to logits [n, vocabulary]."""
            words = self.deberta.embeddings.word_embeddings.weight
            logits: Tensor = self.lm_predictions["lm_head"](states, words)
            return logits

        def forward(
            self, input_ids: Tensor, attention_mask: Tensor | None = None, **_: Any
        ) -> MaskedLMOutput:
            """Logits over the vocabulary at every token."""
            if attention_mask is None:
                attention_mask = torch.ones_like(input_ids)
            return MaskedLMOutput(logits=self.score(self.states(input_ids, attention_mask)))

        def save_pretrained(self, save_directory: Any, **options: Any) -> None:
            super().save_pretrained(save_directory, **options)
            _without_class_name(Path(save_directory))

    return DebertaWithDecoder


class DebertaV3Discriminator(transformers.DebertaV2PreTrainedModel):  # type: ignore[misc]
    """Version 3's encoder with the replaced-token head."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.deberta = transformers.DebertaV2Model(config)
        self.mask_predictions = ReplacedTokenHead(config)
        self.post_init()

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, **_: Any
    ) -> TokenClassifierOutput:
        """Logits at every token, [batch, length]; above zero means replaced."""
        states = self.deberta(input_ids, attention_mask=attention_mask).last_hidden_state
        return TokenClassifierOutput(logits=self.mask_predictions(states))

    def save_pretrained(self, save_directory: Any, **options: Any) -> None:
        """As transformers' own, but config.json names no class."""
        super().save_pretrained(save_directory, **options)
        _without_class_name(Path(save_directory))
