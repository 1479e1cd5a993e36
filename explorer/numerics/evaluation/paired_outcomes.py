"""Whether two judges of the same cases are right equally often (McNemar 1947), exactly."""

import math
from collections.abc import Sequence


def mcnemar(first_alone: int, second_alone: int) -> float:
    """The two-sided p of McNemar's test in its exact form, by the binomial distribution.

    Cases in which both are right, or neither, say nothing of who is better: of the others each
    would win half, if they were equally good.

    Args:
        first_alone: Cases in which the first one alone is right.
        second_alone: The second one alone.

    Returns:
        1 where they differ in no case.
    """
    trials = first_alone + second_alone
    fewer = min(first_alone, second_alone)
    tail = sum(math.comb(trials, one) for one in range(fewer + 1))
    return min(1.0, math.exp(math.log(2 * tail) - trials * math.log(2)))


def holm(ps: Sequence[float]) -> list[float]:
    """The p of each of several tests, corrected for there being several (Holm 1979).

    Those at or below a level hold together: the chance that any of them does by accident is at
    most that level.

    Args:
        ps: Of the tests, one by one.

    Returns:
        In the same order: each times the number of tests that are not below it, at least as large
        as that of any smaller one, and at most 1.
    """
    found = [1.0] * len(ps)
    least = 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = min(1.0, max(least, (len(ps) - rank) * ps[number]))
        found[number] = least
    return found
