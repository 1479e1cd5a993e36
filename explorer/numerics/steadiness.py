"""Whether times that were measured say something of what was timed, or of what else was at work."""

import statistics
from collections.abc import Sequence

STEADY = 2.0
"""A median above this many times the quickest run is noise: no ratio is made of it."""

PATIENCE = 4
"""Runs that scatter are repeated for as many times the time that was asked for."""


def is_steady(times: Sequence[float]) -> bool:
    """Whether runs of one thing took about as long as its quickest one."""
    return statistics.median(times) <= STEADY * min(times)
