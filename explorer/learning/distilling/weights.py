"""What is added up and minimised, with which weights; and which layer learns from which.

Hinton et al. 2015: ``alpha T^2 KL(p(T) || q(T)) + (1 - alpha) CE``. DistilBERT (Sanh et al. 2019;
its released code): ``5 T^2 KL + 2 MLM + 1 cosine`` at T = 2. TinyBERT (Jiao et al. 2020, equations
7 to 11): embeddings, states and attention scores with weight 1 each, and the soft cross-entropy at
t = 1. MobileBERT (Sun et al. 2020, sections 3.5 and 3.6): feature maps and attention distributions
of every layer, then ``alpha MLM + (1 - alpha) KD`` with alpha = 0.5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from explorer.learning.distilling.choices import LayerMapping, NamedLosses, TaughtBy
from explorer.learning.distilling.distillation import Distillation

LAYERS_FIRST: Final = 0.4
"""The share of the steps in which two-stage losses match layers alone, as in the bundled students.
"""


@dataclass(frozen=True, slots=True)
class LossWeights:
    """What each loss is multiplied by; 0 for one that is not there.

    Attributes:
        soft: Of the targets at a temperature.
        labels: Of the hidden words.
        cosine: Of the angle between the last states.
        embedding: Of the mean squared difference of what the layers read.
        hidden: Of that of the states that layers leave.
        attention: Of attention.
        temperature: T.
        squared: The soft loss is multiplied by T squared.
        crossed: It is written as a cross-entropy, which has the targets' entropy in it.
        attention_shares: Attention is compared as distributions; else as scores.
        projected: States are mapped to the teacher's width.
        layers_first: Share of the steps in which layers alone are matched; 0 for all at once.
    """

    soft: float = 0.0
    labels: float = 0.0
    cosine: float = 0.0
    embedding: float = 0.0
    hidden: float = 0.0
    attention: float = 0.0
    temperature: float = 1.0
    squared: bool = False
    crossed: bool = False
    attention_shares: bool = False
    projected: bool = False
    layers_first: float = 0.0

    @property
    def matches_layers(self) -> bool:
        """Whether layers are compared."""
        return self.embedding > 0 or self.hidden > 0 or self.attention > 0


def weights_of(plan: Distillation) -> LossWeights:
    """Those of a plan."""
    if plan.targets is TaughtBy.LABELS:
        return LossWeights(labels=1.0)
    if plan.targets is TaughtBy.EXACT or plan.losses is NamedLosses.OWN:
        by_model = plan.targets is TaughtBy.TEACHER
        return LossWeights(
            soft=plan.alpha,
            labels=1.0 - plan.alpha,
            hidden=plan.hidden if by_model else 0.0,
            attention=plan.attention if by_model else 0.0,
            temperature=plan.temperature,
            squared=plan.squared,
            projected=plan.projected,
        )
    return NAMED[plan.losses]


_TINYBERT = LossWeights(
    soft=1.0, embedding=1.0, hidden=1.0, attention=1.0, crossed=True, projected=True,
)  # fmt: skip
NAMED: Final = {
    NamedLosses.DISTILBERT: LossWeights(
        soft=5.0, labels=2.0, cosine=1.0, temperature=2.0, squared=True
    ),
    NamedLosses.TINYBERT: LossWeights(
        soft=1.0, embedding=1.0, hidden=1.0, attention=1.0, crossed=True, projected=True,
        layers_first=LAYERS_FIRST,
    ),
    NamedLosses.TINYBERT_AT_ONCE: _TINYBERT,
    NamedLosses.MOBILEBERT: LossWeights(
        soft=0.5, labels=0.5, hidden=1.0, attention=1.0, crossed=True, attention_shares=True,
        layers_first=LAYERS_FIRST,
    ),
}  # fmt: skip


def typed_map(typed: str) -> tuple[int, ...] | None:
    """The layers that were typed, "1, 3"; None where that is no list of them."""
    parts = re.split(r"[\s,;]+", typed.strip())
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else None


def layer_map(plan: Distillation, teacher_layers: int) -> tuple[int, ...]:
    """For each of the student's layers the teacher's that it learns from, counted from 0.

    Args:
        plan: One that was checked.
        teacher_layers: How many the teacher has.
    """
    many = plan.layers
    if plan.layer_map is LayerMapping.FIRST:
        return tuple(range(many))
    if plan.layer_map is LayerMapping.LAST:
        return tuple(range(teacher_layers - many, teacher_layers))
    if plan.layer_map is LayerMapping.OWN:
        return typed_map(plan.own_map) or ()
    # g(m) = m N / M of layers that are counted from 1.
    return tuple((layer + 1) * teacher_layers // many - 1 for layer in range(many))
