"""How far a run is: what the plan costs, the curves, what is learnt first, and all runs."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Curve,
    Curves,
    Manner,
    OneCard,
    OwnPicture,
    Panel,
    Rows,
    Said,
    Sets,
    Width,
    column,
)
from explorer.api.question.asks import asked_fields
from explorer.api.question.parts.curves import Over
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.curves.seeds import SeedGroup
from explorer.learning.measured.learnt import step_learnt
from explorer.learning.measured.rule_words import words_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.train.options import NAME, NEWEST
from explorer.questions.learning.train.question import (
    AT_WORK,
    ExpectedCost,
    FollowedRun,
    ListedRun,
    MeasuredFrame,
    TrainResult,
)
from explorer.questions.learning.train.watched import watched_parts
from explorer.questions.learning.training_curves.charts import (
    COLOURS,
    DASHES,
    PLOT,
    CurveDrawing,
    charts_of,
    last_of,
    panel_of,
)
from explorer.questions.learning.training_curves.parts import seeds_said
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.formatting.numbers import significant, whole
from explorer.text.formatting.quantities import took

ABOUT = N_(
    "A small model is trained by a process of its own, which continues when this page is left or "
    "the window is closed. Excess loss is what is left to learn: the loss at held-out places above "
    "the exact floor, the least loss that any model can reach on this text. One seed proves "
    "nothing: train the same plan with other seeds and compare them in “Learning curves”."
)
STATES = {
    "waiting": N_("waiting"),
    "training": N_("training"),
    "paused": N_("paused"),
    "stopped": N_("stopped"),
    "cancelled": N_("cancelled"),
    "done": N_("done"),
    "failed": N_("failed"),
}
NOT_BEGUN = N_("Not trained yet.")
SAID = {
    "waiting": N_("{name} waits for its turn to be trained."),
    "training": N_("{name} is being trained: step {step} of {steps}."),
    "paused": N_("{name} is paused after step {step} of {steps}."),
    "stopped": N_("The training of {name} was stopped after step {step} of {steps}."),
    "cancelled": N_("{name} was cancelled after step {step} of {steps}."),
    "done": N_("{name} is trained: {steps} steps."),
    "failed": N_("{name} failed after step {step} of {steps}."),
}
LEFT = N_("About {time} left.")
FLOOR = N_(
    "Dashed: the exact floor. Both are of the same held-out places; what is between them is the "
    "excess loss."
)
OF_LOOP = frozenset({MeasuredQuantity.GRADIENT, MeasuredQuantity.RATE, MeasuredQuantity.OTHER})


@dataclass(frozen=True)
class ListedRunRow:
    """A run in the list of all."""

    name: str = column(N_("run"))
    state: str = column(N_("state"), written=said)
    objective: str = column(N_("objective"), written=said)
    step: int = column(N_("steps"))
    steps: int = column(N_("of"))
    seed: int | None = column(N_("seed"))


@dataclass(frozen=True)
class LearntRuleRow:
    """How far a rule of the grammar is learnt."""

    rule: str = column(N_("rule"), written=said, tip=N_("What has to be learnt of the grammar."))
    half: int | None = column(
        N_("half by step"), tip=N_("From this frame on its excess loss is half or less.")
    )
    first: float = column(N_("at first"), unit=N_("nats"), digits=3)
    last: float = column(N_("excess now"), unit=N_("nats"), digits=3)


Kinds = Said | Amounts | OwnPicture | Cards | Curves | Rows


def parts(result: TrainResult, sure: str = "", frame: int = NEWEST) -> Iterator[Kinds]:
    """What the plan costs, the run as far as it is, and all runs."""
    del sure  # what is drawn of it is the page's own
    yield Said(ABOUT, Manner.ABOUT)
    for note in result.notes:
        yield Said(note, Manner.WARNING)
    run = result.run
    if run is None:
        yield Said(NOT_BEGUN, Manner.STRONG)
    else:
        listed = run.listed
        named = {"name": verbatim(listed.name), "step": listed.step, "steps": listed.steps}
        yield Said(Phrase(SAID[listed.status], **named), Manner.STRONG)
        if run.seconds_left is not None:
            yield Said(Phrase(LEFT, time=took(run.seconds_left)), near=True)
        if run.why is not None:
            yield Said(run.why, Manner.WARNING)
    yield OwnPicture("buttons")
    yield _amounts(result.cost, run)
    if run is not None:
        yield from _learnt(result, run, frame)
    if result.runs:
        yield _listed(result)


def _amounts(cost: ExpectedCost, run: FollowedRun | None) -> Amounts:
    """What it costs; how fast it goes once it does."""
    tokens = N_("Tokens at most") if cost.is_most else N_("Tokens, about")
    found = [
        Amount("parameters", N_("Parameters"), cost.parameters, written=_whole),
        Amount("tokens", tokens, cost.tokens, written=_whole),
        Amount("multiply_adds", N_("Multiply-adds, about"), cost.multiply_adds, written=_short),
    ]
    if run is None:
        found.append(Amount("seconds", N_("Time, about"), cost.seconds, written=took))
    elif run.seconds > 0 and run.record is not None:
        for name, title in (
            ("tokens", N_("Tokens a second")),
            ("multiply_adds", N_("Multiply-adds a second")),
        ):
            pace = run.record.paces.get(name)
            if pace is not None:
                per = float(pace.values[-1]) / run.seconds
                found.append(Amount(f"{name}_per_second", title, per, written=_short))
        found.append(Amount("seconds", N_("Trained for"), run.seconds, written=took))
    return Amounts(tuple(found))


def _whole(value: float) -> str:
    return whole(round(value))


def _short(value: float) -> str:
    return significant(value, 3) if value >= 1e6 else whole(round(value))


def _learnt(result: TrainResult, run: FollowedRun, frame: int) -> Iterator[Kinds]:
    learning = _curve_cards(run, result.others)
    cards = [*learning, *_frame_cards(run), *_curve_cards(run, of_loop=True)]
    if cards:
        if run.record is not None and run.listed.status == "done":
            yield seeds_said([SeedGroup((run.record, *result.others))])
        yield Cards(tuple(cards), Width.WIDE)
    if rules := tuple(_rules(run.frames)):
        yield Rows(LearntRuleRow, rules, bar="last", title=N_("What is learnt first"))
    yield from watched_parts(run.frames, frame)


def _curve_cards(
    run: FollowedRun, others: tuple[TrainingRecord, ...] = (), *, of_loop: bool = False
) -> Iterator[OneCard]:
    """The log of the run: losses and accuracies; or rate and gradient, which are of the loop."""
    if run.record is None:
        return
    drawing = CurveDrawing(show="all")
    last = max(last_of((run.record,), drawing), float(run.listed.steps))
    for chart in charts_of([SeedGroup((run.record, *others))], drawing):
        found = panel_of(chart, drawing, last)
        if found is not None and (chart.quantity in OF_LOOP) is of_loop:
            yield OneCard(chart.title, (Curves(found[0], (found[1],), in_files=False),))


def _frame_cards(run: FollowedRun) -> Iterator[OneCard]:
    """What the frames were measured to be: the loss above its floor, and the excess by rule."""
    frames = [one for one in run.frames if one.loss is not None and one.floor is not None]
    if len(frames) < 2:
        return
    steps = np.array([float(one.step) for one in frames])
    axis = Over("steps", N_("steps"), np.array([0.0, float(run.listed.steps)]), whole=True)
    loss = np.array([one.loss for one in frames], float)
    floor = np.array([one.floor for one in frames], float)
    held_out = (
        Curve(N_("loss"), loss, "bar", at=steps),
        Curve(N_("exact floor"), floor, "muted", "dash", at=steps),
    )
    whole = Panel("held_out_loss", "", held_out, unit=N_("nats"), height=PLOT, words=FLOOR)
    yield OneCard(N_("Loss above the exact floor"), (Curves(axis, (whole,), in_files=False),))
    rules = list(dict.fromkeys(rule for one in frames for rule in one.rules))
    curves = tuple(
        Curve(
            Phrase(_title_of(rule)),
            np.array([one.rules[rule] for one in frames if rule in one.rules]),
            COLOURS[number % len(COLOURS)],
            DASHES[number // len(COLOURS) % len(DASHES)],
            at=np.array([float(one.step) for one in frames if rule in one.rules]),
        )
        for number, rule in enumerate(rules)
    )
    if curves:
        panel = Panel("excess_by_rule", "", curves, unit=N_("nats"), height=PLOT, switched=True)
        yield OneCard(N_("Excess loss, rule by rule"), (Curves(axis, (panel,), in_files=False),))


def _rules(frames: tuple[MeasuredFrame, ...]) -> Iterator[LearntRuleRow]:
    """The rules, those learnt earliest first."""
    found = []
    for rule in dict.fromkeys(rule for one in frames for rule in one.rules):
        told = {one.step: one.rules[rule] for one in frames if rule in one.rules}
        excess = tuple(told.values())
        half = step_learnt(tuple(told), excess, share=0.5)
        found.append(LearntRuleRow(_title_of(rule), half, excess[0], excess[-1]))
    yield from sorted(found, key=lambda one: (one.half is None, one.half or 0))


def _title_of(rule: str) -> str:
    words = words_of(rule)
    return rule if words is None else words.title


def _listed(result: TrainResult) -> Rows:
    """All runs; choosing one takes its plan."""
    chosen = result.run.listed.name if result.run is not None else ""
    return Rows(
        ListedRunRow,
        tuple(map(_row, result.runs)),
        title=N_("All runs"),
        in_files=False,
        gesture=lambda row: _takes(next(one for one in result.runs if one.name == row.name)),
        chosen=lambda row: row.name == chosen,
        words=lambda _row: N_("Look at this run"),
    )


def _row(one: ListedRun) -> ListedRunRow:
    plan = _plan(one)
    objective = "" if plan is None else _objective(plan)
    return ListedRunRow(one.name, STATES[one.status], objective, one.step, one.steps, one.seed)


def _objective(plan: TrainingPlan) -> str:
    option = asked_fields(plan)["objective"].option
    return option.entry(plan.objective.value).title  # type: ignore[attr-defined, no-any-return]


def _plan(one: ListedRun) -> TrainingPlan | None:
    try:
        return TrainingPlan.from_json(one.plan) if one.plan else None
    except ValueError:
        return None


def _takes(one: ListedRun) -> Sets | None:
    """The options that a run was planned with become those of the page."""
    plan = _plan(one)
    if plan is None:
        return None
    own = asked_fields(plan)
    values = {
        own[each.name].option.key: own[each.name].option.written(
            own[each.name].kept(getattr(plan, each.name))
        )
        for each in fields(plan)
        if each.name in own
    }
    step = Phrase(N_("look at the run {name}"), name=one.name)
    return Sets({**values, NAME.key: NAME.written(one.name)}, step)


def is_at_work(run: FollowedRun | None) -> bool:
    """Whether something happens by itself."""
    return run is not None and run.listed.status in AT_WORK
