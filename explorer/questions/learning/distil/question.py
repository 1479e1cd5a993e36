"""What does a student learn from a teacher, from the exact answers, or from words alone?"""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.api.question import Cell, Listing, Question, Topic, asked
from explorer.learning.distilling.plan import DistilPlan
from explorer.questions.learning.distil.options import ACT, FRAME, NAME, SURE, WATCHED
from explorer.questions.learning.run_request import (
    COLUMN_TITLES,
    PlannedRunRequest,
    RunResult,
    is_passing,
    only_look,
    table,
)
from explorer.text import N_


@dataclass(frozen=True)
class DistilRequest(PlannedRunRequest[DistilPlan], DistilPlan, question="distil"):
    """Distil a student by a plan, or look what there is of it.

    Attributes:
        name: Of the run; "" for one made of its teacher, or the one it has.
        watched: Sentences with masks that are asked at every frame.
        act: "rivals" to train the students of all teachers, too.
    """

    name: str = asked(NAME, made=str.strip)
    watched: str = asked(WATCHED)
    act: str = asked(ACT, is_held=False)


@dataclass(frozen=True)
class RivalStudent:
    """A student that is planned like another one and told something else.

    Attributes:
        targets: What it is told, as `TaughtBy` has it.
        name: Of its run.
        status: What that is doing.
        steps: Of its frames.
        excess: What it has left to learn at each of them.
    """

    targets: str
    name: str
    status: str
    steps: tuple[int, ...] = ()
    excess: tuple[float, ...] = ()


@dataclass(frozen=True)
class PossibleTeacher:
    """A model that can teach.

    Attributes:
        name: As it is typed.
        kind: Its type.
        layers: How many.
        width: Of its states.
        corpus: The world whose text it was trained on; "" for another text.
    """

    name: str
    kind: str
    layers: int
    width: int
    corpus: str = ""


@dataclass(frozen=True)
class DistilResult(RunResult):
    """How far the run of a plan is.

    Attributes:
        targets: What the plan's student is told.
        temperature: At which both are compared.
        rivals: Students of the other teachers, those that were begun.
        teachers: Models that can teach.
    """

    targets: str = ""
    temperature: float = 1.0
    rivals: tuple[RivalStudent, ...] = ()
    teachers: tuple[PossibleTeacher, ...] = ()


def summary(result: DistilResult) -> Mapping[str, Cell]:
    """How far it is, and how far from the exact answers and from its teacher."""
    measured = result.of_last_frame("excess", "teacher_excess", "to_teacher")
    return {**result.state_of_run, **measured}


QUESTION = Question(
    name="distil",
    title=N_("Distil a model"),
    asks=N_("What does a student learn from a teacher, from the exact answers, or from words?"),
    listing=Listing(Topic.LEARNING, 2, "human-male-board"),
    found_by=(
        *("distillation", "knowledge distillation", "student", "teacher", "soft targets"),
        *("dark knowledge", "temperature", "compress", "TinyBERT", "DistilBERT", "MobileBERT"),
        *("증류", "지식 증류", "교사", "학생", "소프트 타깃"),
    ),
    request=DistilRequest,
    result=DistilResult,
    table=table,
    summary=summary,
    column_titles={
        **COLUMN_TITLES,
        "excess": N_("excess loss"),
        "teacher_excess": N_("teacher’s excess loss"),
        "to_teacher": N_("divergence from the teacher"),
    },
    follows={"sure": SURE, "frame": FRAME},
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
    options=(SURE, FRAME),
)
