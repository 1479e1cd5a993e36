"""What the cells of student layers against teacher layers hold."""

from dataclasses import dataclass

from explorer.numerics.distributions.temperature import Floats
from explorer.questions.distillation.distillation_losses.losses import LayerLosses
from explorer.questions.distillation.distillation_losses.settings import MEASURE
from explorer.text import N_


@dataclass(frozen=True)
class LayerMeasure:
    """What the cells hold.

    Attributes:
        key: One of the option's.
        words: What it means, and which end is alike.
        more_is_alike: A large number means alike layers.
    """

    key: str
    words: str
    more_is_alike: bool

    @property
    def title(self) -> str:
        """In the chooser."""
        return MEASURE.entry(self.key).title


MEASURES = (
    LayerMeasure(
        "mse",
        N_("Mean squared difference of the states, the student's projected. Small is alike."),
        more_is_alike=False,
    ),
    LayerMeasure(
        "cosine",
        N_("Mean cosine of the states, the student's projected. 1 is the same direction."),
        more_is_alike=True,
    ),
    LayerMeasure(
        "cka",
        N_("{meaning} Nothing is projected; short texts bias it upwards (Kornblith et al. 2019)."),
        more_is_alike=True,
    ),
    LayerMeasure(
        "attention_mse",
        N_(
            "Mean squared difference of the scores before the softmax, head by head. Small is "
            "alike."
        ),
        more_is_alike=False,
    ),
    LayerMeasure(
        "attention_kl",
        N_(
            "Divergence of the student's attention from the teacher's, head by head. Small is "
            "alike."
        ),
        more_is_alike=False,
    ),
)


def measure_of(key: str) -> LayerMeasure:
    """What the cells show."""
    return next(one for one in MEASURES if one.key == key)


def values_of(layers: LayerLosses, measure: LayerMeasure) -> Floats | None:
    """The numbers of a measure, student layers x teacher layers; None where there are none."""
    found: dict[str, Floats | None] = {
        "mse": layers.hidden_mse,
        "cosine": layers.cosine,
        "cka": layers.cka,
        "attention_mse": layers.attention_mse,
        "attention_kl": layers.attention_kl,
    }
    return found[measure.key]
