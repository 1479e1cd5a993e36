"""Has a claim tried by the process that trains, and follows what that leaves in its folder."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from explorer.api.question import Context, UserMistake
from explorer.learning.experiments.claim_folder import ClaimFolder
from explorer.learning.experiments.claims import Claims
from explorer.learning.experiments.definition import Experiment
from explorer.learning.experiments.duration import run_count, seconds_of
from explorer.learning.experiments.findings import findings, judged
from explorer.learning.experiments.results import ExperimentResults
from explorer.learning.runs.following import follow
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.experiments.question import (
    ClaimMade,
    ExperimentsRequest,
    ExperimentsResult,
)
from explorer.questions.learning.experiments.telling import control_of, measured, tried
from explorer.questions.learning.waiting import until_resting, wait
from explorer.text import N_, Phrase


def tried_here(
    bundled: ExperimentsResult,
    experiment: Experiment,
    definition: Path,
    request: ExperimentsRequest,
    context: Context,
) -> ExperimentsResult:
    """What came of a claim, with what was made here beside it.

    Args:
        bundled: What comes with the program.
        experiment: The claim's definition.
        definition: Its file.
        request: Says whether anything is done.
        context: Has the folder of runs.

    Raises:
        UserMistake: The claim can't be tried here, or there is nothing to be paused.
    """
    assert context.training is not None
    claims = Claims(Trainings.beside(context.training))
    one = claims.of(request.claim, short=request.is_short)
    can = experiment.is_planned and (request.is_short or not experiment.measured_in)
    seconds = seconds_of(experiment, short=request.is_short) if can else None

    def result() -> ExperimentsResult:
        found = claims.of(request.claim, short=request.is_short)
        made = None if found is None else made_here(found, definition, request.form)
        return replace(
            bundled, here=made, form=request.form, seconds=seconds, looked=time.time_ns()
        )

    if request.act:
        _act(claims.trainings, one, request.act, context)
        return result()
    if request.train:
        if not can:
            raise UserMistake(
                N_("The runs of {name} are made by another command: {command}."),
                name=request.claim,
                command=experiment.command,
            )
        one = claims.start(definition, short=request.is_short)
    if one is not None and not one.state.status.is_resting:
        _follow(claims.trainings, one, result, context)
    return result()


def made_here(one: ClaimFolder, definition: Path, form: str) -> ClaimMade:
    """What a folder of runs came to."""
    state, why = one.state, None
    if state.failure is not None:
        why = Phrase.joined([state.failure.message, state.failure.hint])
    experiment = one.experiment
    known = one.results or ExperimentResults(experiment.name, "", one.is_short, "", {})
    return ClaimMade(
        form,
        state.status.value,
        len(known.runs),
        run_count(experiment, short=one.is_short),
        state.step,
        state.steps,
        state.seconds_left if state.status is RunStatus.TRAINING else None,
        judged(experiment, known),
        tried(experiment, findings(experiment, known)),
        measured(experiment, known),
        control_of(experiment, known),
        known.date,
        not one.is_of(definition),
        why,
    )


def _act(trainings: Trainings, one: ClaimFolder | None, act: str, context: Context) -> None:
    """Do something with the runs, and wait a moment until it has come to pass."""
    if one is None:
        raise UserMistake(N_("This claim was not tried here."), N_("Try it first."))
    if act == "delete":
        trainings.delete(one)
        return
    (trainings.pause if act == "pause" else trainings.cancel)(one)
    until_resting(one, context)


def _follow(
    trainings: Trainings,
    one: ClaimFolder,
    result: Callable[[], ExperimentsResult],
    context: Context,
) -> None:
    """Show what there is until it rests: anew where a run is done, or what it does is another."""
    seen: list[object] = []

    def tell(state: RunState, _row: object) -> None:
        stage = N_("training") if state.status is RunStatus.TRAINING else N_("waiting to train")
        context.progress(stage, float(state.step), float(state.steps))
        results = one.results
        now = [state.status, 0 if results is None else len(results.runs), bool(state.step)]
        if now != seen:
            seen[:] = now
            context.show(result)

    follow(trainings, one, tell, partial(wait, context))
