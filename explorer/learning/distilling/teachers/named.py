"""Teachers by the names that people type, and those that there are to choose from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final, TypeVar

from explorer.api.question import UserMistake
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.teachers.outline import TeacherOutline, outline_of
from explorer.learning.plan.choices import Objective
from explorer.learning.runs.trainings import Trainings
from explorer.paths import own_resources

Planned = TypeVar("Planned", bound=DistilPlan)


def with_run(plan: Planned, trainings: Trainings) -> Planned:
    """The same plan; a finished run that it names as its teacher is the folder of its model."""
    model = trainings.model_named(plan.teacher) if plan.teacher else None
    return plan if model is None else dataclasses.replace(plan, teacher=str(model))


OF_ANOTHER_WORLD: Final = frozenset({"bert-korean-miniature", "ernie-thu-miniature"})
"""Bundled models that were trained on another text than the usual small world's."""


def bundled_teachers(objective: Objective) -> Iterator[TeacherOutline]:
    """The bundled models that predict so, by name; they teach on the usual small world's text."""
    for folder in sorted((own_resources() / "models").iterdir()):
        if folder.name in OF_ANOTHER_WORLD:
            continue
        try:
            found = outline_of(folder.name)
        except UserMistake:
            continue
        if found.objective is objective:
            yield found
