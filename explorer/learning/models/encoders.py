"""Encoders that read both sides, with the heads that their objectives ask."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from explorer.learning.plan.choices import Pairs
from explorer.learning.plan.plan import TrainingPlan


def spread(width: int) -> float:
    """Standard deviation of fresh weights: 0.02 is made for a width of 768."""
    return float(0.02 * (768 / width) ** 0.5)


class Encoder(ABC):
    """A family of encoders."""

    @abstractmethod
    def make(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """A transformers model with fresh weights."""

    @abstractmethod
    def scores(self, model: Any, states: Any) -> Any:
        """Logits over the vocabulary of states [..., width], shape [..., vocabulary]."""

    @abstractmethod
    def pair(self, model: Any, pooled: Any) -> Any:
        """Logits of what is asked about pairs, shape [batch, 2]."""


def sizes(plan: TrainingPlan, tokenizer: Any) -> dict[str, Any]:
    """What the configurations of all encoders say alike."""
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": plan.width,
        "num_hidden_layers": plan.layers,
        "num_attention_heads": plan.heads,
        "intermediate_size": 4 * plan.width,
        "max_position_embeddings": plan.length,
        # No text of an endless corpus is met twice.
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "initializer_range": spread(plan.width),
        "pad_token_id": tokenizer.pad_token_id,
    }


class Bert(Encoder):
    """BERT: norms after attention and feed-forward."""

    def make(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """With a head for pairs where they are asked."""
        from transformers import BertConfig, BertForMaskedLM, BertForPreTraining

        kind = BertForMaskedLM if plan.pairs is Pairs.NONE else BertForPreTraining
        return kind(BertConfig(**sizes(plan, tokenizer)))

    def scores(self, model: Any, states: Any) -> Any:
        """Both classes call the head alike."""
        return model.cls.predictions(states)

    def pair(self, model: Any, pooled: Any) -> Any:
        """The head for next sentences, whatever is asked of it."""
        return model.cls.seq_relationship(pooled)


def encoder_of(plan: TrainingPlan) -> Encoder:  # noqa: ARG001
    """A plan's."""
    return Bert()
