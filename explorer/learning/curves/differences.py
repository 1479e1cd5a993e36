"""What two plans came to, set against each other over their seeds."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.learning.curves.half_way import END
from explorer.learning.curves.seeds import ENOUGH
from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval, t_quantile


@dataclass(frozen=True)
class SeedCurve:
    """A measurement of one run.

    Attributes:
        seed: It was drawn with; None where nobody says.
        at: Where it was measured, in rising order.
        values: As many.
    """

    seed: int | None
    at: NDArray[np.float64]
    values: NDArray[np.float64]

    def by(self, end: float) -> float:
        """What it came to: the mean of the last twentieth of the way to an end, for points scatter.

        Args:
            end: On the axis of its places.
        """
        late = (self.at <= end) & (self.at > (1 - END) * end)
        if late.any():
            return float(self.values[late].mean())
        return float(np.interp(end, self.at, self.values))


@dataclass(frozen=True)
class SeedDifference:
    """One plan's measurement less another's.

    Attributes:
        at: The last place that all runs reached.
        interval: 95 % (Student's t); of equal seeds over the differences seed by seed, else
            Welch's.
    """

    at: float
    interval: MeanInterval

    @property
    def sign(self) -> int:
        """1 or -1 where the interval is on one side of 0; 0 where it holds both answers."""
        low, high = self.interval.low, self.interval.high
        if low is None or high is None:
            return 0
        return int(low > 0) - int(high < 0)


def difference_of(some: Sequence[SeedCurve], others: Sequence[SeedCurve]) -> SeedDifference | None:
    """The first ones less the others; None where either has fewer than three seeds.

    Args:
        some: Runs of one plan.
        others: Those of another one.
    """
    if min(len(some), len(others)) < ENOUGH:
        return None
    end = min(float(one.at[-1]) for one in (*some, *others))
    ours, theirs = ([one.by(end) for one in runs] for runs in (some, others))
    seeds = {one.seed: value for one, value in zip(others, theirs, strict=True)}
    if None not in seeds and {one.seed for one in some} == seeds.keys():
        pairs = zip(some, ours, strict=True)
        return SeedDifference(end, mean_interval([own - seeds[one.seed] for one, own in pairs]))
    return SeedDifference(end, welch(ours, theirs))


def welch(some: Sequence[float], others: Sequence[float], level: float = 0.95) -> MeanInterval:
    """The difference of two means whose values scatter differently, and its interval (Welch 1947).

    Degrees of freedom are rounded down, which makes the interval no narrower.

    Args:
        some: Two values or more.
        others: The same.
        level: How often such an interval holds the true difference.
    """
    parts = [statistics.variance(values) / len(values) for values in (some, others)]
    mean = statistics.fmean(some) - statistics.fmean(others)
    count = min(len(some), len(others))
    if not sum(parts):
        return MeanInterval(mean, mean, mean, count)
    spread = sum(
        part**2 / (len(values) - 1) for part, values in zip(parts, (some, others), strict=True)
    )
    freedom = max(1, math.floor(sum(parts) ** 2 / spread))
    reach = t_quantile((1 + level) / 2, freedom) * math.sqrt(sum(parts))
    return MeanInterval(mean, mean - reach, mean + reach, count)
