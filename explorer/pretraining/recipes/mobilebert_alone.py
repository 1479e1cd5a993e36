"""What MobileBERT's miniature is compared with: its size and text, without its teacher."""

from __future__ import annotations

from typing import ClassVar

from explorer.pretraining.recipe import Schedule
from explorer.pretraining.recipes.mobilebert import RECIPE as STUDENT
from explorer.pretraining.students import AloneRecipe, StudentRecipe


class MobileBertAloneRecipe(AloneRecipe):
    """Masked language model and next sentence, fresh weights."""

    name: ClassVar[str] = "mobilebert-alone"
    title: ClassVar[str] = "MobileBERT's size without a teacher"
    student: ClassVar[StudentRecipe] = STUDENT
    schedule: ClassVar[Schedule] = STUDENT.schedule


RECIPE = MobileBertAloneRecipe()
