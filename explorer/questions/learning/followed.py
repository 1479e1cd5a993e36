"""Has a run's plan trained by a process of its own, and follows what that leaves in its folder."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from explorer.api.question import Context, ExplorerError, ModelStamp, Unavailable, UserMistake
from explorer.learning.curves.places import read_curves_of
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.following import follow
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning import seeds
from explorer.questions.learning.frames import frames_of
from explorer.questions.learning.run_request import RunResult
from explorer.questions.learning.runs import ExpectedCost, FollowedRun, ListedRun
from explorer.questions.learning.waiting import until_resting, wait
from explorer.text import N_, Phrase

RENAMED_LATER = N_("The run keeps the name {name} while it is being trained.")


class AsksForRun(Protocol):
    """What is asked of a run, whatever is trained in it."""

    @property
    def plan(self) -> RunPlan:
        """What is planned."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that are watched."""

    @property
    def name(self) -> str:
        """Of the run; "" for any."""

    @property
    def train(self) -> bool:
        """Begin it, or go on with it; else only look."""

    @property
    def act(self) -> str:
        """What is done with it: "pause", "cancel", "delete"; "" for nothing."""


Asked = TypeVar("Asked", bound=AsksForRun)
Answer = TypeVar("Answer")
Result = TypeVar("Result", bound=RunResult)
Looked = Callable[[Trainings, Asked, RunFolder | None, Sequence[Phrase]], Answer]
"""What there is, made of all runs, the request, the plan's run and what must be said."""


def trained(request: Asked, context: Context, looked: Looked[Asked, Answer]) -> Answer:
    """Train, or look how far it is; follow it while it is at work.

    Args:
        request: What is asked.
        context: Shows what there is meanwhile.
        looked: Makes the answer.

    Raises:
        UserMistake: The plan contradicts itself, or the run can't be read.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    trainings = trainings_of(context)
    one = _run_of(trainings, request)
    if request.act:
        _act(trainings, one, request.act, context)
        return looked(trainings, request, _run_of(trainings, request), ())
    notes: list[Phrase] = []
    if one is not None and request.name and one.name != request.name:
        one = _renamed(trainings, one, request.name, notes)
    if request.train:
        one = _begun(trainings, one, request)
    if one is None:
        return looked(trainings, request, None, ())
    _follow(trainings, one, request, context, looked)
    return looked(trainings, request, one, notes)


def trainings_of(context: Context) -> Trainings:
    """The user's runs.

    Raises:
        Unavailable: There is no folder for any.
    """
    if context.training is None:
        raise Unavailable(N_("There is no folder to keep runs of training in."))
    return Trainings.beside(context.training)


def _run_of(trainings: Trainings, request: AsksForRun) -> RunFolder | None:
    """The run of the name that is of this plan, or else the plan's latest one."""
    if request.name:
        try:
            named = trainings.named(request.name)
            if named.plan.fingerprint == request.plan.fingerprint:
                return named
        except UserMistake:
            pass  # there is none of that name
    return trainings.of_plan(request.plan)


def _begun(trainings: Trainings, one: RunFolder | None, request: AsksForRun) -> RunFolder:
    """The run, under way unless it was done before."""
    if one is None:
        taken = {each.name for each in trainings.list()}
        name = "" if request.name in taken else request.name
        return trainings.start(request.plan, name, request.sentences)
    if one.state.status.is_resting:
        trainings.resume(one)
    return one


def _renamed(trainings: Trainings, one: RunFolder, name: str, notes: list[Phrase]) -> RunFolder:
    try:
        return trainings.rename(one, name)
    except ExplorerError as error:
        at_work = one.state.status is RunStatus.TRAINING
        notes.append(Phrase(RENAMED_LATER, name=one.name) if at_work else Phrase(error.problem))
        return one


