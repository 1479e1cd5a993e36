"""A student's losses beside its teacher: soft targets, hidden words, states and attention.

The formulas are those of `explorer.objectives.distillation`; here they are weighted and added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from explorer.learning.distilling.teachers.teacher import Scored
from explorer.learning.distilling.weights import LossWeights
from explorer.objectives.distillation.attention_and_hidden_matching import (
    attention_loss,
    hidden_loss,
)
from explorer.objectives.distillation.feature_map_transfer import attention_transfer
from explorer.objectives.distillation.hidden_state_cosine import cosine_loss
from explorer.objectives.distillation.soft_targets import soft_cross_entropy, soft_target_loss

NOWHERE: Final = -1e4
"""The logit of a word that can't be: its probability is 0 at every temperature that is offered."""
HALVINGS: Final = 40
SHARPEST: Final = 1e4


@dataclass(frozen=True, slots=True)
class Matched:
    """Which layers are compared.

    Attributes:
        layers: For each of the student's layers the teacher's.
        fits: The student's projections, of what its layers read and of what each leaves; None
            where nothing is projected.
    """

    layers: Sequence[int]
    fits: Any = None

    def projected(self, states: Sequence[Any], number: int) -> Any:
        """A row of the student's states as wide as the teacher's."""
        return states[number] if self.fits is None else self.fits[number](states[number])


def told_apart(student: Any, targets: Any, temperature: float) -> dict[str, Any]:
    """What a soft loss is made of, for people to see; nothing of it is trained.

    Cross-entropy is the targets' entropy, which no student can change, and the divergence.

    Args:
        student: Logits, shape [places, vocabulary].
        targets: Logits of the targets, same shape.
        temperature: T.

    Returns:
        ``kl`` and ``targets_entropy`` in nats a place at T, ``soft_gradient``, the mean length of
        the divergence's gradient by the student's logits, ``(q - p) / T``, and ``agreement``, how
        often the likeliest word is the same.
    """
    import torch

    with torch.no_grad():
        learnt = (student / temperature).log_softmax(dim=-1)
        taught = (targets / temperature).log_softmax(dim=-1)
        shares = taught.exp()
        return {
            "kl": (shares * (taught - learnt)).sum(dim=-1).mean(),
            "targets_entropy": -(shares * taught).sum(dim=-1).mean(),
            "soft_gradient": (learnt.exp() - shares).norm(dim=-1).mean() / temperature,
            "agreement": (student.argmax(-1) == targets.argmax(-1)).float().mean(),
        }


def sharpened(targets: Any, peak: float) -> Any:
    """Logits times what brings the likeliest word of each place to a probability.

    What is likelier than that already stays, and so does a place where several words are the
    likeliest and can't be told apart.

    Args:
        targets: Logits, shape [places, vocabulary].
        peak: That probability.
    """
    import torch

    shifted = targets - targets.max(dim=-1, keepdim=True).values
    low = torch.ones_like(shifted[:, :1])
    high = torch.full_like(low, SHARPEST)
    for _ in range(HALVINGS):
        middle = (low * high).sqrt()
        falls_short = (middle * shifted).softmax(dim=-1).max(dim=-1, keepdim=True).values < peak
        low, high = torch.where(falls_short, middle, low), torch.where(falls_short, high, middle)
    tied = (shifted == 0).sum(dim=-1, keepdim=True) > 1
    return torch.where(tied, targets, high.clamp(min=1.0) * shifted)


def prediction_losses(student: Scored, targets: Any, weights: LossWeights) -> dict[str, Any]:
    """Losses at the asked places; those named ``loss...`` are weighted and trained.

    Args:
        student: What it says.
        targets: Logits of what it shall say, shape [places, vocabulary]; None for nothing.
        weights: Of the losses.
    """
    from torch.nn import functional

    labels = functional.cross_entropy(student.scores, student.labels)
    found = {
        "mlm_loss" if weights.soft or weights.matches_layers else "mlm": labels.detach(),
        "mlm_accuracy": (student.scores.argmax(-1) == student.labels).float().mean(),
    }
    if weights.labels:
        found["loss_mlm"] = weights.labels * labels
    if targets is None:
        return {name: value for name, value in found.items() if name not in ("mlm", "mlm_loss")}
    found |= told_apart(student.scores, targets, weights.temperature)
    if weights.soft:
        found["loss_soft"] = weights.soft * soft_loss(student.scores, targets, weights)
    return found


def soft_loss(scores: Any, targets: Any, weights: LossWeights) -> Any:
    """The loss of soft targets before it is weighted, as its paper writes it."""
    at = weights.temperature
    if weights.crossed:
        return soft_cross_entropy(scores, targets, at)
    found = soft_target_loss(scores, targets, at)
    return found if weights.squared else found / at**2


def layer_losses(
    student: Scored, teacher: Scored, weights: LossWeights, matched: Matched
) -> dict[str, Any]:
    """Losses between layers, weighted; each layer's is a loss of its own.

    Args:
        student: Its states, and its attention where that is matched.
        teacher: The teacher's.
        weights: Of the losses.
        matched: Which layers are compared.
    """
    real, found = student.real, {}
    if weights.embedding:
        own = matched.projected(student.states, 0)
        found["loss_embedding"] = weights.embedding * hidden_loss(own, teacher.states[0], real)
    for layer, source in enumerate(matched.layers):
        if weights.hidden:
            own = matched.projected(student.states, layer + 1)
            distance = hidden_loss(own, teacher.states[source + 1], real)
            found[f"loss_hidden_{layer}"] = weights.hidden * distance
        if weights.attention:
            compared = attention_transfer if weights.attention_shares else attention_loss
            distance = compared(student.attention[layer], teacher.attention[source], real)
            found[f"loss_attention_{layer}"] = weights.attention * distance
    if weights.cosine:
        turned = cosine_loss(student.states[-1], teacher.states[-1], real)
        found["loss_cosine"] = weights.cosine * turned
    return found
