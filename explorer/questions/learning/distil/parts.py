"""How far a distillation is: three students beside the exact answers, and all runs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from explorer.api.question import (
    Amounts,
    Cards,
    Curve,
    Curves,
    OneCard,
    OwnPicture,
    Panel,
    Rows,
    Said,
    Sets,
    Width,
    column,
)
from explorer.api.question.parts.charts.curves import Over
from explorer.learning.curves.record import MeasuredColumn
from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.distilling.options import CORPUS, TARGETS, TEACHER
from explorer.learning.distilling.plan import DistilPlan
from explorer.questions.learning.distil.options import FRAME, NAME
from explorer.questions.learning.distil.question import (
    DistilResult,
    PossibleTeacher,
    RivalStudent,
)
from explorer.questions.learning.run_options import NEWEST
from explorer.questions.learning.run_parts import (
    amounts_of,
    begins,
    curve_cards,
    learnt_rules,
    list_of_runs,
    plan_of,
    said_of_seeds,
)
from explorer.questions.learning.runs import STATES, FollowedRun, ListedRun
from explorer.questions.learning.training_curves.charts import PLOT
from explorer.questions.learning.watched import watched_parts
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.formatting.numbers import significant

ABOUT = N_(
    "A student learns a distribution at each masked word: its teacher’s, or the exact one, which "
    "the grammar of the small world gives and which no model can better; or the masked word alone. "
    "All three read the same texts with the same masks. Excess loss is the divergence from the "
    "exact answers, so that a student may come nearer to them than its teacher. One seed proves "
    "nothing: “Claims about training” has five."
)
OF_SOFT_LOSS = ("kl", "targets_entropy", "soft_gradient")
"""Columns of the log that are drawn apart from the others."""
CURVES = {
    TaughtBy.EXACT: (N_("student of the exact answers"), "positive", "dot"),
    TaughtBy.TEACHER: (N_("student of the model"), "bar", "solid"),
    TaughtBy.LABELS: (N_("student of hard labels"), "danger", "dash dot"),
}
WHOLE = N_(
    "The targets’ entropy is the same whatever the student says: of the cross-entropy only the "
    "divergence can be learnt. Both at T = {temperature}."
)
SLOPE = N_("Mean length of (q − p) / T, by which the divergence pulls at the student’s logits.")


@dataclass(frozen=True)
class ListedDistilRow:
    """A distillation in the list of all."""

    name: str = column(N_("run"))
    state: str = column(N_("state"), written=said)
    targets: str = column(N_("teacher"), written=said)
    step: int = column(N_("steps"))
    steps: int = column(N_("of"))
    seed: int | None = column(N_("seed"))


@dataclass(frozen=True)
class TeacherRow:
    """A model that can teach."""

    name: str = column(N_("model"))
    kind: str = column(N_("family"))
    layers: int = column(N_("layers"))
    width: int = column(N_("width"))


Kinds = Said | Amounts | OwnPicture | Cards | Curves | Rows


def parts(result: DistilResult, sure: str = "", frame: int = NEWEST) -> Iterator[Kinds]:
    """What the plan costs, the students as far as they are, all runs, and who can teach."""
    del sure  # what is drawn of it is the page's own
    run = result.run
    yield from begins(result, ABOUT)
    yield OwnPicture("buttons")
    yield amounts_of(result.cost, run)
    if run is not None:
        yield from _learnt(result, run, frame)
    yield from _all(result)


def _all(result: DistilResult) -> Iterator[Cards]:
    """All distillations, next to the models that can teach."""
    lists = []
    if result.runs:
        listed = list_of_runs(result, ListedDistilRow, _row, DistilPlan, NAME)
        lists.append(OneCard(N_("All distillations"), (listed,)))
    if result.teachers:
        lists.append(OneCard(N_("Models that can teach"), (_teachers(result),)))
    if lists:
        yield Cards(tuple(lists), Width.WIDE)


def _learnt(result: DistilResult, run: FollowedRun, frame: int) -> Iterator[Kinds]:
    rest = _without_soft_loss(run)
    cards = [
        *_students(result, run),
        *_to_teacher(run),
        *_soft_loss(result, run),
        *curve_cards(rest, result.others),
        *curve_cards(rest, of_loop=True),
    ]
    if cards:
        yield from said_of_seeds(run, result.others)
        yield Cards(tuple(cards), Width.WIDE)
    yield from learnt_rules(run.frames)
    yield from watched_parts(run.frames, frame, FRAME)


def _over_steps(run: FollowedRun) -> Over:
    return Over("steps", N_("steps"), np.array([0.0, float(run.listed.steps)]), whole=True)


def _students(result: DistilResult, run: FollowedRun) -> Iterator[OneCard]:
    """All three beside the exact answers, and their teacher."""
    known = [one for one in run.frames if one.excess is not None]
    mine = RivalStudent(
        result.targets,
        run.listed.name,
        run.listed.status,
        tuple(one.step for one in known),
        tuple(one.excess for one in known if one.excess is not None),
    )
    drawn = [one for one in (*result.rivals, mine) if len(one.steps) > 1]
    if not drawn:
        return
    curves = [_student(one, thick=3.0 if one is mine else 2.0) for one in drawn]
    taught = next((one.teacher_excess for one in reversed(run.frames)), None)
    if taught is not None:
        ends = _over_steps(run).values
        level = Curve(
            N_("the teacher itself"), np.array([taught, taught]), "muted", "dash", at=ends
        )
        curves.insert(0, level)
    panel = Panel(
        "excess", "", tuple(curves), unit=N_("nats"), height=PLOT, switched=True,
    )  # fmt: skip
    title = N_("Excess loss against the exact answers")
    yield OneCard(title, (Curves(_over_steps(run), (panel,), in_files=False),))


def _student(one: RivalStudent, thick: float) -> Curve:
    name, colour, dash = CURVES[TaughtBy(one.targets)]
    steps = np.array(one.steps, float)
    return Curve(name, np.array(one.excess), colour, dash, thick=thick, at=steps)  # type: ignore[arg-type]


def _to_teacher(run: FollowedRun) -> Iterator[OneCard]:
    """How far the student is from its teacher at the same places."""
    known = [one for one in run.frames if one.to_teacher is not None]
    if len(known) < 2:
        return
    far = np.array([one.to_teacher for one in known], float)
    steps = np.array([float(one.step) for one in known])
    curve = Curve(N_("KL(teacher ‖ student)"), far, "bar", at=steps)
    panel = Panel("to_teacher", "", (curve,), unit=N_("nats"), height=PLOT, switched=True)
    yield OneCard(
        N_("Divergence from the teacher"), (Curves(_over_steps(run), (panel,), in_files=False),)
    )


def _soft_loss(result: DistilResult, run: FollowedRun) -> Iterator[OneCard]:
    """Its three parts, which are easily taken for one another."""
    found = {name: _column(run, name) for name in OF_SOFT_LOSS}
    kl, entropy, slope = (found[name] for name in OF_SOFT_LOSS)
    if kl is None or entropy is None or len(kl.steps) < 2:
        return
    curves = (
        Curve(N_("cross-entropy"), kl.values + entropy.values, "muted", "dash", at=kl.steps),
        Curve(N_("entropy of the targets"), entropy.values, "mask", "dot", at=entropy.steps),
        Curve(N_("divergence (KL)"), kl.values, "bar", at=kl.steps),
    )
    at = significant(result.temperature, 3)
    words = Phrase(WHOLE, temperature=at)
    panel = Panel("soft_loss", "", curves, unit=N_("nats"), height=PLOT, words=words)
    yield OneCard(
        N_("What the soft loss is made of"), (Curves(_over_steps(run), (panel,), in_files=False),)
    )
    if slope is not None:
        curve = Curve(N_("gradient of the divergence"), slope.values, "bar", at=slope.steps)
        panel = Panel("soft_gradient", "", (curve,), height=PLOT, words=SLOPE, switched=True)
        yield OneCard(
            N_("How hard it pulls"), (Curves(_over_steps(run), (panel,), in_files=False),)
        )


def _column(run: FollowedRun, name: str) -> MeasuredColumn | None:
    columns = () if run.record is None else run.record.columns
    return next((one for one in columns if one.column.name == name), None)


def _without_soft_loss(run: FollowedRun) -> FollowedRun:
    if run.record is None:
        return run
    kept = tuple(one for one in run.record.columns if one.column.name not in OF_SOFT_LOSS)
    return replace(run, record=replace(run.record, columns=kept))


def _row(one: ListedRun) -> ListedDistilRow:
    plan = plan_of(one, DistilPlan)
    targets = "" if plan is None else TARGETS.entry(plan.targets.value).title
    return ListedDistilRow(one.name, STATES[one.status], targets, one.step, one.steps, one.seed)


def _teachers(result: DistilResult) -> Rows:
    """Who can teach; choosing one has it teach."""
    return Rows(
        TeacherRow,
        tuple(TeacherRow(one.name, one.kind, one.layers, one.width) for one in result.teachers),
        in_files=False,
        gesture=lambda row: _teaches(next(one for one in result.teachers if one.name == row.name)),
        words=lambda _row: N_("Have it teach"),
    )


def _teaches(one: PossibleTeacher) -> Sets:
    """It teaches, on the text that it was trained on where that is a world's."""
    step = Phrase(N_("have {name} teach"), name=verbatim(one.name))
    chosen = {
        TEACHER.key: TEACHER.written(one.name),
        TARGETS.key: TARGETS.written(TaughtBy.TEACHER.value),
    }
    if one.corpus:
        chosen[CORPUS.key] = CORPUS.written(one.corpus)
    return Sets(chosen, step)
