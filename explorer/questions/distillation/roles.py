"""Who is who: the teacher is blue and stands first, the student is green, second, and dashed."""

from typing import Protocol

from explorer.api.question import STUDENT, TEACHER, Models, ModelStamp, Player
from explorer.text import N_

TEACHERS, STUDENTS = "bar", "bar_second"
"""Colours of bars and lines, by their names in the theme."""

SECOND_MODEL = N_("Two models are compared here: a teacher as A and its student as B.")


class OfBoth(Protocol):
    """An answer of two models."""

    @property
    def model(self) -> ModelStamp:
        """The teacher."""

    @property
    def other(self) -> ModelStamp:
        """The student."""


def players(result: OfBoth) -> Models:
    """The two models of an answer."""
    return Models(
        (
            Player(TEACHER, N_("Teacher"), result.model, TEACHERS),
            Player(STUDENT, N_("Student"), result.other, STUDENTS),
        )
    )