def _act(trainings: Trainings, one: RunFolder | None, act: str, context: Context) -> None:
    """Do something with a run, and wait a moment until it has come to pass."""
    if one is None:
        raise UserMistake(N_("There is no run of this plan."), N_("Train it first."))
    if act == "delete":
        trainings.delete(one)
        return
    if act == "seeds":
        seeds.add(trainings, one)
        return
    (trainings.pause if act == "pause" else trainings.cancel)(one)
    until_resting(one, context)


def _follow(
    trainings: Trainings,
    one: RunFolder,
    request: Asked,
    context: Context,
    looked: Looked[Asked, Answer],
) -> None:
    """Show what there is until the run rests."""
    if one.state.status.is_resting:
        return
    if request.sentences and one.watched != request.sentences:
        trainings.watch(one, request.sentences)
    seen: list[object] = []

    def tell(state: RunState, row: Any) -> None:
        stage = N_("training") if state.status is RunStatus.TRAINING else N_("waiting to train")
        at = state.step if row is None else max(state.step, int(row["step"]))
        context.progress(stage, float(at), float(state.steps))
        now = [state.status, at, one.frames]
        if now != seen:
            seen[:] = now
            context.show(partial(looked, trainings, request, one, ()))

    follow(trainings, one, tell, partial(wait, context))


def listed_runs(trainings: Trainings, kind: str) -> list[RunFolder]:
    """The runs of a kind of plan and those that nobody knows, the newest first."""
    mine = (one for one in trainings.list() if one.kind in ("", kind))
    return sorted(mine, key=_made, reverse=True)


def result_of(
    kind: type[Result],
    plan: RunPlan,
    one: RunFolder | None,
    runs: Sequence[RunFolder],
    cost: ExpectedCost,
    notes: Sequence[Phrase],
    **own: Any,
) -> Result:
    """What there is of a plan's run.

    Args:
        kind: The question's result.
        plan: What is planned.
        one: Its run; None where it was never begun.
        runs: All of its kind, the newest first.
        cost: What it will cost.
        notes: What must be known.
        own: Fields that this kind alone has.
    """
    return kind(
        ModelStamp(plan.stem if one is None else one.name, "", plan.fingerprint, "meta", ""),
        cost,
        None if one is None or not one.is_one else followed_of(one),
        tuple(map(listed_of, runs)),
        time.time_ns(),
        tuple(notes),
        _other_seeds(runs, one),
        **own,
    )


def _other_seeds(runs: Sequence[RunFolder], one: RunFolder | None) -> tuple[TrainingRecord, ...]:
    """Curves of finished runs that differ from a finished one in their seeds alone."""
    return tuple(filter(None, map(record_of_run, seeds.finished(runs, one))))


def _made(one: RunFolder) -> str:
    try:
        return one.made.isoformat()
    except UserMistake:
        return ""


def listed_of(one: RunFolder) -> ListedRun:
    """A run in the list of all."""
    state = one.state
    try:
        plan: RunPlan | None = one.plan
    except UserMistake:
        plan = None
    return ListedRun(
        one.name,
        state.status.value,
        state.step,
        state.steps,
        None if plan is None else plan.seed,
        "" if plan is None else plan.to_json(),
    )


def followed_of(one: RunFolder) -> FollowedRun:
    """A run as its folder says it."""
    state = one.state
    model = one.model
    failure = state.failure
    return FollowedRun(
        listed_of(one),
        state.seconds,
        state.seconds_left if state.status is RunStatus.TRAINING else None,
        record_of_run(one),
        tuple(frames_of(one.measured())),
        "" if model is None else str(model),
        None if failure is None else Phrase.joined([failure.message, failure.hint]),
        one.model_step,
    )


def record_of_run(one: RunFolder) -> TrainingRecord | None:
    """Its curve as far as it goes; None before the first row."""
    try:
        return read_curves_of(one.place, one.name, one.name)[0]
    except (OSError, ValueError):
        return None  # no row was written yet
