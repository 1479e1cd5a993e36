"""Losses of batches with masked tokens and sentence pairs, in nats.

The vocabulary is scored at the selected tokens only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.objectives import IGNORED

Batch = Mapping[str, Any]


def encode(model: Any, batch: Batch, **options: Any) -> Any:
    """The encoder's output for a batch of `PairBatches`; segments where the model has them."""
    inputs = {"input_ids": batch["input_ids"], "attention_mask": batch["attention_mask"]}
    if getattr(model.config, "type_vocab_size", 0):
        inputs["token_type_ids"] = batch["token_type_ids"]
    return model.base_model(**inputs, **options)


def selected_labels(batch: Batch) -> Any:
    """What stood at the selected tokens, shape [selected]."""
    return batch["labels"][batch["labels"] != IGNORED]


def selected_states(states: Any, batch: Batch) -> Any:
    """The states [batch, length, width] at the selected tokens, shape [selected, width]."""
    return states[batch["labels"] != IGNORED]


def masked_losses(scores: Any, batch: Batch) -> dict[str, Any]:
    """The masked language model's loss, and how often its likeliest piece is right.

    Args:
        scores: logits at the selected tokens, shape [selected, vocabulary].
        batch: with ``labels``.
    """
    from torch.nn import functional

    labels = selected_labels(batch)
    return {
        "loss_mlm": functional.cross_entropy(scores, labels),
        "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
    }


def order_losses(order: Any, batch: Batch, name: str) -> dict[str, Any]:
    """Loss and accuracy of a head that tells how two texts belong together; none without pairs.

    Args:
        order: its logits, shape [batch, 2].
        batch: with ``next_sentence_label``, `IGNORED` where a text stands alone.
        name: what the measurements are called.
    """
    from torch.nn import functional

    labels = batch["next_sentence_label"]
    paired = labels != IGNORED
    if not bool(paired.any()):
        return {}
    return {
        f"loss_{name}": functional.cross_entropy(order[paired], labels[paired]),
        f"{name}_accuracy": (order[paired].argmax(-1) == labels[paired]).float().mean(),
    }


def pair_scores(model: Any, batch: Batch) -> tuple[Any, Any]:
    """Both heads of a model that names them as BERT does: at the selected tokens, and of pairs."""
    encoded = encode(model, batch)
    states = selected_states(encoded.last_hidden_state, batch)
    scores, order = model.cls(states, encoded.pooler_output)
    return scores, order


def pair_losses(scores: Any, order: Any, batch: Batch) -> dict[str, Any]:
    """BERT's losses: masked language model and next sentence."""
    return masked_losses(scores, batch) | order_losses(order, batch, "nsp")
