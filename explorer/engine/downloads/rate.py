"""How fast bytes come and how long the rest will take, in words."""

import time
from collections import deque
from collections.abc import Callable

from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely, roughly
from explorer.text.phrase import NOTHING, Phrase

WINDOW = 5.0
"""Seconds the rate is measured over."""


class Rate:
    """Bytes a second over the last few seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()

    def at(self, done: int) -> None:
        """So many bytes are there now."""
        now = self._clock()
        if self._marks and done < self._marks[-1][1]:
            # It began again.
            self._marks.clear()
        # A few marks a second are enough, however small the chunks are.
        if len(self._marks) > 1 and now - self._marks[-2][0] < WINDOW / 50:
            self._marks.pop()
        self._marks.append((now, done))
        while now - self._marks[0][0] > WINDOW:
            self._marks.popleft()

    def bytes_per_second(self) -> float | None:
        """None until it can be told."""
        if len(self._marks) < 2:
            return None
        (start, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - start) if end > start else None

    def describe(self, left: int) -> Phrase:
        """As in "3.1 MB/s, 40 s left"; nothing until it can be told.

        Args:
            left: Bytes still to come.
        """
        rate = self.bytes_per_second()
        if not rate:
            return NOTHING
        size, time_left = bytes_precisely(rate), roughly(left / rate)
        return Phrase(N_("{size}/s, {time} left"), size=size, time=time_left)
