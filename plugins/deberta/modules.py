"""The parts of DeBERTa that transformers leaves out: its heads and the enhanced mask decoder.

He, Liu, Gao and Chen, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention" (ICLR 2021),
section 3.2 and appendix A.8; He, Gao and Chen, "DeBERTaV3" (ICLR 2023), section 3.1.
"""

from functools import cache
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from transformers.activations import ACT2FN
from transformers.models.deberta.modeling_deberta import DisentangledSelfAttention

from .layouts import HeadLayout

DECODER_STEPS = 2
"""How often the last layer is applied, its weights shared between the steps."""


class MaskedTokenHead(nn.Module):
    """The authors' masked-LM head, whose output weight is the word embeddings."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        width = getattr(config, "embedding_size", config.hidden_size)
        self.dense = nn.Linear(config.hidden_size, width)
        self.LayerNorm = nn.LayerNorm(width, config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """States (n x hidden) and word embeddings (vocabulary x embedding) to logits."""
        states = self.LayerNorm(self.activation(self.dense(states)))
        return nn.functional.linear(states, words, self.bias)


class ReplacedTokenHead(nn.Module):
    """DeBERTa v3's head that tells replaced tokens from original ones."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.classifier = nn.Linear(config.hidden_size, 1)
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Tensor:
        """Last hidden states (batch x tokens x hidden) to logits (batch x tokens).

        The first token's state is added to every state. Before the sigmoid; above zero means
        replaced.
        """
        states = self.LayerNorm(states + states[:, :1])
        logits: Tensor = self.classifier(self.activation(self.dense(states)))
        return logits.squeeze(-1)


class QueriedAttention(DisentangledSelfAttention):  # type: ignore[misc]
    """v1's attention with queries from other states than keys and values.

    transformers has an argument for it, but its code for that argument transposes a tensor of
    three dimensions and fails. Here the projection runs as always, and the queries' third of its
    output is exchanged.
    """

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor,
        output_attentions: bool = False,
        query_states: Tensor | None = None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
    ) -> Any:
        """As in transformers; query_states is batch x tokens x hidden."""
        rest = (None, relative_pos, rel_embeddings)
        if query_states is None:
            return super().forward(hidden_states, attention_mask, output_attentions, *rest)

        def exchange(projection: nn.Linear, _inputs: Any, output: Tensor) -> Tensor:
            # Each head's output is its query, key and value, one after the other.
            parts = (*output.shape[:-1], self.num_attention_heads, 3, self.attention_head_size)
            # Not called as a module, which would exchange again.
            queries = projection.forward(query_states).reshape(parts)
            others = output.reshape(parts)
            return torch.cat((queries[..., :1, :], others[..., 1:, :]), dim=-2).flatten(-3)

        handle = self.in_proj.register_forward_hook(exchange)
        try:
            return super().forward(hidden_states, attention_mask, output_attentions, *rest)
        finally:
            handle.remove()


@cache
def model_class(v1: bool, layout: HeadLayout | None, replaced_token: bool) -> Any:
    """A transformers class with DeBERTa's encoder and the heads that were asked for.

    The heads have the names they have in the published files, so that transformers fills them
    and counts them as it does its own.

    Args:
        v1: Version 1's encoder, or the one that v2 and v3 share.
        layout: The masked-LM head, None for none.
        replaced_token: With the replaced-token head.
    """
    prefix = "Deberta" if v1 else "DebertaV2"
    own = layout is HeadLayout.TRANSFORMERS
    base: Any = getattr(transformers, f"{prefix}{'ForMaskedLM' if own else 'PreTrainedModel'}")
    body = getattr(transformers, f"{prefix}Model")

    class DebertaWithHeads(base):  # type: ignore[misc]
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            if not own:
                self.deberta = body(config)
            if layout is HeadLayout.ENHANCED:
                # Used by the decoder only: the encoder adds them just for position_biased_input.
                self.deberta.embeddings.position_embeddings = nn.Embedding(
                    config.max_position_embeddings, config.hidden_size
                )
                if v1:
                    self.deberta.encoder.layer[-1].attention.self = QueriedAttention(config)
            if layout in {HeadLayout.ENHANCED, HeadLayout.PLAIN}:
                self.lm_predictions = nn.ModuleDict({"lm_head": MaskedTokenHead(config)})
            if replaced_token:
                self.mask_predictions = ReplacedTokenHead(config)
            self.post_init()

    return DebertaWithHeads


def decoded_states(module: Any, **inputs: Any) -> Tensor:
    """The enhanced mask decoder's output (batch x tokens x hidden).

    The last layer is applied twice. Keys and values are the second-last layer's output H both
    times; the queries are H plus the absolute position embeddings first, and then what the first
    step gave (He et al. 2021, section 3.2 and appendix A.8).

    Args:
        module: Of a class with the ENHANCED head.
        inputs: As the encoder takes them.
    """
    return decoder_rows(module, **inputs)[-1]


def decoder_rows(module: Any, **inputs: Any) -> tuple[Tensor, ...]:
    """The states of the embeddings, of every layer, and of both steps of the decoder."""
    rows = module.deberta(**inputs, output_hidden_states=True).hidden_states
    mask = inputs.get("attention_mask")
    if mask is None:
        mask = torch.ones(rows[-2].shape[:2], dtype=torch.long, device=rows[-2].device)
    return (*rows, *steps(module, rows[-2], mask))


def decoded(module: Any, keys: Tensor, mask: Tensor) -> Tensor:
    """What the decoder's last step gives."""
    return steps(module, keys, mask)[-1]


def steps(module: Any, keys: Tensor, mask: Tensor) -> list[Tensor]:
    """The decoder's two steps over the second-last layer's output and the text's mask."""
    base, encoder = module.deberta, module.deberta.encoder
    mask = encoder.get_attention_mask(mask)
    relative = encoder.get_rel_pos(keys)
    distances = encoder.get_rel_embedding()
    places = torch.arange(keys.shape[1], device=keys.device)
    queries: Tensor = keys + base.embeddings.position_embeddings(places)
    given = []
    for _ in range(DECODER_STEPS):
        # The layer is called as a module, so that hooks (cancelling, capture) see both steps.
        queries = encoder.layer[-1](
            keys,
            mask,
            query_states=queries,
            relative_pos=relative,
            rel_embeddings=distances,
        )[0]
        given.append(queries)
    return given


def never_trained(head: nn.Module) -> bool:
    """Whether a head is exactly as it is made: every norm one, every bias zero.

    A checkpoint that was saved after a head was added holds its random weights; nothing is
    missing then, and only this shows it.
    """
    vectors = [(name, one) for name, one in head.named_parameters() if one.dim() == 1]
    return all(
        bool((one == (1 if name.endswith("LayerNorm.weight") else 0)).all())
        for name, one in vectors
    )
