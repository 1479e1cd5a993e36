"""How far a run is: what the plan costs, the curves, what is learnt first, and all runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import (
    Amounts,
    Cards,
    Curves,
    OwnPicture,
    Rows,
    Said,
    Width,
    column,
)
from explorer.api.question.options.asks import asked_fields
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.run_options import NEWEST
from explorer.questions.learning.run_parts import (
    amounts_of,
    begins,
    curve_cards,
    frame_cards,
    learnt_rules,
    list_of_runs,
    plan_of,
    said_of_seeds,
)
from explorer.questions.learning.runs import STATES, FollowedRun, ListedRun
from explorer.questions.learning.train.options import FRAME, NAME
from explorer.questions.learning.train.question import TrainResult
from explorer.questions.learning.watched import watched_parts
from explorer.text import N_, said

ABOUT = N_(
    "A small model is trained by a process of its own, which continues when this page is left or "
    "the window is closed. Excess loss is what is left to learn: the loss at held-out places above "
    "the exact floor, the least loss that any model can reach on this text. One seed proves "
    "nothing: train the same plan with other seeds and compare them in “Learning curves”."
)


@dataclass(frozen=True)
class ListedRunRow:
    """A run in the list of all."""

    name: str = column(N_("run"))
    state: str = column(N_("state"), written=said)
    objective: str = column(N_("objective"), written=said)
    step: int = column(N_("steps"))
    steps: int = column(N_("of"))
    seed: int | None = column(N_("seed"))


Kinds = Said | Amounts | OwnPicture | Cards | Curves | Rows


def parts(result: TrainResult, sure: str = "", frame: int = NEWEST) -> Iterator[Kinds]:
    """What the plan costs, the run as far as it is, and all runs."""
    del sure  # what is drawn of it is the page's own
    run = result.run
    yield from begins(result, ABOUT)
    yield OwnPicture("buttons")
    yield amounts_of(result.cost, run)
    if run is not None:
        yield from _learnt(result, run, frame)
    if result.runs:
        yield list_of_runs(result, ListedRunRow, _row, TrainingPlan, NAME, title=N_("All runs"))


def _learnt(result: TrainResult, run: FollowedRun, frame: int) -> Iterator[Kinds]:
    learning = curve_cards(run, result.others)
    cards = [*learning, *frame_cards(run), *curve_cards(run, of_loop=True)]
    if cards:
        yield from said_of_seeds(run, result.others)
        yield Cards(tuple(cards), Width.WIDE)
    yield from learnt_rules(run.frames)
    yield from watched_parts(run.frames, frame, FRAME)


def _row(one: ListedRun) -> ListedRunRow:
    plan = plan_of(one, TrainingPlan)
    objective = "" if plan is None else _objective(plan)
    return ListedRunRow(one.name, STATES[one.status], objective, one.step, one.steps, one.seed)


def _objective(plan: TrainingPlan) -> str:
    option = asked_fields(plan)["objective"].option
    return option.entry(plan.objective.value).title  # type: ignore[attr-defined, no-any-return]
