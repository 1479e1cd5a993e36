"""Runs of one plan with different seeds: their mean, and how far it may be off."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.learning.curves.names import LogColumn
from explorer.learning.curves.record import MeasuredColumn, TrainingRecord
from explorer.numerics.evaluation.student_t import t_quantile

ENOUGH = 3
"""Seeds from which on there is an interval."""


@dataclass(frozen=True)
class SeedGroup:
    """Runs that differ in their seeds alone, or one run.

    Attributes:
        records: One each.
    """

    records: tuple[TrainingRecord, ...]

    @property
    def seeds(self) -> int:
        """How many there are."""
        return len(self.records)

    @property
    def has_interval(self) -> bool:
        """Whether there are seeds enough for one."""
        return self.seeds >= ENOUGH

    def columns(self) -> tuple[LogColumn, ...]:
        """What was measured in all of its runs."""
        first, *others = ([one.column for one in each.columns] for each in self.records)
        return tuple(one for one in first if all(one in other for other in others))

    def measured(self, column: LogColumn) -> list[tuple[TrainingRecord, MeasuredColumn]]:
        """A column of each run."""
        return [
            (one, each) for one in self.records for each in one.columns if each.column == column
        ]


@dataclass(frozen=True)
class SeedBand:
    """A mean over seeds with a 95 % interval (Student's t).

    Attributes:
        steps: Those of the run with fewest of them that all runs reached.
        mean: As many.
        low: Where the interval begins.
        high: Where it ends.
    """

    steps: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def groups_of(records: Sequence[TrainingRecord]) -> list[SeedGroup]:
    """Runs with one plan and seeds of their own together, in the order of the first of each."""
    found: dict[object, list[TrainingRecord]] = {}
    for number, one in enumerate(records):
        key: object = one.plan if one.plan and one.seed is not None else number
        if any(one.seed == other.seed for other in found.get(key, ())):
            key = number
        found.setdefault(key, []).append(one)
    return [SeedGroup(tuple(each)) for each in found.values()]


def band_of(runs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]]) -> SeedBand:
    """The mean of runs with its interval; between two steps of a run on a straight line.

    Args:
        runs: The steps and the values of each, two at least.
    """
    begin = max(steps[0] for steps, _values in runs)
    end = min(steps[-1] for steps, _values in runs)
    fewest = min((steps for steps, _values in runs), key=len)
    at = fewest[(fewest >= begin) & (fewest <= end)]
    every = np.array([np.interp(at, steps, values) for steps, values in runs])
    count = len(every)
    wide = t_quantile(0.975, count - 1) * every.std(axis=0, ddof=1) / np.sqrt(count)
    mean = every.mean(axis=0)
    return SeedBand(at, mean, mean - wide, mean + wide)


def smoothed(values: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """A running mean as TensorBoard has it: each value keeps a share of those before it.

    Args:
        values: In their order.
        share: From 0 (as they are) to below 1; what is missing before the first is made up for.
    """
    if share <= 0 or not len(values):
        return values
    found, kept, weight = np.empty_like(values), 0.0, 0.0
    for place, value in enumerate(values):
        kept = share * kept + (1 - share) * value
        weight = share * weight + (1 - share)
        found[place] = kept / weight
    return found
