"""One line of the table: what was measured, ours, the other, and the ratio allowed."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


class NotMeasured(Exception):
    """A row can't be measured here: what is compared with is not there.

    Attributes:
        what: The row's.
        why: In one sentence.
        elsewhere: What the names of its rows have in them where they were measured, which stay.
    """

    def __init__(self, what: str, why: str, elsewhere: str = "") -> None:
        super().__init__(why)
        self.what = what
        self.why = why
        self.elsewhere = elsewhere or what


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        what: In words.
        ours: Seconds.
        theirs: Seconds of what a user would pick instead; None for an absolute bound.
        at_most: The ratio (or, without theirs, the seconds) to hold.
        note: How it was measured.
        unit: Of what is no time ("MB"); "" for seconds.
    """

    what: str
    ours: float
    theirs: float | None
    at_most: float
    note: str
    unit: str = ""

    @property
    def value(self) -> float:
        """The ratio, or the seconds where there is nothing to compare with."""
        return self.ours if self.theirs is None else self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether it is within what was promised."""
        return self.value <= self.at_most


def median_seconds(work: Callable[[], object], repeats: int, warm_up: int = 3) -> float:
    """Median wall time of a call."""
    for _ in range(warm_up):
        work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
