"""Whether two judges of the same cases are right equally often (McNemar 1947), exactly."""

import math


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
