"""By which plan a model's film is made: the run that it is a frame of, or one of its own sizes."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from explorer.learning.plan.choices import ModelFamily, Objective, PairObjective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS

STEPS: Final = 4000
"""Of a plan that is no other one's: about half an hour of one core at these sizes."""
_OF_MINIATURES: Final = dataclasses.replace(
    PRESETS["film"], pairs=PairObjective.NONE, width=128, rate=0.0015, steps=STEPS
)
MINIATURES: Final[Mapping[str, TrainingPlan]] = {
    "bert-miniature": dataclasses.replace(_OF_MINIATURES, pairs=PairObjective.NEXT),
    "albert-miniature": dataclasses.replace(
        _OF_MINIATURES,
        family=ModelFamily.ALBERT,
        pairs=PairObjective.ORDER,
        width=192,
        heads=6,
        embedding_width=96,
        rate=0.001,
    ),
    "spanbert-miniature": dataclasses.replace(_OF_MINIATURES, objective=Objective.BOUNDARY),
    "electra-miniature-discriminator": dataclasses.replace(
        _OF_MINIATURES, objective=Objective.REPLACED, rate=0.001
    ),
    "gpt2-miniature": dataclasses.replace(_OF_MINIATURES, objective=Objective.CAUSAL, layers=3),
    "t5-miniature": dataclasses.replace(_OF_MINIATURES, objective=Objective.DROPPED, layers=2),
}
"""Plans by the names of the bundled models whose sizes, objective and text they have."""


def film_plan(checkpoint_id: str, folder: Path | str | None) -> TrainingPlan | None:
    """The plan by which a model's film is made; None where nobody knows how it was trained.

    Args:
        checkpoint_id: The model's.
        folder: Where its files are; None where they are not here.
    """
    # Here: the list of models is there before anything of training is.
    from explorer.api.question import UserMistake
    from explorer.learning.runs.run_folder import RunFolder
    from explorer.series.frame_folders import series_folder_of

    series = series_folder_of(folder)
    if series is None:
        return MINIATURES.get(checkpoint_id)
    try:
        plan = RunFolder(series).plan
    except UserMistake:
        return None
    return plan if isinstance(plan, TrainingPlan) else None
