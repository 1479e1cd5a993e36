"""Plans of fine-tuning by their names, to begin with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.plan import TuningPlan

_FILM: Final = TuningPlan(
    base="bert-student-film@step2400",
    task=LabelledTask.TRADES,
    examples=320,
    epochs=8,
    rate=0.002,
    length=48,
)
PRESETS: Final[Mapping[str, TuningPlan]] = {
    "sentiment": TuningPlan(),
    "inference": TuningPlan(task=LabelledTask.INFERENCE),
    "paraphrase": TuningPlan(task=LabelledTask.PARAPHRASE),
    "roles": TuningPlan(task=LabelledTask.ROLES),
    "answers": TuningPlan(task=LabelledTask.ANSWERS, examples=2000),
    "endings": TuningPlan(task=LabelledTask.ENDINGS),
    "features": TuningPlan(tuned=Tuned.FEATURES, rate=0.01),
    "gpt": TuningPlan(base="gpt1-miniature", head_rate=10.0),
    "film": _FILM,
    "shuffled": replace(_FILM, shuffled=True),
}
"""Each takes a bundled model less than a minute; "features" leaves all but the head as it is, and
"film" is the plan of the bundled film of fine-tuning, "shuffled" that of its control."""
