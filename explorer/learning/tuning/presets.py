"""Plans of fine-tuning by their names, to begin with."""

from collections.abc import Mapping
from typing import Final

from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.plan import TuningPlan

PRESETS: Final[Mapping[str, TuningPlan]] = {
    "sentiment": TuningPlan(),
    "inference": TuningPlan(task=LabelledTask.INFERENCE),
    "paraphrase": TuningPlan(task=LabelledTask.PARAPHRASE),
    "roles": TuningPlan(task=LabelledTask.ROLES),
    "answers": TuningPlan(task=LabelledTask.ANSWERS, examples=2000),
    "endings": TuningPlan(task=LabelledTask.ENDINGS),
    "features": TuningPlan(tuned=Tuned.FEATURES, rate=0.01),
    "gpt": TuningPlan(base="gpt1-miniature", head_rate=10.0),
}
"""Each takes a bundled model less than a minute; "features" leaves all but the head as it is."""
