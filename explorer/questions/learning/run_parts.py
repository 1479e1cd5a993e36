"""What every run has on its page: how far it is, its cost, its curves, and what it has learnt."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Curve,
    Curves,
    Manner,
    OneCard,
    Option,
    Panel,
    Rows,
    Said,
    Sets,
    column,
)
from explorer.api.question.options.asks import asked_fields
from explorer.api.question.parts.charts.curves import Over
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.curves.seeds import SeedGroup
from explorer.learning.measured.learnt import step_learnt
from explorer.learning.measured.rule_words import words_of
from explorer.learning.plan.run_plan import RunPlan
from explorer.questions.learning.run_request import RunResult
from explorer.questions.learning.runs import ExpectedCost, FollowedRun, ListedRun, MeasuredFrame
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
BEST = N_(
    "Its model is the frame of step {step}, the best one on held-out texts: later ones were worse."
)
FLOOR = N_(
    "Dashed: the exact floor. Both are of the same held-out places; what is between them is the "
    "excess loss."
)
OF_LOOP = frozenset({MeasuredQuantity.GRADIENT, MeasuredQuantity.RATE, MeasuredQuantity.OTHER})

Plan = TypeVar("Plan", bound=RunPlan)


@dataclass(frozen=True)
class LearntRuleRow:
    """How far a rule of the grammar is learnt."""

    rule: str = column(N_("rule"), written=said, tip=N_("What has to be learnt of the grammar."))
    half: int | None = column(
        N_("half by step"), tip=N_("From this frame on its excess loss is half or less.")
    )
    first: float = column(N_("at first"), unit=N_("nats"), digits=3)
    last: float = column(N_("excess now"), unit=N_("nats"), digits=3)


def begins(result: RunResult, about: str) -> Iterator[Said]:
    """What the page is of, and what the run is doing; every page says an answer's notes itself."""
    yield Said(about, Manner.ABOUT)
    yield from said_of(result.run)


def said_of(run: FollowedRun | None) -> Iterator[Said]:
    """What it is doing, in sentences."""
    if run is None:
        yield Said(NOT_BEGUN, Manner.STRONG)
        return
    listed = run.listed
    named = {"name": verbatim(listed.name), "step": listed.step, "steps": listed.steps}
    yield Said(Phrase(SAID[listed.status], **named), Manner.STRONG)
    if run.seconds_left is not None:
        yield Said(Phrase(LEFT, time=took(run.seconds_left)), near=True)
    if run.is_best:
        yield Said(Phrase(BEST, step=run.model_step))
    if run.why is not None:
        yield Said(run.why, Manner.WARNING)


def amounts_of(cost: ExpectedCost, run: FollowedRun | None) -> Amounts:
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


def said_of_seeds(run: FollowedRun, others: tuple[TrainingRecord, ...]) -> Iterator[Said]:
    """What may be concluded of so many seeds, once the run is done."""
    if run.record is not None and run.listed.status == "done":
        yield seeds_said([SeedGroup((run.record, *others))])


def curve_cards(
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


def frame_cards(run: FollowedRun) -> Iterator[OneCard]:
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


def learnt_rules(frames: Sequence[MeasuredFrame]) -> Iterator[Rows]:
    """How far each rule of the grammar is learnt; nothing where none is measured."""
    if rules := tuple(_rules(frames)):
        yield Rows(LearntRuleRow, rules, bar="last", title=N_("What is learnt first"))


def _rules(frames: Sequence[MeasuredFrame]) -> Iterator[LearntRuleRow]:
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


def plan_of(one: ListedRun, kind: type[Plan]) -> Plan | None:
    """What a run was planned to be; None where that can't be read."""
    try:
        return kind.from_json(one.plan) if one.plan else None
    except ValueError:
        return None


def list_of_runs(
    result: RunResult,
    kind: type[Any],
    row: Callable[[ListedRun], Any],
    plans: type[RunPlan],
    name: Option[str],
    **options: Any,
) -> Rows:
    """All runs; choosing one takes its plan.

    Args:
        result: Has them.
        kind: Of the rows; they have the runs' names.
        row: Of a run.
        plans: The kind of their plans.
        name: The option that names a run.
        **options: Of `Rows`.
    """
    chosen = "" if result.run is None else result.run.listed.name

    def taken(own: Any) -> Sets | None:
        one = next(one for one in result.runs if one.name == own.name)
        plan = plan_of(one, plans)
        return None if plan is None else takes(plan, one, name)

    return Rows(
        kind,
        tuple(map(row, result.runs)),
        in_files=False,
        gesture=taken,
        chosen=lambda own: own.name == chosen,
        words=lambda _own: N_("Look at this run"),
        **options,
    )


def takes(plan: RunPlan, one: ListedRun, name: Option[str]) -> Sets:
    """The options that a run was planned with become those of the page.

    Args:
        plan: Its plan.
        one: The run.
        name: The option that names a run.
    """
    own = asked_fields(plan)
    values = {
        own[each.name].option.key: own[each.name].option.written(
            own[each.name].kept(getattr(plan, each.name))
        )
        for each in fields(plan)  # type: ignore[arg-type]
        if each.name in own
    }
    step = Phrase(N_("look at the run {name}"), name=one.name)
    return Sets({**values, name.key: name.written(one.name)}, step)
