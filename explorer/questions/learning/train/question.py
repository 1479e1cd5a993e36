"""What does a small model learn, step by step, from a plan of yours?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from explorer.api.question import (
    Cell,
    Listing,
    ModelStamp,
    Question,
    Table,
    Topic,
    asked,
    column,
)
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.train.options import (
    ACT,
    FRAME,
    MOMENT,
    NAME,
    SURE,
    TRAIN,
    WATCHED,
    sentences_in,
)
from explorer.text import N_, Phrase

ENDED = frozenset({"done", "failed", "cancelled"})
AT_WORK = frozenset({"waiting", "training"})
"""What a run does that somebody follows."""


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
class ExpectedCost:
    """What a plan will cost, about.

    Attributes:
        parameters: Numbers that are trained.
        tokens: That are read.
        multiply_adds: Of all steps.
        seconds: On one core, about as fast as the newest run here went.
        is_most: It takes no more, for nobody knows how long the texts are.
    """

    parameters: int
    tokens: float
    multiply_adds: float
    seconds: float | None = None
    is_most: bool = False


@dataclass(frozen=True)
class WatchedBlank:
    """A mask of a watched sentence at a frame, next to the exact answer.

    Attributes:
        words: The likeliest words for who knows the grammar, with that probability, the model's
            and its rank; none where no text of the world goes so.
        excess: KL of the model from the exact distribution, in nats.
        is_beginning: The sentence is a text of the world only if it goes on.
    """

    words: tuple[tuple[str, float, float, int], ...] = ()
    excess: float | None = None
    is_beginning: bool = False


@dataclass(frozen=True)
class MeasuredFrame:
    """What a frame came to at held-out places whose exact distribution is known.

    Attributes:
        step: The frame's.
        loss: The model's cross-entropy, in nats.
        floor: The least there can be.
        excess: What is left to learn: the mean divergence.
        accuracy: How often the likeliest piece is right.
        rules: Excess by rule of the grammar.
        watched: By sentence: the words at each mask, with their probabilities.
        exact: By sentence: each mask next to the exact answer, where the grammar is known.
    """

    step: int
    loss: float | None = None
    floor: float | None = None
    excess: float | None = None
    accuracy: float | None = None
    rules: Mapping[str, float] = field(default_factory=dict)
    watched: Mapping[str, tuple[tuple[tuple[str, float], ...], ...]] = field(default_factory=dict)
    exact: Mapping[str, tuple[WatchedBlank, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedRun:
    """One of the runs that there are.

    Attributes:
        name: Its name.
        status: What it is doing.
        step: Steps that were trained.
        steps: Of all.
        seed: Its seed.
        plan: As JSON; "" where it can't be read.
    """

    name: str
    status: str
    step: int
    steps: int
    seed: int | None = None
    plan: str = ""


@dataclass(frozen=True)
class FollowedRun:
    """The run of the plan.

    Attributes:
        listed: Its name and state.
        seconds: It was trained for.
        seconds_left: About; None where that is not known.
        record: Its curve as far as it goes; None before the first row.
        frames: What its frames were measured to be.
        model: The folder of the finished model; "" for none yet.
        why: Why it failed.
    """

    listed: ListedRun
    seconds: float = 0.0
    seconds_left: float | None = None
    record: TrainingRecord | None = None
    frames: tuple[MeasuredFrame, ...] = ()
    model: str = ""
    why: Phrase | None = None


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


@dataclass(frozen=True)
class TrainedStepRow:
    """A measurement at a step of a run."""

    run: str = column(N_("run"), key=True)
    measured: str = column(N_("column"), key=True)
    step: float = column(N_("step"), key=True, digits=0)
    value: float = column(N_("value"))


def table(result: TrainResult) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return Table.of(TrainedStepRow, () if result.run is None else _rows(result.run))


def _rows(run: FollowedRun) -> Iterator[TrainedStepRow]:
    name = run.listed.name
    for one in () if run.record is None else run.record.columns:
        for step, value in zip(one.steps, one.values, strict=True):
            yield TrainedStepRow(name, one.column.name, float(step), float(value))
    for frame in run.frames:
        told = {
            "held_out_loss": frame.loss,
            "floor": frame.floor,
            "excess": frame.excess,
            "held_out_accuracy": frame.accuracy,
            **{f"excess_{rule}": value for rule, value in frame.rules.items()},
        }
        for measured, found in told.items():
            if found is not None:
                yield TrainedStepRow(name, measured, float(frame.step), found)


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
    return result.run is None or result.run.listed.status not in ENDED


QUESTION = Question(
    name="train",
    title=N_("Train a model"),
    asks=N_("What does a small model learn, step by step, from a plan of yours?"),
    listing=Listing(Topic.LEARNING, 1, "school-outline"),
    found_by=(
        *("training", "pretraining", "pretrain", "learn", "optimizer", "learning rate", "epoch"),
        *("학습", "사전 학습", "모델 학습"),
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
