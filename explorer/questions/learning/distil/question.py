"""What does a student learn from a teacher, from the exact answers, or from words alone?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from explorer.api.question import Cell, Listing, ModelStamp, Question, Table, Topic, asked
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.distilling.plan import DistilPlan
from explorer.questions.learning.distil.options import (
    ACT,
    FRAME,
    MOMENT,
    NAME,
    SURE,
    TRAIN,
    WATCHED,
)
from explorer.questions.learning.run_options import sentences_in
from explorer.questions.learning.runs import (
    ExpectedCost,
    FollowedRun,
    ListedRun,
    is_unfinished,
    steps_of,
)
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class DistilRequest(DistilPlan, question="distil"):
    """Distil a student by a plan, or look what there is of it.

    Attributes:
        name: Of the run; "" for one made of its teacher, or the one it has.
        watched: Sentences with masks that are asked at every frame.
        train: Begin it, or go on with it; else only look.
        act: What is done with it: "pause", "cancel", "delete"; "seeds" to train the same plan with
            more of them, "rivals" to train the students of all teachers; "" for nothing.
        moment: Which time the same is done.
    """

    name: str = asked(NAME, made=str.strip)
    watched: str = asked(WATCHED)
    train: bool = asked(TRAIN, is_held=False)
    act: str = asked(ACT, is_held=False)
    moment: str = asked(MOMENT, is_held=False)

    @property
    def plan(self) -> DistilPlan:
        """What is planned, without what is asked beside it."""
        return DistilPlan(**{one.name: getattr(self, one.name) for one in fields(DistilPlan)})

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that are watched."""
        return sentences_in(self.watched)


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
class DistilResult:
    """How far the run of a plan is.

    Attributes:
        model: Nobody's: the run's name, and the fingerprint of its plan.
        cost: What the plan will cost.
        run: The plan's; None where it was never begun.
        runs: All distillations, the newest first.
        looked: When, nanoseconds since 1970.
        notes: What must be known.
        targets: What the plan's student is told.
        temperature: At which both are compared.
        rivals: Students of the other teachers, those that were begun.
        teachers: Models that can teach.
        others: Curves of finished runs that differ from the plan's in their seeds alone.
    """

    model: ModelStamp
    cost: ExpectedCost
    run: FollowedRun | None = None
    runs: tuple[ListedRun, ...] = ()
    looked: int = 0
    notes: tuple[Phrase, ...] = ()
    targets: str = ""
    temperature: float = 1.0
    rivals: tuple[RivalStudent, ...] = ()
    teachers: tuple[PossibleTeacher, ...] = ()
    others: tuple[TrainingRecord, ...] = ()


def table(result: DistilResult) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return steps_of(result.run)


def summary(result: DistilResult) -> Mapping[str, Cell]:
    """How far it is, and how far from the exact answers and from its teacher."""
    found: dict[str, Cell] = {"parameters": result.cost.parameters}
    if result.run is not None:
        listed = result.run.listed
        found |= {"run": listed.name, "state": listed.status, "steps": listed.step}
        if result.run.frames:
            last = result.run.frames[-1]
            told = {
                "excess": last.excess,
                "teacher_excess": last.teacher_excess,
                "to_teacher": last.to_teacher,
            }
            found |= {name: value for name, value in told.items() if value is not None}
    return found


def only_look(request: DistilRequest) -> DistilRequest:
    """What there is of it, and nothing is begun."""
    return replace(request, train=False)


def is_passing(result: DistilResult) -> bool:
    """Whether it only says how far something is."""
    return is_unfinished(result.run)


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
        "parameters": N_("parameters"),
        "run": N_("run"),
        "state": N_("state"),
        "steps": N_("steps"),
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
