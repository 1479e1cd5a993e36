"""One run of an experiment: from a way and a seed to a plan, and from the plan to its measures."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from explorer.api.errors import UserMistake
from explorer.files.foreign import json_of
from explorer.learning.batches.chunked import CHUNK
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.experiments.definition import Experiment, ExperimentWay
from explorer.learning.experiments.results import ExperimentRun
from explorer.learning.experiments.running import WantedRun
from explorer.learning.plan.kinds import KINDS
from explorer.learning.plan.run_plan import RunPlan
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.learning.experiments.measuring import BegunTraining

PACED: Final = CHUNK
"""Batches whose work is taken for that of all: those between which texts are sorted by length."""


@dataclass(frozen=True, slots=True)
class RunPace:
    """What a step of a plan takes, on average.

    Attributes:
        tokens: That are read.
        multiply_adds: Forwards and backwards.
    """

    tokens: float
    multiply_adds: float


def plan_of(
    experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool, control: bool = False
) -> RunPlan:
    """What a way trains from a seed; with `control`, where the claim must fail.

    Raises:
        UserMistake: The definition has what is no plan.
    """
    said = functools.partial(plan_as_said, experiment, seed=seed, short=short, control=control)
    return equalled(experiment, way, said(experiment.ways[0]), said(way), counted)


def equalled(
    experiment: Experiment,
    way: ExperimentWay,
    first: RunPlan,
    own: RunPlan,
    pace: Callable[[Any], RunPace],
) -> RunPlan:
    """A way's plan with as many steps as make it equal to the first way's.

    Args:
        experiment: says what is equal.
        way: may say otherwise.
        first: the first way's plan.
        own: the way's, as its definition says it.
        pace: what a step of a plan takes.
    """
    equal = way.equal or experiment.equal
    if equal == "steps" or way is experiment.ways[0]:
        return own
    paces = [pace(plan) for plan in (first, own)]
    per_step = [one.tokens if equal == "tokens" else one.multiply_adds for one in paces]
    steps = max(1, round(first.steps * per_step[0] / per_step[1]))
    return replace(own, steps=steps)  # type: ignore[type-var]


def counted(plan: RunPlan) -> RunPace:
    """The pace of a plan, which is that of all its seeds, however long its teacher was trained."""
    changed: dict[str, Any] = {"seed": 0}
    if isinstance(plan, DistilPlan):
        changed["teacher_steps"] = 1
    return pace_of(replace(plan, **changed).settled())  # type: ignore[type-var]


def plan_as_said(
    experiment: Experiment, way: ExperimentWay, *, seed: int, short: bool, control: bool
) -> Any:
    """A way's plan as its definition says it, before its steps are made equal.

    Raises:
        UserMistake: The definition has what is no plan.
    """
    otherwise = experiment.control.of(way.name) if control and experiment.control else {}
    said = {**experiment.form(short=short).plan, **way.plan, **otherwise, "seed": seed}
    kind: Any = KINDS[experiment.kind]
    known = {one.name for one in fields(kind)}
    try:
        if not said.keys() <= known:
            raise ValueError(", ".join(sorted(said.keys() - known)))
        plan = kind.from_json(json.dumps(said))
    except ValueError as error:
        raise UserMistake(
            N_("“{way}” of {experiment} is no plan of training: {reason}."),
            way=way.name,
            experiment=experiment.name,
            reason=str(error),
        ) from None
    plan.check()
    return plan


@functools.lru_cache(maxsize=32)
def pace_of(plan: RunPlan) -> RunPace:
    """Counted on its first batches."""
    from explorer.learning.runs.beginning import begun
    from explorer.learning.runs.step_work import StepWork, tokens_read

    run = begun(plan)
    work = StepWork.of(run)
    batches = [run.batches.batch(step) for step in range(PACED)]
    tokens = sum(map(tokens_read, batches)) / PACED
    return RunPace(tokens, sum(map(work.multiply_adds, batches)) / PACED)


def planned(
    experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool, control: bool
) -> Mapping[str, Any]:
    """The plan as JSON, its defaults too: they may be others one day.

    Fields that came later are left out where they are at theirs, or files of results that are older
    would not match.
    """
    plan = plan_of(experiment, way, seed, short=short, control=control).settled()
    found: Mapping[str, Any] = json_of(plan.to_json())
    return found


def train(experiment: Experiment, wanted: WantedRun) -> ExperimentRun:
    """Train and measure one run."""
    from explorer.learning.experiments.measuring import begun

    one = begun(plan_wanted(experiment, wanted))
    one.run.train()
    return measured(experiment, wanted, one)


def plan_wanted(experiment: Experiment, wanted: WantedRun) -> RunPlan:
    """The plan of a run."""
    return KINDS[experiment.kind].from_json(json.dumps(wanted.plan))


def measured(experiment: Experiment, wanted: WantedRun, one: BegunTraining) -> ExperimentRun:
    """What a run came to that was trained to its end."""
    from explorer.learning.experiments.measuring import take

    plan = plan_wanted(experiment, wanted)
    pace = counted(plan)
    return ExperimentRun(
        wanted.way,
        wanted.seed,
        wanted.plan,
        plan.steps,
        round(pace.tokens * plan.steps),
        float(f"{pace.multiply_adds * plan.steps:.3g}"),
        take(one.ended(), experiment.measures),
        wanted.control,
    )
