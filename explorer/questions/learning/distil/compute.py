"""Has a student trained by a process of its own, and follows what that leaves in its folder."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.question import Context, ExplorerError, UserMistake
from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.distilling.cost import distilling_cost, exact_seconds
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.teachers.named import bundled_teachers, with_run
from explorer.learning.distilling.teachers.outline import TeacherOutline, outline_of
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.cost import expected
from explorer.questions.learning.distil.options import RIVALS
from explorer.questions.learning.distil.question import (
    DistilRequest,
    DistilResult,
    PossibleTeacher,
    RivalStudent,
)
from explorer.questions.learning.followed import (
    listed_runs,
    result_of,
    trained,
    trainings_of,
)
from explorer.text import N_, Phrase

FIRST = N_("Its teacher {name} is trained first: step {step} of {steps}.")


def run(_model: Any, request: DistilRequest, context: Context) -> DistilResult:
    """Distil, or look how far it is; follow it while it is at work.

    Raises:
        UserMistake: The plan contradicts itself, or the run can't be read.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    trainings = trainings_of(context)
    request = with_run(request, trainings)
    if request.act == RIVALS:
        notes = list(_begun_with_rivals(trainings, request))
        return _looked(trainings, request, trainings.of_plan(request.plan), notes)
    return trained(request, context, _looked)


def rivals_of(plan: DistilPlan) -> tuple[DistilPlan, ...]:
    """The same plan for each of the three teachers, the exact answers first."""
    order = (TaughtBy.EXACT, TaughtBy.TEACHER, TaughtBy.LABELS)
    return tuple(replace(plan, targets=targets) for targets in order)


def _begun_with_rivals(trainings: Trainings, request: DistilRequest) -> Iterator[Phrase]:
    """Put into the queue what was not begun of the three; what can't be is said."""
    for plan in rivals_of(request.plan):
        if trainings.of_plan(plan) is not None:
            continue
        try:
            trainings.start(plan, "", request.sentences)
        except UserMistake as error:
            yield Phrase.joined([Phrase(error.problem, **error.values)])


def _looked(
    trainings: Trainings, request: DistilRequest, one: RunFolder | None, notes: Sequence[Phrase]
) -> DistilResult:
    plan = request.plan
    runs = listed_runs(trainings, DistilPlan.kind)
    return result_of(
        DistilResult,
        plan,
        one,
        runs,
        expected(
            distilling_cost(plan),
            runs,
            exact_seconds(plan),
            [cost_of(needed) for needed in plan.needs if not _is_there(trainings, needed)],
        ),
        (*notes, *_told_of_teacher(trainings, plan, one)),
        targets=plan.targets.value,
        temperature=plan.temperature,
        rivals=tuple(_rivals(trainings, plan)),
        teachers=tuple(_teachers(trainings, plan)),
    )


def _is_there(trainings: Trainings, needed: TrainingPlan) -> bool:
    """Whether a plan's run came to its end."""
    found = trainings.of_plan(needed)
    return found is not None and found.model is not None


def _told_of_teacher(
    trainings: Trainings, plan: DistilPlan, one: RunFolder | None
) -> Iterator[Phrase]:
    if one is None or one.state.status is not RunStatus.WAITING:
        return
    for needed in plan.needs:
        teacher = trainings.of_plan(needed)
        if teacher is not None and teacher.model is None:
            state = teacher.state
            yield Phrase(FIRST, name=teacher.name, step=state.step, steps=needed.steps)


def _rivals(trainings: Trainings, plan: DistilPlan) -> Iterator[RivalStudent]:
    for other in rivals_of(plan):
        found = trainings.of_plan(other) if other.targets is not plan.targets else None
        if found is None:
            continue
        known = [
            (int(row["step"]), float(row["excess"]))
            for row in found.measured()
            if row.get("excess") is not None
        ]
        yield RivalStudent(
            other.targets.value,
            found.name,
            found.state.status.value,
            tuple(step for step, _ in known),
            tuple(excess for _, excess in known),
        )


def _teachers(trainings: Trainings, plan: DistilPlan) -> Iterator[PossibleTeacher]:
    """Runs that came to their end first, the newest before the others."""
    for one in listed_runs(trainings, TrainingPlan.kind):
        model = one.model
        try:
            if model is not None and outline_of(str(model)).objective is plan.objective:
                own = one.plan
                assert isinstance(own, TrainingPlan)
                corpus = "" if own.path else own.corpus.value
                yield _possible(replace(outline_of(str(model)), name=one.name), corpus)
        except ExplorerError:
            continue
    for bundled in bundled_teachers(plan.objective):
        yield _possible(bundled, Corpus.WORLD.value)


def _possible(found: TeacherOutline, corpus: str) -> PossibleTeacher:
    return PossibleTeacher(found.name, found.kind, found.layers, found.width, corpus)
