"""The losses' settings in the document, and the measures of likeness between layers."""

from typing import Any

from explorer.document import Document
from explorer.numerics.layers import KINDS, OWN, UNIFORM
from explorer.numerics.losses import DISTILBERT_TEMPERATURE, DISTILBERT_WEIGHTS
from explorer.numerics.temperature import Floats
from explorer.questions.distillation.distillation_losses.question import LayerLosses
from explorer.questions.distillation.distillation_losses.terms import CROSS_ENTROPY, KL, Settings
from explorer.text.glossary import explain
from explorer.ui.views.distilling.layer_grid import Measure

TEMPERATURE = "distillation_losses.temperature"
SQUARED = "distillation_losses.squared"
WEIGHTS = "distillation_losses.weights"
DISTIL = "distillation_losses.distil"
MAP = "distillation_losses.map"
"""A kind of layer map, or the user's own as a list."""
MEASURE = "distillation_losses.measure"

MEASURES = (
    Measure(
        "mse",
        "Hidden states: MSE",
        "Mean squared difference of the states, the student's projected. Small is alike.",
        more_is_alike=False,
    ),
    Measure(
        "cosine",
        "Hidden states: cosine",
        "Mean cosine of the states, the student's projected. 1 is the same direction.",
        more_is_alike=True,
    ),
    Measure(
        "cka",
        "Hidden states: linear CKA",
        f"{explain('linear CKA')} Nothing is projected; short texts bias it upwards (Kornblith et "
        "al. 2019).",
        more_is_alike=True,
    ),
    Measure(
        "attention_mse",
        "Attention: MSE of scores",
        "Mean squared difference of the scores before the softmax, head by head. Small is alike.",
        more_is_alike=False,
    ),
    Measure(
        "attention_kl",
        "Attention: KL",
        "Divergence of the student's attention from the teacher's, head by head. Small is alike.",
        more_is_alike=False,
    ),
)


def measure_of(document: Document) -> Measure:
    """What the grid shows."""
    wanted = document.option(MEASURE, "")
    return next((one for one in MEASURES if one.key == wanted), MEASURES[0])


def values_of(layers: LayerLosses, measure: Measure) -> Floats | None:
    """The numbers of a measure, student layers x teacher layers; None where there are none."""
    found: dict[str, Floats | None] = {
        "mse": layers.hidden_mse,
        "cosine": layers.cosine,
        "cka": layers.cka,
        "attention_mse": layers.attention_mse,
        "attention_kl": layers.attention_kl,
    }
    return found[measure.key]


def settings_of(document: Document) -> Settings:
    """The losses' settings; what can't be read is the papers'."""
    chosen = document.option(MAP, UNIFORM)
    own = isinstance(chosen, list)
    return Settings(
        squared=document.option(SQUARED, True) is not False,
        weights=_weights(document.option(WEIGHTS, None)),
        distil=KL if document.option(DISTIL, CROSS_ENTROPY) == KL else CROSS_ENTROPY,
        map_kind=OWN if own else chosen if chosen in KINDS else UNIFORM,
        own_map=_layers(chosen) if own else (),
    )


def _weights(given: Any) -> tuple[float, float, float]:
    if isinstance(given, list) and len(given) == 3 and all(_is_number(one) for one in given):
        return float(given[0]), float(given[1]), float(given[2])
    return DISTILBERT_WEIGHTS


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _layers(given: list[Any]) -> tuple[int, ...]:
    """The user's own layer map; 0, which is no layer, where it can't be read."""
    return tuple(one if _is_number(one) and isinstance(one, int) else 0 for one in given)


def loss_temperature_of(document: Document) -> float:
    """The temperature the losses are computed at."""
    given = document.option(TEMPERATURE, DISTILBERT_TEMPERATURE)
    return float(given) if _is_number(given) and given > 0 else DISTILBERT_TEMPERATURE


def with_mapped(mapped: tuple[int, ...], student: int, teacher: int) -> list[int]:
    """A layer map in which one student layer learns from another teacher layer."""
    return [teacher if layer == student else old for layer, old in enumerate(mapped, start=1)]


__all__ = [
    "DISTIL",
    "MAP",
    "MEASURE",
    "MEASURES",
    "OWN",
    "SQUARED",
    "TEMPERATURE",
    "WEIGHTS",
    "loss_temperature_of",
    "measure_of",
    "settings_of",
    "values_of",
    "with_mapped",
]
