"""Encoders that read both sides, with the heads that their objectives ask."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from explorer.learning.models.residual_layers import scale_residual_layers
from explorer.learning.models.shared_layers import LayerParts, share_layers
from explorer.learning.plan.choices import LayerSharing, ModelFamily, Norms, PairObjective
from explorer.learning.plan.plan import TrainingPlan


def spread(width: int) -> float:
    """Standard deviation of fresh weights: 0.02 is made for a width of 768."""
    return float(0.02 * (768 / width) ** 0.5)


def sizes(plan: TrainingPlan, tokenizer: Any, width: int = 0) -> dict[str, Any]:
    """What the configurations of all encoders say alike.

    Args:
        plan: the sizes.
        tokenizer: its pieces.
        width: of a generator; 0 for the plan's.
    """
    width = width or plan.width
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": width,
        "num_hidden_layers": plan.layers,
        "num_attention_heads": plan.heads,
        "intermediate_size": 4 * width,
        "max_position_embeddings": plan.length,
        # No text of an endless corpus is met twice.
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "initializer_range": spread(width),
        "pad_token_id": tokenizer.pad_token_id,
    }


class PlannedEncoder(ABC):
    """A family of encoders."""

    parts: LayerParts

    def make(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """A transformers model with fresh weights that fills masks."""
        model = self.fresh(plan, tokenizer)
        share_layers(self.layers(model), self.parts, plan.shared)
        scale_residual_layers(model, plan.layers, scaled=plan.is_scaled)
        return model

    @abstractmethod
    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """The same before layers share anything."""

    def layers(self, model: Any) -> list[Any]:
        """Its layers, from the first."""
        return list(model.base_model.encoder.layer)

    @abstractmethod
    def scores(self, model: Any, states: Any) -> Any:
        """Logits over the vocabulary of states [..., width], shape [..., vocabulary]."""

    def pair(self, model: Any, pooled: Any) -> Any:
        """Logits of what is asked about pairs, shape [batch, 2]."""
        raise NotImplementedError(f"{type(model).__name__} has no head for pairs.")


class Bert(PlannedEncoder):
    """BERT: norms after attention and feed-forward."""

    parts = LayerParts(("attention",), ("intermediate", "output"))

    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """With a head for pairs where they are asked."""
        from transformers import BertConfig, BertForMaskedLM, BertForPreTraining

        kind = BertForMaskedLM if plan.pairs is PairObjective.NONE else BertForPreTraining
        return kind(BertConfig(**sizes(plan, tokenizer)))

    def scores(self, model: Any, states: Any) -> Any:
        """Both classes call the head alike."""
        return model.cls.predictions(states)

    def pair(self, model: Any, pooled: Any) -> Any:
        """The head for next sentences, whatever is asked of it."""
        return model.cls.seq_relationship(pooled)


class PreNormBert(Bert):
    """BERT with its norms before attention and feed-forward, as Megatron has it."""

    parts = LayerParts(("attention",), ("ln", "intermediate", "output"))

    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """With a head for pairs where they are asked."""
        from transformers import (
            MegatronBertConfig,
            MegatronBertForMaskedLM,
            MegatronBertForPreTraining,
        )

        kind = (
            MegatronBertForMaskedLM
            if plan.pairs is PairObjective.NONE
            else MegatronBertForPreTraining
        )
        return kind(MegatronBertConfig(**sizes(plan, tokenizer)))


class Albert(PlannedEncoder):
    """ALBERT: pieces may be narrow, and layers share what the plan says."""

    parts = LayerParts(("attention",), ("ffn", "ffn_output", "full_layer_layer_norm"))

    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """One layer for all, or one each: transformers calls them groups."""
        from torch import nn
        from transformers import AlbertConfig, AlbertForMaskedLM, AlbertForPreTraining

        kind = AlbertForMaskedLM if plan.pairs is PairObjective.NONE else AlbertForPreTraining
        config = AlbertConfig(
            **sizes(plan, tokenizer),
            embedding_size=plan.piece_width,
            num_hidden_groups=1 if plan.shared is LayerSharing.ALL else plan.layers,
            inner_group_num=1,
            # The published "gelu_new" is this function, written in steps that are slower.
            hidden_act="gelu_pytorch_tanh",
            classifier_dropout_prob=0.0,
            bos_token_id=tokenizer.cls_token_id,
            eos_token_id=tokenizer.sep_token_id,
        )
        model = kind(config)
        widen = model.albert.encoder.embedding_hidden_mapping_in
        # Widened pieces start with the spread that they had, as in a model that need not widen
        # them; else the first layer hardly sees them for several hundred steps.
        nn.init.normal_(widen.weight, std=plan.piece_width**-0.5)
        return model

    def layers(self, model: Any) -> list[Any]:
        """One of each group."""
        return [one.albert_layers[0] for one in model.albert.encoder.albert_layer_groups]

    def scores(self, model: Any, states: Any) -> Any:
        """Both classes call the head alike."""
        return model.predictions(states)

    def pair(self, model: Any, pooled: Any) -> Any:
        """The head for the order of sentences, whatever is asked of it."""
        return model.sop_classifier(pooled)


class Electra(PlannedEncoder):
    """ELECTRA's generator: pieces may be narrow."""

    parts = Bert.parts

    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """As wide as the plan says."""
        from transformers import ElectraForMaskedLM

        return ElectraForMaskedLM(electra_config(plan, tokenizer, plan.width))

    def scores(self, model: Any, states: Any) -> Any:
        """Through the width of the pieces."""
        return model.generator_lm_head(model.generator_predictions(states))


def electra_config(plan: TrainingPlan, tokenizer: Any, width: int) -> Any:
    """The configuration of either half."""
    from transformers import ElectraConfig

    return ElectraConfig(**sizes(plan, tokenizer, width), embedding_size=plan.piece_width)


def encoder_of(plan: TrainingPlan) -> PlannedEncoder:
    """A plan's."""
    if plan.of_family is ModelFamily.BERT:
        return PreNormBert() if plan.of_norms is Norms.PRE else Bert()
    return Albert() if plan.of_family is ModelFamily.ALBERT else Electra()
