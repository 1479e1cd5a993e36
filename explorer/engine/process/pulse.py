"""Whether the engine's process still answers, and stops what was cancelled."""

import threading
import time
from collections.abc import Callable

from explorer.engine.messages import Ready, Responsive, Unresponsive

TICK = 1.0
"""Seconds between two looks; the process is asked for a sign as often."""

SILENT = 6.0
"""Seconds without a sign after which the process counts as hanging. Its main thread answers while
others compute, but may wait some seconds for the interpreter."""

SILENT_AT_FIRST = 60.0
"""The same while it starts and imports torch, which from a cold disk takes its time."""

UNOBEYED = 5.0
"""Seconds after which a cancel counts as not obeyed."""

Key = tuple[str, int]


class Pulse:
    """Counts how long nothing was heard. Every method may be called from any thread.

    Only time between two looks is counted, and not more of it than a look is due in: a machine
    that slept, or was too busy to look, is no sign of an engine that hangs.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._cancelled: dict[Key, float] = {}
        self.started()

    def started(self) -> None:
        """A new process begins."""
        with self._lock:
            self._looked = self._clock()
            self._silent = 0.0
            self._patience = SILENT_AT_FIRST
            self._is_heard = False
            self._cancelled.clear()
            self._told = 0.0

    def heard(self, event: object) -> None:
        """The process said something."""
        with self._lock:
            self._silent = 0.0
            self._is_heard = True
            if isinstance(event, Ready) and (event.devices or event.problem is not None):
                self._patience = SILENT

    def cancelled(self, key: Key) -> None:
        """A call that is under way was cancelled."""
        with self._lock:
            self._cancelled.setdefault(key, 0.0)

    def ended(self, key: Key) -> None:
        """A call ended."""
        with self._lock:
            self._cancelled.pop(key, None)

    def look(self) -> Unresponsive | Responsive | None:
        """What is to be told now: once when it begins to hang, then when that is twice as long."""
        with self._lock:
            now = self._clock()
            passed = min(now - self._looked, 2 * TICK)
            self._looked = now
            self._silent += passed
            if self._is_heard:
                for key in self._cancelled:
                    self._cancelled[key] += passed
            waited = max(self._cancelled.values(), default=0.0)
            if self._silent >= self._patience:
                seconds, told = self._silent, "The engine has not answered for {} s."
            elif waited >= UNOBEYED:
                seconds, told = (
                    waited,
                    "The engine has not stopped what was cancelled {} s ago.",
                )
            elif self._told:
                self._told = 0.0
                return Responsive()
            else:
                return None
            if self._told and seconds < 2 * self._told:
                return None
            self._told = seconds
            return Unresponsive(told.format(round(seconds)))
