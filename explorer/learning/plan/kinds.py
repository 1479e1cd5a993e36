"""The kinds of plans that there are, by what a run's folder calls them."""

from collections.abc import Mapping
from typing import Final

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning.plan import TuningPlan

KINDS: Final[Mapping[str, type[RunPlan]]] = {
    one.kind: one for one in (TrainingPlan, DistilPlan, TuningPlan)
}
"""A model is trained from its beginning, learns from another one, or one learns a task."""
