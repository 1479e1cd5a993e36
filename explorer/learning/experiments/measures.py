"""What experiments measure of a trained model: in files, in words, and which is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.text import N_


@dataclass(frozen=True, slots=True)
class ExperimentMeasure:
    """A number that a trained model has.

    Attributes:
        title: What people read, marked for translation.
        unit: Marked for translation; "" for none.
        digits: Behind the point where it is read.
        is_share: It is read in percent.
        rises: More is better; else less is.
        words: What it is, in a sentence, marked for translation.
    """

    title: str
    unit: str
    digits: int
    rises: bool
    words: str
    is_share: bool = False


MEASURES: Final[Mapping[str, ExperimentMeasure]] = {
    "excess": ExperimentMeasure(
        N_("excess loss"),
        N_("nats"),
        3,
        rises=False,
        words=N_(
            "How far what is said of held-out texts is from the exact answer: cross-entropy less "
            "the entropy that nobody can be below."
        ),
    ),
    "accuracy": ExperimentMeasure(
        N_("masked words right"),
        "",
        1,
        rises=True,
        is_share=True,
        words=N_("How often the likeliest word is the one that stood there, by its exact chance."),
    ),
}
"""By name in files."""
