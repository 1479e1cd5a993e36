"""Plans by their names, to begin with."""

from collections.abc import Mapping
from typing import Final

from explorer.learning.plan.choices import Corpus, ModelFamily, Objective, PairObjective
from explorer.learning.plan.plan import TrainingPlan

PRESETS: Final[Mapping[str, TrainingPlan]] = {
    "small": TrainingPlan(),
    "bert": TrainingPlan(pairs=PairObjective.NEXT),
    "albert": TrainingPlan(
        family=ModelFamily.ALBERT,
        pairs=PairObjective.ORDER,
        width=96,
        heads=3,
        embedding_width=32,
        rate=0.001,
    ),
    "electra": TrainingPlan(objective=Objective.REPLACED, rate=0.001),
    "spanbert": TrainingPlan(objective=Objective.BOUNDARY),
    "gpt2": TrainingPlan(objective=Objective.CAUSAL),
    "t5": TrainingPlan(objective=Objective.DROPPED),
    "film": TrainingPlan(
        pairs=PairObjective.NEXT,
        layers=4,
        width=72,
        heads=4,
        corpus=Corpus.WORLD,
        vocabulary=1600,
        rate=0.002,
        steps=8000,
    ),
}
"""All of the small sizes but the last; "small" is learnt in one to two minutes. "film" is the plan
of the bundled film."""
