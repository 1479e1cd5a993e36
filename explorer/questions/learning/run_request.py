"""What every request of a run asks beside its plan, and what every answer has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from explorer.api.question import Cell, Headline, ModelStamp, Table, asked
from explorer.api.question.standing_out import beyond
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.plan.kinds import KINDS
from explorer.learning.plan.run_plan import RunPlan
from explorer.questions.learning import run_options
from explorer.questions.learning.runs import (
    STATES,
    ExpectedCost,
    FollowedRun,
    ListedRun,
    MeasuredFrame,
    is_unfinished,
    steps_of,
)
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

Planned = TypeVar("Planned", bound=RunPlan)

TRAIN = run_options.trains()
ACT = run_options.act()
MOMENT = run_options.moment()
COLUMN_TITLES = {
    "parameters": N_("parameters"),
    "run": N_("run"),
    "state": N_("state"),
    "steps": N_("steps"),
    **{f"state: {state}": words for state, words in STATES.items()},
}
"""What `RunResult.state_of_run` is called on screen."""


@dataclass(frozen=True)
class PlannedRunRequest(RunPlan, Generic[Planned]):
    """Have a plan's run trained, or look what there is of it; the plan's class comes after it.

    Attributes:
        train: Begin it, or go on with it; else only look.
        act: What is done with it: "pause", "cancel", "delete"; "seeds" to train the same plan with
            more of them; "" for nothing.
        moment: Which time the same is done.
    """

    train: bool = asked(TRAIN, is_held=False)
    act: str = asked(ACT, is_held=False)
    moment: str = asked(MOMENT, is_held=False)

    @cached_property
    def plan(self) -> Planned:
        """What is planned, without what is asked beside it."""
        kind: Any = KINDS[self.kind]
        own = {one.name: getattr(self, one.name) for one in fields(kind)}
        return cast("Planned", kind(**own))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that are watched, where there are any."""
        return run_options.sentences_in(getattr(self, "watched", ""))


@dataclass(frozen=True)
class RunResult:
    """How far the run of a plan is.

    Attributes:
        model: Nobody's: the run's name, and the fingerprint of its plan.
        cost: What the plan will cost.
        run: The plan's; None where it was never begun.
        runs: All of its kind, the newest first.
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

    @property
    def state_of_run(self) -> dict[str, Cell]:
        """What the plan costs, and how far its run is."""
        found: dict[str, Cell] = {"parameters": self.cost.parameters}
        if self.run is not None:
            listed = self.run.listed
            found |= {"run": listed.name, "state": listed.status, "steps": listed.step}
        return found

    def of_last_frame(self, *measured: str) -> Mapping[str, Cell]:
        """What the model's frame, else the newest, was measured to be, as far as it was."""
        last = None if self.run is None else self.run.last
        told = {} if last is None else {name: getattr(last, name) for name in measured}
        return {name: value for name, value in told.items() if value is not None}


HALF = 0.5
"""The share of the excess loss that must be gone to stand out."""


def excess_fallen(
    run: FollowedRun | None, words: Callable[[MeasuredFrame, float, float], Phrase]
) -> Headline:
    """What to look at first of a run whose excess loss is measured.

    Args:
        run: The run.
        words: From the frame that is the model, else the last, the first frame's excess loss and
            that frame's.
    """
    frames = [] if run is None else [one for one in run.frames if one.excess]
    if run is None or run.last is None or len(frames) < 2:
        return Headline(NOTHING)
    first, last = frames[0].excess, run.last.excess
    if first is None or last is None:
        return Headline(NOTHING)
    if last > HALF * first:
        return Headline()
    return Headline(words(run.last, first, last), strength=beyond(1 - last / first, HALF, 1.0))


Asked = TypeVar("Asked", bound=PlannedRunRequest[Any])


def only_look(request: Asked) -> Asked:
    """What there is of it, and nothing is begun."""
    return replace(request, train=False)


def is_passing(result: RunResult) -> bool:
    """Whether it only says how far something is."""
    return is_unfinished(result.run)


def table(result: RunResult) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return steps_of(result.run)
