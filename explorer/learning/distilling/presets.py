"""Distillations by their names, to begin with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from explorer.learning.distilling.choices import NamedLosses, StudentStart, TaughtBy
from explorer.learning.distilling.plan import DistilPlan

_FILM: Final = DistilPlan(
    teacher="bert-small-film@step2400",
    layers=2,
    width=16,
    length=48,
    batch=64,
    rate=0.006,
    steps=2400,
)
PRESETS: Final[Mapping[str, DistilPlan]] = {
    "small": DistilPlan(),
    "exact": DistilPlan(targets=TaughtBy.EXACT),
    "labels": DistilPlan(targets=TaughtBy.LABELS),
    "distilbert": DistilPlan(losses=NamedLosses.DISTILBERT, start=StudentStart.EVERY),
    "tinybert": DistilPlan(losses=NamedLosses.TINYBERT, width=32),
    "mobilebert": DistilPlan(losses=NamedLosses.MOBILEBERT, layers=2),
    "film": _FILM,
    "alone": replace(_FILM, targets=TaughtBy.LABELS),
}
"""Each takes a minute or less, once its teacher is there. "film" is the plan of the bundled film of
a student, "alone" of one that its teacher tells nothing, trained as long on the same texts."""
