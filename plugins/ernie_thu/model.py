"""The network of ERNIE (Zhang et al. 2019): BERT's layers below, layers that fuse entities above.

Names of parameters are those of the published files. What the paper draws and the published
network does differ; this is the published one (the README beside this file says where).
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, PreTrainedModel
from transformers.activations import ACT2FN
from transformers.modeling_outputs import ModelOutput
from transformers.models.bert.modeling_bert import (
    BertEmbeddings,
    BertIntermediate,
    BertLMPredictionHead,
    BertOutput,
    BertPooler,
    BertSelfOutput,
)

SIM, MIX, NORM = "sim", "mix", "norm"
"""A layer of BERT's; one that fuses entities and tokens; one in which both attend before."""

ENTITY_SIZE, ENTITY_HEADS = 100, 4
"""Written into the published network; a config may say others."""

NO_ENTITY = -1
"""Stands in `entity_ids` where a token has no entity."""


class ErnieThuConfig(BertConfig):  # type: ignore[misc]
    """BERT's, and what its layers are.

    transformers has a meaning of its own for `layer_types`; they are `fusion` here.
    """

    model_type = "ernie_thu"

    def __init__(
        self,
        fusion: tuple[str, ...] = (),
        entity_size: int = ENTITY_SIZE,
        entity_heads: int = ENTITY_HEADS,
        types: int = 0,
        relations: int = 0,
        **values: Any,
    ) -> None:
        super().__init__(**values)
        self.fusion = list(fusion)
        self.entity_size = entity_size
        self.entity_heads = entity_heads
        self.types, self.relations = types, relations

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **values: Any) -> Any:
        """With the published name of what its layers are."""
        given = dict(config_dict)
        kinds = given.pop("layer_types", None)
        if kinds is not None:
            given["fusion"] = kinds
        given.pop("model_type", None)
        return super().from_dict(given, **values)

    def kind(self, layer: int) -> str:
        """What a layer is; those that are not named are BERT's."""
        return self.fusion[layer] if layer < len(self.fusion) else SIM


