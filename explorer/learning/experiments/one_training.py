"""One run of an experiment: from a way and a seed to a plan, and from the plan to its measures."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from explorer.api.errors import UserMistake
from explorer.files.foreign import json_of
from explorer.learning.batches.chunked import CHUNK
from explorer.learning.experiments.definition import Experiment, ExperimentWay
from explorer.learning.experiments.results import ExperimentRun
from explorer.learning.experiments.running import WantedRun
from explorer.learning.plan.plan import TrainingPlan
from explorer.serialise import from_json
from explorer.text import N_

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


def plan_of(experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool) -> TrainingPlan:
    """What a way trains from a seed.

    Raises:
        UserMistake: The definition has what is no plan.
    """
    first = _planned(experiment, experiment.ways[0], seed, short)
    own = _planned(experiment, way, seed, short)
    equal = way.equal or experiment.equal
    if equal == "steps" or way is experiment.ways[0]:
        return own
    paces = [pace_of(replace(plan, seed=0).settled()) for plan in (first, own)]
    per_step = [one.tokens if equal == "tokens" else one.multiply_adds for one in paces]
    return replace(own, steps=max(1, round(first.steps * per_step[0] / per_step[1])))


def _planned(experiment: Experiment, way: ExperimentWay, seed: int, short: bool) -> TrainingPlan:
    said = {**experiment.form(short=short).plan, **way.plan, "seed": seed}
    known = {one.name for one in fields(TrainingPlan)}
    try:
        if not said.keys() <= known:
            raise ValueError(", ".join(sorted(said.keys() - known)))
        plan = from_json(TrainingPlan, json.dumps(said))
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
def pace_of(plan: TrainingPlan) -> RunPace:
    """Counted on its first batches."""
    from explorer.learning.objectives.recipes import recipe_of
    from explorer.learning.runs.step_work import StepWork, tokens_read

    run = recipe_of(plan).begin()
    work = StepWork.of(run)
    batches = [run.batches.batch(step) for step in range(PACED)]
    tokens = sum(map(tokens_read, batches)) / PACED
    return RunPace(tokens, sum(map(work.multiply_adds, batches)) / PACED)


def planned(
    experiment: Experiment, way: ExperimentWay, seed: int, short: bool
) -> Mapping[str, Any]:
    """The plan as JSON, its defaults too: they may be others one day.

    Fields that came later are left out where they are at theirs, or files of results that are older
    would not match.
    """
    plan = plan_of(experiment, way, seed, short=short).settled()
    found: Mapping[str, Any] = json_of(plan.to_json())
    return found


def train(experiment: Experiment, wanted: WantedRun) -> ExperimentRun:
    """Train and measure one run."""
    from explorer.learning.experiments.measuring import take, trained

    plan = TrainingPlan.from_json(json.dumps(wanted.plan))
    one = trained(plan)
    pace = pace_of(replace(plan, seed=0).settled())
    return ExperimentRun(
        wanted.way,
        wanted.seed,
        wanted.plan,
        plan.steps,
        round(pace.tokens * plan.steps),
        float(f"{pace.multiply_adds * plan.steps:.3g}"),
        take(one, experiment.measures),
    )
