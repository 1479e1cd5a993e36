"""What DistilBERT's miniature is compared with: its size and text, without its teacher."""

from __future__ import annotations

from typing import ClassVar

from explorer.pretraining.recipe import Schedule
from explorer.pretraining.recipes.distilbert import RECIPE as STUDENT
from explorer.pretraining.students import AloneRecipe, StudentRecipe


class DistilBertAloneRecipe(AloneRecipe):
    """Masked language model only, fresh weights."""

    name: ClassVar[str] = "distilbert-alone"
    title: ClassVar[str] = "DistilBERT's size without a teacher"
    student: ClassVar[StudentRecipe] = STUDENT
    schedule: ClassVar[Schedule] = STUDENT.schedule


RECIPE = DistilBertAloneRecipe()
