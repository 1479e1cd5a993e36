"""Has a plan trained by a process of its own, and follows what that leaves in the run's folder."""

import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from explorer.api.question import (
    Context,
    ExplorerError,
    ModelStamp,
    Unavailable,
    UserMistake,
)
from explorer.learning.curves.places import read_curves_of
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.following import follow
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.train import seeds
from explorer.questions.learning.train.cost import cost_of
from explorer.questions.learning.train.frames import frames_of
from explorer.questions.learning.train.question import (
    FollowedRun,
    ListedRun,
    TrainRequest,
    TrainResult,
)
from explorer.questions.learning.waiting import until_resting, wait
from explorer.text import N_, Phrase

RENAMED_LATER = N_("The run keeps the name {name} while it is being trained.")


def run(_model: Any, request: TrainRequest, context: Context) -> TrainResult:
    """Train, or look how far it is; follow it while it is at work.

    Raises:
        UserMistake: The plan contradicts itself, or the run can't be read.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    if context.training is None:
        raise Unavailable(N_("There is no folder to keep runs of training in."))
    trainings = Trainings.beside(context.training)
    one = _run_of(trainings, request)
    if request.act:
        _act(trainings, one, request.act, context)
        return _result(trainings, request, _run_of(trainings, request))
    notes: list[Phrase] = []
    if one is not None and request.name and one.name != request.name:
        one = _renamed(trainings, one, request.name, notes)
    if request.train:
        one = _begun(trainings, one, request)
    if one is None:
        return _result(trainings, request, None)
    _follow(trainings, one, request, context)
    return _result(trainings, request, one, notes)


def _run_of(trainings: Trainings, request: TrainRequest) -> RunFolder | None:
    """The run of the name that is of this plan, or else the plan's latest one."""
    if request.name:
        try:
            named = trainings.named(request.name)
            if named.plan.fingerprint == request.plan.fingerprint:
                return named
        except UserMistake:
            pass  # there is none of that name
    return trainings.of_plan(request.plan)


def _begun(trainings: Trainings, one: RunFolder | None, request: TrainRequest) -> RunFolder:
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


def _follow(trainings: Trainings, one: RunFolder, request: TrainRequest, context: Context) -> None:
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
            context.show(partial(_result, trainings, request, one))

    follow(trainings, one, tell, partial(wait, context))


def _result(
    trainings: Trainings,
    request: TrainRequest,
    one: RunFolder | None,
    notes: Iterable[Phrase] = (),
) -> TrainResult:
    plan = request.plan
    runs = sorted(filter(_is_mine, trainings.list()), key=_made, reverse=True)
    name = plan.objective.value if one is None else one.name
    return TrainResult(
        ModelStamp(name, "", plan.fingerprint, "meta", ""),
        cost_of(plan, runs),
        None if one is None or not one.is_one else _followed(one),
        tuple(map(_listed, runs)),
        time.time_ns(),
        tuple(notes),
        tuple(filter(None, map(_record, seeds.finished(runs, one)))),
    )


def _is_mine(one: RunFolder) -> bool:
    """Whether it is a run of training, or nobody knows what it is."""
    return one.kind in ("", TrainingPlan.kind)


def _made(one: RunFolder) -> str:
    try:
        return one.made.isoformat()
    except UserMistake:
        return ""


def _listed(one: RunFolder) -> ListedRun:
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


def _followed(one: RunFolder) -> FollowedRun:
    state = one.state
    model = one.model
    failure = state.failure
    return FollowedRun(
        _listed(one),
        state.seconds,
        state.seconds_left if state.status is RunStatus.TRAINING else None,
        _record(one),
        tuple(frames_of(one.measured())),
        "" if model is None else str(model),
        None if failure is None else Phrase.joined([failure.message, failure.hint]),
    )


def _record(one: RunFolder) -> TrainingRecord | None:
    try:
        return read_curves_of(one.place, one.name, one.name)[0]
    except (OSError, ValueError):
        return None  # no row was written yet
