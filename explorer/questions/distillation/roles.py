"""Who is who: the teacher is blue and stands first, the student is green, second, and dashed."""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.api import STUDENT, TEACHER, ModelCard, ModelStamp, cast_of
from explorer.text import N_, _
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.shown import Shown

TEACHERS, STUDENTS = "bar", "bar_second"
"""Colours of bars and lines, by their names in the theme."""

SECOND_MODEL = N_("Two models are compared here: a teacher as A and its student as B.")


@dataclass(frozen=True)
class Pair:
    """The two models by name.

    Attributes:
        teacher: What the user reads.
        student: What the user reads.
        slots: Where the two lie now; "" for one that is not loaded.
    """

    teacher: str
    student: str
    slots: tuple[str, str] = ("A", "B")

    @property
    def said(self) -> tuple[str, str]:
        """Both with what they do and where they lie."""
        whole = []
        for role, name, slot in zip(
            (_("Teacher"), _("Student")), (self.teacher, self.student), self.slots, strict=True
        ):
            whole.append(f"{role} ({slot}): {name}" if slot else f"{role}: {name}")
        return whole[0], whole[1]


def pair_of(teacher: ModelStamp, student: ModelStamp, cards: Mapping[str, ModelCard]) -> Pair:
    """Two models by name: their titles and slots where they are loaded, else their ids."""
    cast = cast_of({TEACHER: teacher, STUDENT: student}, cards)
    slots = cast.get(TEACHER, ""), cast.get(STUDENT, "")
    names = [
        cards[slot].title if slot else stamp.id
        for slot, stamp in zip(slots, (teacher, student), strict=True)
    ]
    return Pair(names[0], names[1], slots)


def legend(pair: Pair) -> Legend:
    """Which colour is whose."""
    teacher, student = pair.said
    return Legend(((teacher, TEACHERS), (student, STUDENTS)))


def shown_pair(shown: Shown) -> Pair:
    """The names of the two models of an answer."""
    return pair_of(shown.result.model, shown.result.other, shown.cards)
