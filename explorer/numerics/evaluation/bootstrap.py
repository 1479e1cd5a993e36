"""An interval of a number that cases have together, by drawing them anew (Efron 1979)."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.evaluation.clustered_rates import Interval

DRAWS: Final = 1000
SEED: Final = 1


def bootstrapped(
    number: Callable[[NDArray[np.int64]], float], cases: int, draws: int = DRAWS
) -> Interval | None:
    """The 95 % percentile interval: the number of many samples of the cases, drawn with return.

    Args:
        number: From which cases, by their numbers from 0 on, to the number.
        cases: How many there are.
        draws: Samples; the same cases are drawn each time that somebody asks.

    Returns:
        None of fewer than two cases.
    """
    if cases < 2:
        return None
    rng = np.random.default_rng(SEED)
    found = [number(rng.integers(0, cases, cases)) for _draw in range(draws)]
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)
