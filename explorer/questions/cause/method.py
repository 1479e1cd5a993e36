"""Ways to say what each word of a text adds to a prediction, with where they come from."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from explorer.text import N_


class AttributionMethod(enum.StrEnum):
    """One of them; `ABOUT` says what it is."""

    GRADIENT = "gradient"
    GRADIENT_X_INPUT = "gradient_x_input"
    INTEGRATED_GRADIENTS = "integrated_gradients"
    SEQUENTIAL_INTEGRATED_GRADIENTS = "sequential_integrated_gradients"
    OCCLUSION = "occlusion"
    DELETION = "deletion"
    SHAPLEY = "shapley"
    ATTENTION = "attention"
    LAST_ATTENTION = "last_attention"
    ROLLOUT = "rollout"

    @property
    def about(self) -> "MethodDescription":
        """What it is."""
        return ABOUT[self]


class Baseline(enum.StrEnum):
    """What stands in the place of words that say nothing, from which scores count."""

    MASK = "mask"
    PAD = "pad"
    ZERO = "zero"
    TEXT = "text"


@dataclass(frozen=True)
class MethodDescription:
    """What a method is.

    Attributes:
        title: Its name in the field.
        does: What it computes, in a sentence.
        citation: Who described it; the names are for a translator to leave.
        adds_up: Its scores are made to add up to what the whole text changes.
        signed: A score says whether a word speaks for the prediction or against it.
        in_units: Scores are in the units of what is explained.
        traced: It needs gradients.
        looks: It reads attention, which says where a model looked and not what that did.
    """

    title: str
    does: str
    citation: str
    adds_up: bool = False
    signed: bool = True
    in_units: bool = True
    traced: bool = False
    looks: bool = False


_TRACED = partial(MethodDescription, traced=True)
_LOOKING = partial(MethodDescription, signed=False, in_units=False, looks=True)

ABOUT: Mapping[AttributionMethod, MethodDescription] = {
    AttributionMethod.GRADIENT: _TRACED(
        N_("Gradient"),
        N_("How fast the value changes with a word's vector: the length of the gradient."),
        N_("Simonyan et al. 2014; Li et al. 2016"),
        signed=False,
        in_units=False,
    ),
    AttributionMethod.GRADIENT_X_INPUT: _TRACED(
        N_("Gradient × input"),
        N_("The gradient times the word's vector, summed over the vector's numbers."),
        N_("Shrikumar et al. 2017"),
        in_units=False,
    ),
    AttributionMethod.INTEGRATED_GRADIENTS: _TRACED(
        N_("Integrated gradients"),
        N_(
            "Gradients summed up along the straight way from the baseline to the text; the scores "
            "add up to what the words change together."
        ),
        N_("Sundararajan et al. 2017"),
        adds_up=True,
    ),
    AttributionMethod.SEQUENTIAL_INTEGRATED_GRADIENTS: _TRACED(
        N_("Sequential integrated gradients"),
        N_(
            "As integrated gradients, but each word goes its way from the baseline alone, with all "
            "other words in place."
        ),
        N_("Enguehard 2023"),
    ),
    AttributionMethod.OCCLUSION: MethodDescription(
        N_("Occlusion"),
        N_("What the value loses when the baseline replaces a word."),
        N_("Zeiler and Fergus 2014"),
    ),
    AttributionMethod.DELETION: MethodDescription(
        N_("Occlusion by deletion"),
        N_("What the value loses when a word is taken out and the text closes up."),
        N_("Li et al. 2017"),
    ),
    AttributionMethod.SHAPLEY: MethodDescription(
        N_("Shapley values"),
        N_(
            "What a word adds on average, over the orders in which words may take the baseline's "
            "place; sampled, with the standard error."
        ),
        N_("Shapley 1953; Lundberg and Lee 2017"),
        adds_up=True,
    ),
    AttributionMethod.ATTENTION: _LOOKING(
        N_("Attention, mean"),
        N_("Attention from the place that predicts, the mean of all layers and heads."),
        N_("Jain and Wallace 2019, who doubt it"),
    ),
    AttributionMethod.LAST_ATTENTION: _LOOKING(
        N_("Attention, last layer"),
        N_("Attention from the place that predicts, the mean of the last layer's heads."),
        N_("Jain and Wallace 2019, who doubt it"),
    ),
    AttributionMethod.ROLLOUT: _LOOKING(
        N_("Attention rollout"),
        N_("Attention followed through all layers, half of each for what goes around it."),
        N_("Abnar and Zuidema 2020"),
    ),
}
