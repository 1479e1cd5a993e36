"""When a number has done half of its way, in one run or over several that differ in their seeds.

What falls to nothing as it is learnt, as an excess loss, has done half of its way where half of
what it was at the start is gone for good. Of any other number the way is from its first value to
where it came to.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.learning.curves.half_way import half_way
from explorer.learning.measured.learnt import LearntRule, over_runs, step_learnt
from explorer.over_steps.numbers import FollowedNumber

HALF = 0.5
Run = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The steps of a series, and a number's values there."""


def half_step(
    steps: NDArray[np.int64], values: NDArray[np.float64], least: float | None
) -> int | None:
    """The step by which half of the way was done; None where it never was.

    Args:
        steps: Ascending.
        values: As many; not a number where there is none.
        least: What the number comes to where nothing is left to learn; None where nobody knows.
    """
    there = np.isfinite(values)
    at, known = steps[there], values[there]
    if len(at) < 2:
        return None
    if least is not None:
        return step_learnt(at.tolist(), (known - least).tolist(), HALF)
    place = half_way(at.astype(np.float64), known)
    return None if place is None else int(at[place])


def half_of(number: FollowedNumber, runs: Sequence[Run]) -> LearntRule:
    """When half of a number's way was done, over runs that differ in their seeds."""
    least = number.column.least
    return over_runs(number.name, [half_step(steps, values, least) for steps, values in runs])
