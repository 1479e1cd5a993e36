"""What the user sets of the losses; the papers' values at first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Choice, Entry, Number, Numbers, Option, Optioned, Switch
from explorer.api.question.options.values import in_words
from explorer.numerics.distributions.temperature import COOLEST, HOTTEST
from explorer.numerics.layers import LAST, OWN, UNIFORM
from explorer.numerics.losses import DISTILBERT_TEMPERATURE, DISTILBERT_WEIGHTS
from explorer.text import N_

CROSS_ENTROPY = N_("cross-entropy")
KL = "KL"


class LayerMap(Choice):
    """A kind of layer map; the user's own is kept as a list of the teacher's layers."""

    def of(self, document: Optioned) -> Any:
        """The kind."""
        return OWN if isinstance(self.held(document), list) else super().of(document)

    def said_in(self, document: Optioned) -> str:
        """The kind; of the user's own, the teacher's layers."""
        held = self.held(document)
        return in_words(held) if isinstance(held, list) else super().said_in(document)


class Mapped(LayerMap):
    """A layer map with what it is: the kind, or the rows of the user's own."""

    def of(self, document: Optioned) -> Any:
        """The kind; of the user's own, the row of the teacher's layer for each of the student's."""
        held = self.held(document)
        return _layers(held) if isinstance(held, list) else super().of(document)


TEMPERATURE = Number(
    N_("Losses at T"),
    DISTILBERT_TEMPERATURE,
    tip=N_("The temperature of the distillation losses: both models' logits are divided by it."),
    low=COOLEST,
    high=HOTTEST,
    step=0.5,
    slider=False,
    key="distillation_losses.temperature",
)
SQUARED = Switch(
    N_("times T²"),
    default=True,
    tip=N_(
        "Multiply losses at a temperature by T squared, so that their gradient stays as large "
        "as that of a loss without one; the curves show why."
    ),
    redraws=True,
    key="distillation_losses.squared",
)
DISTIL = Choice(
    N_("Distillation loss"),
    CROSS_ENTROPY,
    tip=N_(
        "The distillation loss in the weighted sum: the paper writes the cross-entropy, the "
        "released code computes the divergence. They differ by the teacher's entropy."
    ),
    redraws=True,
    entries=(
        Entry(CROSS_ENTROPY, N_("Sum with cross-entropy")),
        Entry(KL, N_("Sum with KL divergence")),
    ),
    key="distillation_losses.distil",
)
WEIGHTS = Numbers(
    N_("Weights"),
    DISTILBERT_WEIGHTS,
    tip=N_("Weights of DistilBERT's sum."),
    redraws=True,
    names=(N_("distillation"), N_("student"), N_("cosine")),
    key="distillation_losses.weights",
)


def _layer_map(kind: type[LayerMap]) -> LayerMap:
    return kind(
        N_("Layer map"),
        UNIFORM,
        tip=N_("Which of the teacher's layers each of the student's learns from"),
        redraws=True,
        entries=(
            Entry(
                UNIFORM,
                N_("Uniform layer map"),
                N_("Evenly over the teacher's layers, as in TinyBERT"),
            ),
            Entry(LAST, N_("Last layers"), N_("The teacher's last layers, one after the other")),
            Entry(
                OWN,
                N_("Own layer map"),
                N_("Click a cell to let a student's layer learn from a teacher's"),
            ),
        ),
        key="distillation_losses.layer_map",
    )


MAP = _layer_map(LayerMap)
MAPPED = _layer_map(Mapped)
"""The same option as what follows it is told of it."""
INFINITE = N_(
    "It is infinite: the student’s layer sees nothing of a token that the teacher’s attends to, as "
    "beyond a window."
)
"""Why a divergence of attention is none."""

MEASURE = Choice(
    N_("Likeness"),
    "mse",
    tip=N_("What the cells of the layers show"),
    redraws=True,
    entries=(
        Entry("mse", N_("Hidden states: MSE")),
        Entry("cosine", N_("Hidden states: cosine")),
        Entry("cka", N_("Hidden states: linear CKA")),
        Entry("attention_mse", N_("Attention: MSE of scores")),
        Entry("attention_kl", N_("Attention: KL")),
    ),
    key="distillation_losses.measure",
)
OPTIONS = (TEMPERATURE, SQUARED, DISTIL, WEIGHTS, MAP, MEASURE)


@dataclass(frozen=True)
class LossSettings:
    """What the user sets; the papers' values at first.

    Attributes:
        squared: Losses at a temperature are multiplied by T^2.
        weights: DistilBERT's, of the distillation loss, the student loss and the cosine loss.
        distil: Which distillation loss the weighted sum takes: "cross-entropy" or "KL".
        map_kind: "uniform", "last" or "own".
        own_map: The row of the teacher's layer for each student layer, where the user says it; the
            embeddings are row 0.
    """

    squared: bool = True
    weights: tuple[float, float, float] = DISTILBERT_WEIGHTS
    distil: str = CROSS_ENTROPY
    map_kind: str = UNIFORM
    own_map: tuple[int, ...] = ()


def followed(
    squared: bool = True,
    weights: Sequence[float] = DISTILBERT_WEIGHTS,
    distil: str = CROSS_ENTROPY,
    layer_map: str | tuple[int, ...] = UNIFORM,
) -> LossSettings:
    """The losses' settings from what the options are set to."""
    distillation, student, cosine = weights
    is_own = isinstance(layer_map, tuple)
    return LossSettings(
        squared,
        (distillation, student, cosine),
        distil,
        OWN if is_own else str(layer_map),
        layer_map if isinstance(layer_map, tuple) else (),
    )


FOLLOWS: Mapping[str, Option[Any]] = {
    "squared": SQUARED,
    "weights": WEIGHTS,
    "distil": DISTIL,
    "layer_map": MAPPED,
}


def settings_of(document: Optioned) -> LossSettings:
    """The losses' settings; what can't be read is the papers'."""
    return followed(**{name: option.of(document) for name, option in FOLLOWS.items()})


def _layers(given: list[Any]) -> tuple[int, ...]:
    """The rows of the user's own layer map; 0, the embeddings, where it can't be read."""
    return tuple(one + 1 if type(one) is int and one >= 0 else 0 for one in given)


def with_mapped(mapped: tuple[int, ...], student: int, teacher: int) -> list[int]:
    """A layer map in which one student layer learns from another teacher layer.

    Args:
        mapped: The row of the teacher's layer for each of the student's.
        student: A row of the student's.
        teacher: The row of the teacher's that it learns from.

    Returns:
        The teacher's layer for each of the student's, as the option keeps it.
    """
    rows = [teacher if row == student else old for row, old in enumerate(mapped, start=1)]
    return [row - 1 for row in rows]


def map_from_0(held: Any) -> Any:
    """What an older program kept of a layer map, whose layers counted from 1."""
    if not isinstance(held, list):
        return held
    return [one - 1 if type(one) is int else one for one in held]
