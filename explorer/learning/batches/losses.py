"""Losses of batches with masked tokens and sentence pairs, in nats.

The vocabulary is scored at the selected tokens only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from explorer.objectives import IGNORED
from explorer.objectives.detection.replaced_token_detection import (
    corrupt,
    detection_loss,
    detection_rates,
    draw,
)
from explorer.objectives.masking.span_boundary import boundaries

Batch = Mapping[str, Any]


def encode(model: Any, batch: Batch, **options: Any) -> Any:
    """The encoder's output for a batch of `PairBatches`; segments where the model has them."""
    inputs = {"input_ids": batch["input_ids"], "attention_mask": batch["attention_mask"]}
    if getattr(model.config, "type_vocab_size", 0):
        inputs["token_type_ids"] = batch["token_type_ids"]
    if "position_ids" in batch:
        inputs["position_ids"] = batch["position_ids"]
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


def replaced_losses(
    scores: Any, judged: Callable[[Any], Any], batch: Batch, weight: float
) -> dict[str, Any]:
    """The generator's loss, and the weighted sum of both that is trained.

    Args:
        scores: the generator's logits at the selected tokens, shape [selected, vocabulary].
        judged: the discriminator's logits of tokens with some replaced, both [batch, length].
        batch: with ``labels``.
        weight: the paper's lambda.
    """
    measured = masked_losses(scores, batch)
    mlm = measured.pop("loss_mlm")
    corrupted = corrupt(batch["input_ids"], batch["labels"], draw(scores))
    logits = judged(corrupted.inputs)
    rtd = detection_loss(logits, corrupted.replaced, batch["attention_mask"])
    return {
        "loss": mlm + weight * rtd,
        "mlm_loss": mlm,
        **measured,
        "rtd_loss": rtd,
        **detection_rates(logits, corrupted.replaced, batch["attention_mask"]),
    }


def boundary_losses(model: Any, batch: Batch, longest: int) -> dict[str, Any]:
    """SpanBERT's losses: masked language model and span boundary.

    Args:
        model: with ``cls`` and ``sbo``.
        batch: with ``labels``; its spans don't touch.
        longest: how many places in a span have a vector; tokens behind them have that of the last.
    """
    import torch
    from torch.nn import functional

    states = encode(model, batch).last_hidden_state
    found = boundaries(batch["labels"].cpu().numpy())
    rows, left, right, places = (
        torch.from_numpy(numbers).to(states.device)
        for numbers in (found.rows, found.left, found.right, found.places)
    )
    embeddings = model.get_input_embeddings().weight
    places = places.clamp(max=longest - 1)
    told = model.sbo(states[rows, left], states[rows, right], places, embeddings)
    labels = selected_labels(batch)
    return {
        **masked_losses(model.cls(selected_states(states, batch)), batch),
        "loss_sbo": functional.cross_entropy(told, labels),
        "sbo_accuracy": (told.argmax(-1) == labels).float().mean(),
    }


def dropped_losses(model: Any, batch: Batch) -> dict[str, Any]:
    """T5's loss a written token; its sentinels and end count, as in the paper.

    Args:
        model: an encoder and a decoder.
        batch: of `SpanBatches`.
    """
    from torch.nn import functional

    scores = model(
        input_ids=batch["input_ids"],
        attention_mask=batch["attention_mask"],
        decoder_input_ids=batch["decoder_input_ids"],
        use_cache=False,
    ).logits
    asked = batch["labels"] != IGNORED
    chosen, truth = scores[asked], batch["labels"][asked]
    return {
        "loss_spans": functional.cross_entropy(chosen, truth),
        "token_accuracy": (chosen.argmax(-1) == truth).float().mean(),
    }
