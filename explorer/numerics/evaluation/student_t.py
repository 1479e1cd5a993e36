"""The mean of a few runs, and how far it may be from the true one: Student's t.

Student 1908. The distribution function is that of Abramowitz and Stegun 1964, 26.7.3 and 26.7.4,
which is exact for whole degrees of freedom.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95
"""How often an interval holds the true mean."""


@dataclass(frozen=True)
class MeanInterval:
    """A mean and its interval, in the unit of the values.

    Attributes:
        mean: Of the values.
        low: Where the interval begins; None of a single value.
        high: Where it ends; None of a single value.
        count: How many values there are.
    """

    mean: float
    low: float | None
    high: float | None
    count: int


def mean_interval(values: Sequence[float], level: float = LEVEL) -> MeanInterval:
    """The mean of values that were drawn independently, and its interval.

    Args:
        values: One or more, as of runs from different seeds.
        level: How often such an interval holds the true mean, between 0 and 1.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("There is no mean of no values.")
    mean, count = statistics.fmean(values), len(values)
    if count < 2:
        return MeanInterval(mean, None, None, count)
    reach = t_quantile((1 + level) / 2, count - 1) * statistics.stdev(values) / math.sqrt(count)
    return MeanInterval(mean, mean - reach, mean + reach, count)


def t_quantile(share: float, freedom: int) -> float:
    """Below which t a share of the distribution lies.

    Args:
        share: From a half on, and below 1.
        freedom: Degrees of freedom, 1 or more.

    Raises:
        ValueError: The share or the degrees of freedom are none of these.
    """
    if not 0.5 <= share < 1 or freedom < 1:
        raise ValueError("A share from 0.5 to 1 and a degree of freedom are needed.")
    low, high = 0.0, 1.0
    while t_share(high, freedom) < share:
        low, high = high, 2 * high
    for _halved in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if t_share(middle, freedom) < share else (low, middle)
    return (low + high) / 2


def t_share(t: float, freedom: int) -> float:
    """The share of the distribution below a t of 0 or more.

    Args:
        t: 0 or more.
        freedom: Degrees of freedom, 1 or more.
    """
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for step in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (step + 1) / (step + 2)
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return 0.5 + within / 2
