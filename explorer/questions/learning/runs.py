"""Runs of training as pages have them: how far one is, what it came to, and all that there are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from explorer.api.question import Table, column
from explorer.learning.curves.record import TrainingRecord
from explorer.text import N_, Phrase

ENDED = frozenset({"done", "failed", "cancelled"})
AT_WORK = frozenset({"waiting", "training"})
"""What a run does that somebody follows."""
STATES = {
    "waiting": N_("waiting"),
    "training": N_("training"),
    "paused": N_("paused"),
    "stopped": N_("stopped"),
    "cancelled": N_("cancelled"),
    "done": N_("done"),
    "failed": N_("failed"),
}


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
            and its rank as far as that was kept; none where no text of the world goes so.
        excess: KL of the model from the exact distribution, in nats.
        is_beginning: The sentence is a text of the world only if it goes on.
        taught: The teacher's probability of the same words, where there is one.
    """

    words: tuple[tuple[str, float, float, int | None], ...] = ()
    excess: float | None = None
    is_beginning: bool = False
    taught: tuple[float, ...] = ()


@dataclass(frozen=True)
class MeasuredFrame:
    """What a frame came to at held-out places whose exact distribution is known.

    Attributes:
        step: The frame's.
        loss: The model's cross-entropy, in nats.
        floor: The least there can be.
        excess: What is left to learn: the mean divergence.
        accuracy: How often the likeliest piece is right.
        f1: Of labels, of ranges of words, or of the words of answers; None where there is none.
        rules: Excess by rule of the grammar.
        watched: By sentence: the words at each mask, with their probabilities.
        exact: By sentence: each mask next to the exact answer, where the grammar is known.
        teacher_excess: What the teacher has left to learn, where there is one.
        to_teacher: The divergence from the teacher at the same places.
    """

    step: int
    loss: float | None = None
    floor: float | None = None
    excess: float | None = None
    accuracy: float | None = None
    rules: Mapping[str, float] = field(default_factory=dict)
    watched: Mapping[str, tuple[tuple[tuple[str, float], ...], ...]] = field(default_factory=dict)
    exact: Mapping[str, tuple[WatchedBlank, ...]] = field(default_factory=dict)
    teacher_excess: float | None = None
    to_teacher: float | None = None
    f1: float | None = None


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
        model_step: The step of the model's frame; None for no model.
    """

    listed: ListedRun
    seconds: float = 0.0
    seconds_left: float | None = None
    record: TrainingRecord | None = None
    frames: tuple[MeasuredFrame, ...] = ()
    model: str = ""
    why: Phrase | None = None
    model_step: int | None = None

    @property
    def last(self) -> MeasuredFrame | None:
        """What the model's frame was measured to be; while there is none, the newest."""
        own = (one for one in self.frames if one.step == self.model_step)
        return next(own, next(iter(self.frames[-1:]), None))

    @property
    def is_best(self) -> bool:
        """Whether its model is an earlier frame than the last, which was not as good."""
        return self.model_step is not None and self.model_step < self.listed.step


@dataclass(frozen=True)
class TrainedStepRow:
    """A measurement at a step of a run."""

    run: str = column(N_("run"), key=True)
    measured: str = column(N_("column"), key=True)
    step: float = column(N_("training step"), key=True, digits=0)
    value: float = column(N_("value"))


def steps_of(run: FollowedRun | None) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return Table.of(TrainedStepRow, () if run is None else _rows(run))


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
            "held_out_f1": frame.f1,
            "teacher_excess": frame.teacher_excess,
            "to_teacher": frame.to_teacher,
            **{f"excess_{rule}": value for rule, value in frame.rules.items()},
        }
        for measured, found in told.items():
            if found is not None:
                yield TrainedStepRow(name, measured, float(frame.step), found)


def is_at_work(run: FollowedRun | None) -> bool:
    """Whether something happens by itself."""
    return run is not None and run.listed.status in AT_WORK


def is_unfinished(run: FollowedRun | None) -> bool:
    """Whether what is known of it only says how far something is."""
    return run is None or run.listed.status not in ENDED
