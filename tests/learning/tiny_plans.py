"""Plans that take no time, for tests."""

import dataclasses

from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.plan import TrainingPlan

TINY = TrainingPlan(
    corpus=Corpus.WORLD, layers=2, width=16, heads=2, batch=8, length=32, steps=4, documents=300
)


def begun(**changed):
    """A run of the tiny plan with some fields changed, before its first step."""
    return recipe_of(dataclasses.replace(TINY, **changed)).begin()
