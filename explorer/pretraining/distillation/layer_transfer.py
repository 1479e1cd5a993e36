"""Feature maps and attention of every layer, from one model to another of the same outline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.learning.batches.losses import encode
from explorer.learning.distilling.teachers.attention_scores import captured_scores
from explorer.objectives.distillation.feature_map_transfer import (
    attention_transfer,
    feature_map_loss,
)


def layer_losses(model: Any, teacher: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
    """The losses of `feature_map_transfer` for each layer, as ``loss_feature_map_1`` and so on.

    Args:
        model: the student; as many layers and heads, and feature maps as wide, as the teacher's.
        teacher: needs no gradient.
        batch: a batch of `PairBatches`.
    """
    import torch

    real = batch["attention_mask"]
    with torch.no_grad(), captured_scores(teacher) as taught_scores:
        taught = encode(teacher, batch, output_hidden_states=True).hidden_states
    with captured_scores(model) as scores:
        learnt = encode(model, batch, output_hidden_states=True).hidden_states
    measured = {}
    for layer in range(1, len(taught)):
        measured[f"loss_feature_map_{layer}"] = feature_map_loss(learnt[layer], taught[layer], real)
        measured[f"loss_attention_{layer}"] = attention_transfer(
            scores[layer - 1], taught_scores[layer - 1], real
        )
    return measured
