"""Progress is told to people, who read no more than a few words a second."""

import time
from collections.abc import Callable

RATE = 20.0
"""Reports a second, at most."""

PARTS_RATE = 4.0
"""Unfinished answers a second, at most: each is drawn."""

BURST = 5
"""Changes of stage that may follow each other at once."""


class Throttle:
    """Lets through so many reports a second, the first of every new stage before others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, rate: float = RATE) -> None:
        self._clock, self._rate = clock, rate
        self._tokens = float(BURST)
        self._refilled = clock()
        self._told = float("-inf")
        self._stage: str | None = None

    def allows(self, stage: str) -> bool:
        """Whether a report of this stage is to be told now."""
        now = self._clock()
        self._tokens = min(float(BURST), self._tokens + (now - self._refilled) * self._rate)
        self._refilled = now
        if self._tokens < 1.0 or (stage == self._stage and now - self._told < 1.0 / self._rate):
            return False
        self._tokens -= 1.0
        self._told = now
        self._stage = stage
        return True
