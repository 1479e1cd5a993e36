"""The mean of numbers that come in clusters, and its interval.

The tokens of a sentence are read together, so they tell less than as many independent ones. The
sentence is the cluster: the mean is a ratio of sums over clusters, with the variance of such ratios
(Cochran 1977, section 6.3), and Student's t of one degree of freedom less than there are clusters.
"""

import math
from collections.abc import Sequence

from explorer.numerics.evaluation.student_t import LEVEL, MeanInterval, mean_interval, t_quantile


def clustered_mean(clusters: Sequence[Sequence[float]], level: float = LEVEL) -> MeanInterval:
    """The mean over all values, and its interval by clusters.

    Of a single cluster its values are taken as drawn independently, which is the best that they
    say of themselves.

    Args:
        clusters: The values of each; empty ones count as none.
        level: How often such an interval holds the true mean, between 0 and 1.

    Raises:
        ValueError: There are no values.
    """
    known = [one for one in clusters if len(one)]
    if len(known) < 2:
        return mean_interval(known[0] if known else (), level)
    count, number = sum(map(len, known)), len(known)
    mean = math.fsum(math.fsum(one) for one in known) / count
    apart = math.fsum((math.fsum(one) - mean * len(one)) ** 2 for one in known)
    variance = number / (number - 1) * apart / count**2
    reach = t_quantile((1 + level) / 2, number - 1) * math.sqrt(variance)
    return MeanInterval(mean, mean - reach, mean + reach, count)
