"""Whether the engine's process still answers, stops what was cancelled, leaves plugins' code."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from explorer.engine.messages import (
    PluginCallBegan,
    PluginCallEnded,
    Ready,
    Responsive,
    Unresponsive,
)
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
        looking: Seconds after which a plugin that looks at something counts as hanging. What it
            reads is small, but it may be the first to import a large library.
    """

    tick: float = 1.0
    silent: float = 6.0
    silent_at_first: float = 60.0
    unobeyed: float = 5.0
    looking: float = 10.0


Key = tuple[str, int]


class Watchdog:
    """Counts how long nothing was heard. Every method may be called from any thread.

    Only time between two looks is counted, and not more of it than a look is due in: a machine
    that slept, or was too busy to look, is no sign of an engine that hangs.
    """

    def __init__(self, patience: Patience, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._cancelled: dict[Key, float] = {}
        self._looks: dict[int, tuple[PluginCallBegan, float]] = {}
        self.started()

    def started(self) -> None:
        """A new process begins."""
        with self._lock:
            self._looked = self._clock()
            self._silent = 0.0
            self._may_be_silent = self._patience.silent_at_first
            self._is_heard = False
            self._cancelled.clear()
            self._looks.clear()
            self._told = 0.0
            self._told_of = ""

    def heard(self, event: object) -> None:
        """The process said something."""
        with self._lock:
            self._silent = 0.0
            self._is_heard = True
            if isinstance(event, Ready) and (event.devices or event.problem is not None):
                self._may_be_silent = self._patience.silent
            elif isinstance(event, PluginCallBegan):
                self._looks[event.number] = event, 0.0
            elif isinstance(event, PluginCallEnded):
                self._looks.pop(event.number, None)

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
            self._count()
            hangs = self._hanging()
            if hangs is None:
                was_told, self._told, self._told_of = self._told, 0.0, ""
                return Responsive() if was_told else None
            seconds, found = hangs
            if self._told_of == found.plugin and self._told and seconds < 2 * self._told:
                return None
            self._told, self._told_of = seconds, found.plugin
            return found

    def _count(self) -> None:
        """Add what has passed since the last look."""
        now = self._clock()
        passed = min(now - self._looked, 2 * self._patience.tick)
        self._looked = now
        self._silent += passed
        for number, (look, seconds) in self._looks.items():
            self._looks[number] = look, seconds + passed
        if self._is_heard:
            for key in self._cancelled:
                self._cancelled[key] += passed

    def _hanging(self) -> tuple[float, Unresponsive] | None:
        """For how many seconds it has hung, and how that is said; None where it does not."""
        look, looked = max(self._looks.values(), key=lambda one: one[1], default=(None, 0.0))
        if look is not None and looked >= self._patience.looking:
            never = N_(
                "The plugin {title} has not answered for {seconds} s, and what was asked waits "
                "for it."
            )
            said = Phrase(never, title=look.title, seconds=round(looked))
            return looked, Unresponsive(said, look.plugin, look.title)
        if self._silent >= self._may_be_silent:
            silent = N_("The engine has not answered for {seconds} s.")
            return self._silent, Unresponsive(Phrase(silent, seconds=round(self._silent)))
        waited = max(self._cancelled.values(), default=0.0)
        if waited >= self._patience.unobeyed:
            unobeyed = N_("The engine has not stopped what was cancelled {seconds} s ago.")
            return waited, Unresponsive(Phrase(unobeyed, seconds=round(waited)))
        return None
