"""Whether the engine's process still answers, and stops what was cancelled."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from explorer.engine.messages import Ready, Responsive, Unresponsive
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class Patience:
    """How long the engine's process may take before the user is asked.

    Attributes:
        tick: Seconds between two looks; the process is asked for a sign as often.
        silent: Seconds without a sign after which it counts as hanging. Its main thread answers
            while others compute, but may wait some seconds for the interpreter.
        silent_at_first: The same while it starts and imports torch, which from a cold disk takes
            its time.
        unobeyed: Seconds after which a cancel counts as not obeyed.
    """

    tick: float = 1.0
    silent: float = 6.0
    silent_at_first: float = 60.0
    unobeyed: float = 5.0


Key = tuple[str, int]


class Pulse:
    """Counts how long nothing was heard. Every method may be called from any thread.

    Only time between two looks is counted, and not more of it than a look is due in: a machine
    that slept, or was too busy to look, is no sign of an engine that hangs.
    """

    def __init__(self, patience: Patience, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._cancelled: dict[Key, float] = {}
        self.started()

    def started(self) -> None:
        """A new process begins."""
        with self._lock:
            self._looked = self._clock()
            self._silent = 0.0
            self._may_be_silent = self._patience.silent_at_first
            self._is_heard = False
            self._cancelled.clear()
            self._told = 0.0

    def heard(self, event: object) -> None:
        """The process said something."""
        with self._lock:
            self._silent = 0.0
            self._is_heard = True
            if isinstance(event, Ready) and (event.devices or event.problem is not None):
                self._may_be_silent = self._patience.silent

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
            passed = min(now - self._looked, 2 * self._patience.tick)
            self._looked = now
            self._silent += passed
            if self._is_heard:
                for key in self._cancelled:
                    self._cancelled[key] += passed
            waited = max(self._cancelled.values(), default=0.0)
            if self._silent >= self._may_be_silent:
                seconds, told = self._silent, N_("The engine has not answered for {seconds} s.")
            elif waited >= self._patience.unobeyed:
                seconds, told = (
                    waited,
                    N_("The engine has not stopped what was cancelled {seconds} s ago."),
                )
            elif self._told:
                self._told = 0.0
                return Responsive()
            else:
                return None
            if self._told and seconds < 2 * self._told:
                return None
            self._told = seconds
            return Unresponsive(Phrase(told, seconds=round(seconds)))
