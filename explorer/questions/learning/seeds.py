"""Runs of one plan with other seeds, for one seed proves nothing."""

import contextlib
import dataclasses
import itertools
import re
from collections.abc import Iterable, Sequence

from explorer.api.question import UserMistake
from explorer.learning.curves.seeds import ENOUGH
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings

MOST = 12
"""Seeds whose curves are laid together."""
_SEED = re.compile(r"-seed-\d+$")


def alike(runs: Iterable[RunFolder], plan: RunPlan) -> list[tuple[RunFolder, int]]:
    """Runs whose plans differ from this one in their seeds alone, with their seeds."""
    wanted, found = _with_seed(plan, 0).fingerprint, []
    for one in runs:
        with contextlib.suppress(UserMistake):
            own = one.plan
            if _with_seed(own, 0).fingerprint == wanted:
                found.append((one, own.seed))
    return found


def _with_seed(plan: RunPlan, seed: int) -> RunPlan:
    return dataclasses.replace(plan, seed=seed)  # type: ignore[type-var]


def finished(runs: Sequence[RunFolder], one: RunFolder | None) -> list[RunFolder]:
    """Those that are done, one for each other seed, if this one is done too."""
    if one is None or not one.is_one or one.state.status is not RunStatus.DONE:
        return []
    plan = one.plan
    by_seed = {
        seed: each
        for each, seed in alike(runs, plan)
        if seed != plan.seed and each.state.status is RunStatus.DONE
    }
    return [by_seed[seed] for seed in sorted(by_seed)][:MOST]


def add(trainings: Trainings, one: RunFolder) -> None:
    """Begin runs with the next seeds until there are three of the plan; one more where there are.

    Raises:
        UserMistake: Its plan can't be read.
        MachineFault: There is no room, or no process can be started.
    """
    plan = one.plan
    there = {seed for _each, seed in alike(trainings.list(), plan)}
    free = (seed for seed in itertools.count(plan.seed + 1) if seed not in there)
    taken = {each.name for each in trainings.list()}
    for seed in itertools.islice(free, max(1, ENOUGH - len(there))):
        name = f"{_SEED.sub('', one.name)}-seed-{seed}"
        trainings.start(_with_seed(plan, seed), "" if name in taken else name, one.watched)
