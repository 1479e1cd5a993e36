"""What does a small model learn, step by step, from a plan of yours?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from explorer.api.question import (
    Cell,
    Listing,
    ModelStamp,
    Question,
    Table,
    Topic,
    asked,
)
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.run_options import sentences_in
from explorer.questions.learning.runs import (
    ExpectedCost,
    FollowedRun,
    ListedRun,
    is_unfinished,
    steps_of,
)
from explorer.questions.learning.train.options import (
    ACT,
    FRAME,
    MOMENT,
    NAME,
    SURE,
    TRAIN,
    WATCHED,
)
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class TrainRequest(TrainingPlan, question="train"):
    """Train a model by a plan, or look what there is of it.

    Attributes:
        name: Of the run; "" for one made of its objective, or the one it has.
        watched: Sentences with masks that are asked at every frame.
        train: Begin it, or go on with it; else only look.
        act: What is done with it: "pause", "cancel", "delete"; "seeds" to train the same plan with
            more of them; "" for nothing.
        moment: Which time the same is done.
    """

    name: str = asked(NAME, made=str.strip)
    watched: str = asked(WATCHED)
    train: bool = asked(TRAIN, is_held=False)
    act: str = asked(ACT, is_held=False)
    moment: str = asked(MOMENT, is_held=False)

    @property
    def plan(self) -> TrainingPlan:
        """What is planned, without what is asked beside it."""
        return TrainingPlan(**{one.name: getattr(self, one.name) for one in fields(TrainingPlan)})

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that are watched."""
        return sentences_in(self.watched)


@dataclass(frozen=True)
class TrainResult:
    """How far the run of a plan is.

    Attributes:
        model: Nobody's: the run's name, and the fingerprint of its plan.
        cost: What the plan will cost.
        run: The plan's; None where it was never begun.
        runs: All there are, the newest first.
        looked: When, nanoseconds since 1970.
        notes: What must be known.
        others: Curves of finished runs that differ from the plan's in their seeds alone.
    """

    model: ModelStamp
    cost: ExpectedCost
    run: FollowedRun | None = None
    runs: tuple[ListedRun, ...] = ()
    looked: int = 0
    notes: tuple[Phrase, ...] = ()
    others: tuple[TrainingRecord, ...] = ()


def table(result: TrainResult) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return steps_of(result.run)


def summary(result: TrainResult) -> Mapping[str, Cell]:
    """How far it is, and what it came to."""
    found: dict[str, Cell] = {"parameters": result.cost.parameters}
    if result.run is not None:
        listed = result.run.listed
        found |= {"run": listed.name, "state": listed.status, "steps": listed.step}
        if result.run.frames and result.run.frames[-1].excess is not None:
            found |= {"excess": result.run.frames[-1].excess}
    return found


def only_look(request: TrainRequest) -> TrainRequest:
    """What there is of it, and nothing is begun."""
    return replace(request, train=False)


def is_passing(result: TrainResult) -> bool:
    """Whether it only says how far something is."""
    return is_unfinished(result.run)


QUESTION = Question(
    name="train",
    title=N_("Train a model"),
    asks=N_("What does a small model learn, step by step, from a plan of yours?"),
    listing=Listing(Topic.LEARNING, 1, "school-outline"),
    found_by=(
        *("training", "pretraining", "pretrain", "learn", "optimizer", "learning rate", "epoch"),
        *("warm-up", "masking rate", "resume training", "train from scratch", "SiFT", "AdamW"),
        *("gradient clipping", "excess loss", "train my own model"),
        *(
            "학습",
            "사전 학습",
            "모델 학습",
            "학습률",
            "워밍업",
            "직접 학습",
            "학습 재개",
            "초과 손실",
        ),
        *("처음부터 학습", "마스킹 비율", "나만의 모델"),
    ),
    request=TrainRequest,
    result=TrainResult,
    table=table,
    summary=summary,
    column_titles={
        "parameters": N_("parameters"),
        "run": N_("run"),
        "state": N_("state"),
        "steps": N_("steps"),
        "excess": N_("excess loss"),
    },
    follows={"sure": SURE, "frame": FRAME},
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
    options=(SURE, FRAME),
)
