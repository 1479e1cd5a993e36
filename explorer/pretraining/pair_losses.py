"""Losses of models that read sentence pairs: masked language model and next sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.objectives import IGNORED


def encode(model: Any, batch: Mapping[str, Any], **options: Any) -> Any:
    """The encoder's output for a batch of `PairBatches`; segments where the model has them."""
    inputs = {"input_ids": batch["input_ids"], "attention_mask": batch["attention_mask"]}
    if getattr(model.config, "type_vocab_size", 0):
        inputs["token_type_ids"] = batch["token_type_ids"]
    return model.base_model(**inputs, **options)


def pair_losses(
    scores: Any, order: Any | None, batch: Mapping[str, Any], *, labels: Any
) -> dict[str, Any]:
    """Both losses in nats, and how often the likeliest answer is right.

    Args:
        scores: logits at the selected tokens, shape [selected, vocabulary].
        order: logits of the next-sentence head, shape [batch, 2]; None where there is none.
        batch: a batch of `PairBatches`.
        labels: what stood at the selected tokens, shape [selected].
    """
    from torch.nn import functional

    measured = {
        "loss_mlm": functional.cross_entropy(scores, labels),
        "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
    }
    next_labels = batch["next_sentence_label"]
    paired = next_labels != IGNORED
    if order is not None and bool(paired.any()):
        measured["loss_nsp"] = functional.cross_entropy(order[paired], next_labels[paired])
        right = order[paired].argmax(-1) == next_labels[paired]
        measured["nsp_accuracy"] = right.float().mean()
    return measured
