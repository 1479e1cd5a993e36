"""What experiments measure of a trained model: in files, in words, and which is better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.learning.bias.measures import MEASURES as OF_BIAS
from explorer.text import N_

PREFIX: Final = "bias_"
"""Before the names of measures of bias."""


@dataclass(frozen=True, slots=True)
class ExperimentMeasure:
    """A number that a trained model has.

    Attributes:
        title: What people read, marked for translation.
        words: What it is, in a sentence, marked for translation.
        rises: More is better; else less is.
        unit: Marked for translation; "" for none.
        digits: Behind the point where it is read.
        is_share: It is read in percent.
        least: It is never less than this; an interval ends there.
        most: It is never more than this.
    """

    title: str
    words: str
    rises: bool
    unit: str = ""
    digits: int = 3
    is_share: bool = False
    least: float = -math.inf
    most: float = math.inf


def _share(title: str, words: str, least: float = 0.0) -> ExperimentMeasure:
    return ExperimentMeasure(
        title, words, rises=True, digits=1, is_share=True, least=least, most=1.0
    )


MEASURES: Final[Mapping[str, ExperimentMeasure]] = {
    "excess": ExperimentMeasure(
        N_("excess loss"),
        N_(
            "How far what is said of held-out texts is from the exact answer: cross-entropy less "
            "the entropy that nobody can be below."
        ),
        rises=False,
        unit=N_("nats"),
    ),
    "accuracy": _share(
        N_("words right"),
        N_("How often the likeliest word is the original one, by its exact chance."),
    ),
    "labels_right": _share(
        N_("labels right"),
        N_("How often a model that was fine-tuned is right of held-out examples of its task."),
    ),
    "order_read": _share(
        N_("order of sentences read"),
        N_(
            "How often a linear classifier of the frozen states says rightly whether the parts of "
            "a text are in their order or were swapped. Half of all answers are right by chance."
        ),
    ),
    "mention_read": _share(
        N_("rules read"),
        N_(
            "How often a linear classifier of the frozen states names the rule of the grammar that "
            "wrote a word, of words that several rules write."
        ),
    ),
    "examples_0": _share(
        N_("answers without an example"),
        N_("How often the likeliest answer is right where the text has no example."),
    ),
    "examples_1": _share(
        N_("answers after one example"),
        N_("How often the likeliest answer is right after one example."),
    ),
    "examples_8": _share(
        N_("answers after eight examples"),
        N_("How often the likeliest answer is right after eight examples."),
    ),
    "examples_help": _share(
        N_("what eight examples help"),
        N_("How much more often an answer is right after eight examples than after none."),
        least=-1.0,
    ),
    "generator_right": _share(
        N_("masks filled rightly by the generator"),
        N_("How often the generator’s likeliest word is the original one."),
    ),
    "replaced_found": _share(
        N_("replaced tokens found"),
        N_("Of the tokens that the generator replaced, the share that the discriminator finds."),
    ),
    "parameters": ExperimentMeasure(
        N_("parameters"), N_("All numbers that are trained."), rises=False, digits=0
    ),
    "angle_spread": ExperimentMeasure(
        N_("spread of angles"),
        N_(
            "How much the angle between the states before and after a layer differs from layer to "
            "layer: its standard deviation."
        ),
        rises=False,
        unit=N_("degrees"),
        digits=1,
    ),
    "distance_spread": ExperimentMeasure(
        N_("spread of distances"),
        N_(
            "How much the distance between the states before and after a layer differs from layer "
            "to layer: its standard deviation as a share of the mean."
        ),
        rises=False,
        digits=2,
    ),
    "growth": ExperimentMeasure(
        N_("growth of the states"),
        N_(
            "How many times longer the states are after the last layer than before the first, in a "
            "model that was not trained yet."
        ),
        rises=False,
        digits=2,
    ),
    **{
        f"{PREFIX}{name}": ExperimentMeasure(
            one.title,
            one.words,
            one.rises,
            one.unit,
            one.digits,
            one.is_share,
            least=0.0 if one.is_share else -math.inf,
            most=1.0 if one.is_share else math.inf,
        )
        for name, one in OF_BIAS.items()
    },
}
"""By name in files."""


def measure_of(name: str) -> ExperimentMeasure:
    """A measure by its name; one that nobody knows any more is called by it."""
    return MEASURES.get(name, ExperimentMeasure(name, "", rises=True))
