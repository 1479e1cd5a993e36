"""Asks a question at every frame of a model's series, and of further ones."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from explorer.api.question import (
    Context,
    ExplorerError,
    MachineFault,
    ModelStamp,
    UserMistake,
)
from explorer.learning.runs.run_folder import RunFolder, runs_in
from explorer.over_steps.asking import AskedFrame, StepsAsking, frames_of
from explorer.over_steps.kept import KeptNumbers
from explorer.over_steps.numbers import merged
from explorer.questions.learning.over_steps.question import (
    AskedSeries,
    LeftOutStep,
    OverStepsRequest,
    OverStepsResult,
    question_of,
    request_of,
)
from explorer.serialise import to_json
from explorer.series.series import CheckpointSeries
from explorer.text import N_, Phrase

OFFERED = 12
"""Runs that are offered at once."""
NO_STEPS = N_("{text} has no steps of training here.")
HAVE_STEPS = N_(
    "Steps have: BERT film, which comes with the program, a run of training, a folder with "
    "checkpoint-* in it, and a model of the hub whose revisions were downloaded with download "
    "--steps."
)
ANOTHER_MOVES = N_("The {role} is another model at each step; who plays the other role stays.")
LEFT_OUT = N_("{count} numbers of the answers are left out: there are too many of them.")


def run(_model: Any, request: OverStepsRequest, context: Context) -> OverStepsResult:
    """Ask every frame that was not asked yet, and show what there is after each.

    Raises:
        UserMistake: No model has steps, or the question can't be asked.
        MachineFault: What is asked can't be kept.
        Cancelled: What is done stays done.
    """
    if context.cache is None or context.shelf is None:
        raise MachineFault(
            N_("There is no folder for the results."), N_("Start the program as usual.")
        )
    question, asked = question_of(request), request_of(request)
    stamps = {role: one.stamp for role, one in context.models.items()}
    role, own = _moving(question.roles, stamps, context)
    every = [SteppedSeries.of(own, request.steps, context), *_further(own, request, context)]
    others = {name: one for name, one in stamps.items() if name != role}
    asking = StepsAsking(question, asked, role, others, stamps[role].dtype, context)
    frames = [frame for one in every for frame in one.frames]
    written = to_json(asked)
    result = partial(_result, stamps[role], request, role, every, context)
    with KeptNumbers(context.cache) as kept:
        asking.look(frames, kept, written)
        if request.start:
            context.show(result)
            asking.ask(frames, kept, written, lambda: context.show(result))
    if not any(one.numbers is not None or one.waits for one in frames):
        raise UserMistake(
            N_("None of these steps can be asked. {why}"),
            N_("Look at one of them alone."),
            why=next((one.problem for one in frames if one.problem), ""),
        )
    return result()


@dataclass
class SteppedSeries:
    """A series with its frames; a run that was made here has a plan and a seed."""

    series: CheckpointSeries
    frames: list[AskedFrame]
    plan: str = ""
    seed: int | None = None

    @classmethod
    def of(cls, series: CheckpointSeries, steps: str, context: Context) -> "SteppedSeries":
        """The frames that are asked.

        Raises:
            UserMistake: These are none of its steps.
        """
        found = cls(series, frames_of(series, steps))
        try:
            run = RunFolder(_folder_of(series, context))
            if run.is_one:
                plan = run.plan
                found.plan = dataclasses.replace(plan, seed=0).to_json()  # type: ignore[type-var]
                found.seed = plan.seed
        except (ExplorerError, OSError):
            pass  # a run of another version has frames all the same
        return found

    @property
    def told(self) -> AskedSeries:
        """As the result has it."""
        there = self.there
        return AskedSeries(
            self.series.id,
            self.series.title,
            tuple(one.frame.step for one in there),
            tuple(one.frame.id for one in there),
            self.seed,
            self.plan,
            tuple(LeftOutStep(one.frame.name, one.problem) for one in self.frames if one.problem),
            sum(one.waits for one in there),
        )

    @property
    def there(self) -> list[AskedFrame]:
        """Frames that were or may be asked."""
        return [one for one in self.frames if not one.problem]


def _folder_of(series: CheckpointSeries, context: Context) -> Path:
    """Where the frames of a series lie.

    Raises:
        ExplorerError: The first one that can be shown is not known any more.
    """
    assert context.shelf is not None
    first = next((one for one in series.frames if not one.problem), series.frames[0])
    return Path(context.shelf.known(first.id).checkpoint.folder or "").parent


def _moving(
    roles: Mapping[str, Any], stamps: Mapping[str, ModelStamp], context: Context
) -> tuple[str, CheckpointSeries]:
    """The first role whose model has steps, and its series.

    Raises:
        UserMistake: None has.
    """
    assert context.shelf is not None
    for role in roles:
        if role in stamps:
            series = context.shelf.series(stamps[role].id)
            if series is not None:
                return role, series
    named = next(iter(stamps.values()), None)
    raise UserMistake(NO_STEPS, HAVE_STEPS, text="" if named is None else named.name)


def _further(
    own: CheckpointSeries, request: OverStepsRequest, context: Context
) -> Iterator[SteppedSeries]:
    """Each other series once.

    Raises:
        UserMistake: One has no steps.
    """
    assert context.shelf is not None
    seen = {own.id}
    for name in request.series:
        series = context.shelf.series(name)
        if series is None:
            raise UserMistake(NO_STEPS, HAVE_STEPS, text=name)
        if series.id not in seen:
            seen.add(series.id)
            yield SteppedSeries.of(series, request.steps, context)


def _result(
    stamp: ModelStamp,
    request: OverStepsRequest,
    role: str,
    every: Sequence[SteppedSeries],
    context: Context,
) -> OverStepsResult:
    tables = merged([frame.numbers for one in every for frame in one.there])
    notes = []
    if len(context.models) > 1:
        notes.append(Phrase(ANOTHER_MOVES, role=role))
    if left_out := sum(one.left_out for one in tables):
        notes.append(Phrase(LEFT_OUT, count=left_out))
    return OverStepsResult(
        stamp,
        request.operation,
        tuple(one.told for one in every),
        tables,
        tuple(_offered({one.series.id for one in every}, context)),
        tuple(notes),
    )


def _offered(taken: set[str], context: Context) -> Iterator[str]:
    """Runs that were made here, the newest first, whose curves could be laid beside."""
    if context.training is None:
        return
    there = sorted(runs_in(context.training), key=lambda one: one.name)
    names = (one.name for one in there if str(one.place) not in taken and len(one.frames) > 1)
    for number, name in enumerate(names):
        if number == OFFERED:
            return
        yield name
