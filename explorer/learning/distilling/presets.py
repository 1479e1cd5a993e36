"""Distillations by their names, to begin with."""

from collections.abc import Mapping
from typing import Final

from explorer.learning.distilling.choices import NamedLosses, StudentStart, TaughtBy
from explorer.learning.distilling.plan import DistilPlan

PRESETS: Final[Mapping[str, DistilPlan]] = {
    "small": DistilPlan(),
    "exact": DistilPlan(targets=TaughtBy.EXACT),
    "labels": DistilPlan(targets=TaughtBy.LABELS),
    "distilbert": DistilPlan(losses=NamedLosses.DISTILBERT, start=StudentStart.EVERY),
    "tinybert": DistilPlan(losses=NamedLosses.TINYBERT, width=32),
    "mobilebert": DistilPlan(losses=NamedLosses.MOBILEBERT, layers=2),
}
"""Each takes a minute or less, once its teacher is there."""