class SelfAttention(nn.Module):
    """Multi-head attention of one stream to itself (Vaswani et al. 2017, section 3.2.2)."""

    def __init__(self, width: int, heads: int, dropout: float, config: Any) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"{width} numbers can't be shared out among {heads} heads")
        self.config, self.heads = config, heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.dropout = dropout

    def forward(self, states: Tensor, unseen: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """What each token gathers, and the weights where the plain way is switched on.

        Args:
            states: batch x tokens x width.
            unseen: Added to the scores (batch x 1 x 1 x tokens): 0, or far below it where a token
                may not be looked at.
        """
        query, key, value = (
            part(states).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        dropout = self.dropout if self.training else 0.0
        weights = None
        if self.config._attn_implementation == "eager":  # noqa: SLF001 - as transformers says
            scores = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5
            weights = (scores if unseen is None else scores + unseen).softmax(dim=-1)
            gathered = functional.dropout(weights, dropout) @ value
        else:
            gathered = functional.scaled_dot_product_attention(query, key, value, unseen, dropout)
        return gathered.transpose(1, 2).flatten(2), weights


class ResidualNorm(nn.Module):
    """A linear layer, and a norm of what it adds to."""

    def __init__(self, width: int, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(width, width)
        self.LayerNorm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, given: Tensor, stream: Tensor) -> Tensor:
        """Add to a stream what a linear layer makes of something."""
        norm: Tensor = self.LayerNorm(self.dropout(self.dense(given)) + stream)
        return norm


class Attention(nn.Module):
    """A layer's attention: the tokens', and in a layer of kind "norm" the entities'."""

    def __init__(self, config: Any, kind: str) -> None:
        super().__init__()
        dropout = config.attention_probs_dropout_prob
        self.self = SelfAttention(config.hidden_size, config.num_attention_heads, dropout, config)
        self.output = BertSelfOutput(config)
        if kind == NORM:
            self.self_ent = SelfAttention(config.entity_size, config.entity_heads, dropout, config)
            self.output_ent = ResidualNorm(config.entity_size, config)


class FusedIntermediate(BertIntermediate):  # type: ignore[misc]
    """The inner layer of the feed-forward part, which reads a token and its entity."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.dense_ent = nn.Linear(config.entity_size, config.intermediate_size)

    def fused(self, states: Tensor, entities: Tensor) -> Tensor:
        """``gelu(W w + U e + b)``; the entity's bias counts at tokens without one too."""
        inner: Tensor = self.intermediate_act_fn(self.dense(states) + self.dense_ent(entities))
        return inner


class FusedOutput(BertOutput):  # type: ignore[misc]
    """The outer layer of the feed-forward part, which writes a token's state and an entity's."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.dense_ent = nn.Linear(config.intermediate_size, config.entity_size)
        self.LayerNorm_ent = nn.LayerNorm(config.entity_size, eps=config.layer_norm_eps)

    def entity(self, inner: Tensor, entities: Tensor) -> Tensor:
        """The entities' stream behind the layer."""
        made = self.dropout(self.dense_ent(inner))
        norm: Tensor = self.LayerNorm_ent(made + entities)
        return norm


class ErnieLayer(nn.Module):
    """One layer, of any kind."""

    def __init__(self, config: Any, kind: str) -> None:
        super().__init__()
        if kind not in (SIM, MIX, NORM):
            raise ValueError(f"layer_types names a layer {kind!r}: it is none of sim, mix, norm")
        self.kind = kind
        self.attention = Attention(config, kind)
        fuses = kind != SIM
        self.intermediate = FusedIntermediate(config) if fuses else BertIntermediate(config)
        self.output = FusedOutput(config) if fuses else BertOutput(config)

    def forward(
        self,
        states: Tensor,
        entities: Tensor,
        unseen: Tensor | None,
        unseen_entities: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
        """Both streams behind the layer, and both attentions.

        Args:
            states: Tokens' (batch x tokens x width).
            entities: Entities' (batch x tokens x their width).
            unseen: As in `SelfAttention.forward`.
            unseen_entities: The same for the entities.
            mask: 1 where a token has an entity (batch x tokens x 1).
        """
        attention = self.attention
        gathered, weights = attention.self(states, unseen)
        seen = attention.output(gathered, states)
        if self.kind == SIM:
            return self.output(self.intermediate(seen), seen), entities, weights, None
        entity_weights = None
        if self.kind == NORM:
            gathered, entity_weights = attention.self_ent(entities, unseen_entities)
            entities = attention.output_ent(gathered, entities)
        entities = entities * mask
        inner = self.intermediate.fused(seen, entities)
        states, entities = self.output(inner, seen), self.output.entity(inner, entities)
        return states, entities, weights, entity_weights


@dataclass
class FusedOutputs(ModelOutput):  # type: ignore[misc]  # transformers has no types of its own
    """What a run gives; the first four as in any transformers model.

    Attributes:
        last_hidden_state: Tokens' states behind the last layer.
        hidden_states: Tokens' states before the first layer and behind each.
        attentions: Of tokens to tokens, a layer each.
        pooler_output: The first token's state, as heads of whole texts read it.
        entity_states: Entities' states behind each layer.
        entity_attentions: Of entities to entities; None for layers without.
    """

    last_hidden_state: Any = None
    hidden_states: Any = None
    attentions: Any = None
    pooler_output: Any = None
    entity_states: Any = None
    entity_attentions: Any = None


class Encoder(nn.Module):
    """The layers."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.layer = nn.ModuleList(
            ErnieLayer(config, config.kind(number)) for number in range(config.num_hidden_layers)
        )


class ErnieThuPreTrained(PreTrainedModel):  # type: ignore[misc]
    """What transformers must know of all three classes."""

    config_class = ErnieThuConfig
    base_model_prefix = "bert"
    _supports_sdpa = True

    def _init_weights(self, module: nn.Module) -> None:
        """BERT's way to begin."""
        spread = self.config.initializer_range
        if isinstance(module, nn.Linear | nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=spread)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.data.zero_()
        if isinstance(module, nn.LayerNorm):
            module.weight.data.fill_(1.0)
            module.bias.data.zero_()
        if isinstance(module, BertLMPredictionHead):
            module.bias.data.zero_()
        if isinstance(module, BertEmbeddings):
            module.position_ids = torch.arange(self.config.max_position_embeddings)[None]
            module.token_type_ids = torch.zeros_like(module.position_ids)


class ErnieThuModel(ErnieThuPreTrained):
    """Both encoders, without a head.

    Attributes:
        vectors: From numbers of entities, a tensor, to their vectors; None where no table of
            them was opened.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.embeddings = BertEmbeddings(config)
        self.encoder = Encoder(config)
        self.pooler = BertPooler(config)
        self.vectors: Any = None
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """The table of pieces."""
        table: nn.Module = self.embeddings.word_embeddings
        return table

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Exchange the table of pieces."""
        self.embeddings.word_embeddings = value

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        entity_ids: Tensor | None = None,
        entity_vectors: Tensor | None = None,
        output_hidden_states: bool = False,
        output_attentions: bool = False,
        return_dict: bool = True,  # noqa: ARG002 - for those who ask every model for it
    ) -> FusedOutputs:
        """Run both encoders.

        Args:
            input_ids: batch x tokens.
            attention_mask: 0 at padding; None where there is none.
            token_type_ids: 0 or 1; None for 0 everywhere.
            entity_ids: The number of the entity of each token, NO_ENTITY for none; None for none
                anywhere.
            entity_vectors: In the place of those that the numbers have (batch x tokens x width).
            output_hidden_states: Keep every layer's states, of tokens and of entities.
            output_attentions: Keep every layer's attentions.
            return_dict: Not read.
        """
        states = self.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        entities, mask = self._entities(input_ids, entity_ids, entity_vectors, states.dtype)
        unseen = None if attention_mask is None else _unseen(attention_mask, states.dtype)
        unseen_entities = _unseen(mask[..., 0], states.dtype)
        kept: list[Tensor] = [states]
        kept_entities: list[Tensor] = []
        weights: list[Tensor] = []
        entity_weights: list[Tensor | None] = []
        for layer in self.encoder.layer:
            states, entities, own, theirs = layer(states, entities, unseen, unseen_entities, mask)
            if output_hidden_states:
                kept.append(states)
                kept_entities.append(entities)
            if output_attentions and own is not None:
                weights.append(own)
                entity_weights.append(theirs)
        return FusedOutputs(
            last_hidden_state=states,
            hidden_states=tuple(kept) if output_hidden_states else None,
            attentions=tuple(weights) if output_attentions else None,
            pooler_output=self.pooler(states),
            entity_states=tuple(kept_entities) if output_hidden_states else None,
            entity_attentions=tuple(entity_weights) if output_attentions else None,
        )

    def _entities(
        self, input_ids: Tensor, numbers: Tensor | None, vectors: Tensor | None, dtype: Any
    ) -> tuple[Tensor, Tensor]:
        """The entities' stream before the first layer, and 1 where it counts.

        The first token counts as well, with a vector of zeros: so the entities' attention has
        somewhere to look in a text without any.
        """
        if numbers is None:
            numbers = torch.full_like(input_ids, NO_ENTITY)
        aligned = numbers != NO_ENTITY
        if vectors is None:
            width = self.config.entity_size
            vectors = torch.zeros(*numbers.shape, width, dtype=dtype, device=numbers.device)
            if self.vectors is not None and bool(aligned.any()):
                vectors[aligned] = self.vectors(numbers[aligned]).to(vectors)
        counts = aligned.clone()
        counts[:, 0] = True
        return vectors, counts[..., None].to(dtype)


def _unseen(seen: Tensor, dtype: Any) -> Tensor:
    """0 where a token may be looked at and -10000 where not, as the authors have it."""
    return (1.0 - seen[:, None, None, :].to(dtype)) * -10000.0


class EntityTransform(nn.Module):
    """From a token's state to what is laid beside the vectors of entities."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.entity_size)
        self.act = ACT2FN[config.hidden_act]
        self.LayerNorm = nn.LayerNorm(config.entity_size, eps=config.layer_norm_eps)

    def forward(self, states: Tensor) -> Tensor:
        """Of states of tokens (... x width)."""
        made: Tensor = self.LayerNorm(self.act(self.dense(states)))
        return made


class EntityHead(nn.Module):
    """Which entity a token is about (the denoising entity auto-encoder, equation 5)."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.transform = EntityTransform(config)

    def forward(self, states: Tensor, candidates: Tensor) -> Tensor:
        """Logits of candidates, whose vectors are given (candidates x their width)."""
        logits: Tensor = self.transform(states) @ candidates.T
        return logits


class PreTrainingHeads(nn.Module):
    """Masked words, entities, next sentence."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.predictions = BertLMPredictionHead(config)
        self.predictions_ent = EntityHead(config)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)


class ErnieThuForPreTraining(ErnieThuPreTrained):
    """With the three heads it was trained with."""

    _tied_weights_keys = {
        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    }

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.bert = ErnieThuModel(config)
        self.cls = PreTrainingHeads(config)
        # Put on for a task: what the marked entity is, and what holds between two marked ones.
        if config.types:
            self.typing = nn.Linear(config.hidden_size, config.types, bias=False)
        if config.relations:
            self.classifier = nn.Linear(config.hidden_size, config.relations)
        self.post_init()

    def get_output_embeddings(self) -> nn.Module:
        """The matrix that gives logits of pieces."""
        matrix: nn.Module = self.cls.predictions.decoder
        return matrix

    def set_output_embeddings(self, value: nn.Module) -> None:
        """Exchange it."""
        self.cls.predictions.decoder = value

    def forward(self, input_ids: Tensor, **inputs: Any) -> Any:
        """Logits of pieces, of the next sentence, and what the entity head makes of each token."""
        outputs = self.bert(input_ids=input_ids, **inputs)
        states = outputs.last_hidden_state
        outputs["logits"] = self.cls.predictions(states)
        outputs["pair_logits"] = self.cls.seq_relationship(outputs.pooler_output)
        outputs["entity_vectors"] = self.cls.predictions_ent.transform(states)
        return outputs
