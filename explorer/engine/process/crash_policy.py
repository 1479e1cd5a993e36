"""Why the engine's process ended, in words for a person, and whether to try again."""

import signal
import time
from collections.abc import Callable

from explorer.engine.messages import Ask, EngineRequest, LoadModel
from explorer.text import N_, Phrase

GPU_FAULT_EXIT = 86
"""Exit code after an error that leaves the GPU unusable for the process it happened in."""

QUICK = 20.0
"""Seconds within which a process that died without answering anything counts as hopeless."""

WINDOW = 60.0
"""Seconds in which MOST deaths are too many."""

MOST = 3

_SIGNALS = {
    "SIGKILL": N_("The system stopped the engine, most likely because memory ran out."),
    "SIGSEGV": N_("The engine crashed (segmentation fault)."),
    "SIGBUS": N_("The engine crashed (bus error)."),
    "SIGABRT": N_("The engine crashed (a library gave up)."),
    "SIGILL": N_("The engine crashed: the installed PyTorch does not fit this processor."),
    "SIGFPE": N_("The engine crashed (arithmetic error)."),
    "SIGTERM": N_("Another program ended the engine."),
}

_WINDOWS = {
    0xC0000005: N_("The engine crashed (access violation)."),
    0xC00000FD: N_("The engine crashed (stack overflow)."),
    0xC000001D: N_("The engine crashed: the installed PyTorch does not fit this processor."),
    0xC0000409: N_("The engine crashed (a library gave up)."),
    0xC0000017: N_("The system stopped the engine because memory ran out."),
}


NO_MEMORY_TO_READ = Phrase(N_("There is not enough memory here to read the engine's answer."))
"""Of a process that was ended, because the window could not take what it said."""


def out_of_memory(held: int, doing: EngineRequest | None) -> Phrase:
    """One sentence for a process that was ended before it took the last of the memory.

    Args:
        held: Bytes that it had.
        doing: What it was asked for at that time.
    """
    size = f"{held / 1e9:.1f}"
    if isinstance(doing, LoadModel):
        return Phrase(
            N_(
                "The engine held {size} GB of memory while it loaded {name}, and was ended before "
                "the machine had none left."
            ),
            size=size,
            name=doing.checkpoint_id,
        )
    if isinstance(doing, Ask):
        return Phrase(
            N_(
                "The engine held {size} GB of memory over a question, and was ended before the "
                "machine had none left: ask it of a shorter text or a smaller model."
            ),
            size=size,
        )
    return Phrase(
        N_("The engine held {size} GB of memory, and was ended before the machine had none left."),
        size=size,
    )


def reason_of(exit_code: int | None) -> Phrase:
    """One sentence for an exit code as subprocess tells it (negative: a signal)."""
    if exit_code is None:
        return Phrase(N_("The engine's process was lost."))
    if exit_code == GPU_FAULT_EXIT:
        return Phrase(N_("The GPU reported an error that only a new engine process clears."))
    if exit_code & 0xFFFFFFFF in _WINDOWS:
        return Phrase(_WINDOWS[exit_code & 0xFFFFFFFF])
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = f"signal {-exit_code}"
        if name in _SIGNALS:
            return Phrase(_SIGNALS[name])
        return Phrase(N_("The engine was ended by {name}."), name=name)
    return Phrase(N_("The engine ended unexpectedly (exit code {code})."), code=str(exit_code))


class CrashPolicy:
    """Remembers how often the process died, to give up in time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self._started = clock()
        self._is_restart = False
        self._has_answered = False

    def process_started(self, *, is_restart: bool) -> None:
        """A new process begins."""
        self._started = self._clock()
        self._is_restart = is_restart
        self._has_answered = False

    def answered(self) -> None:
        """The process answered something."""
        self._has_answered = True

    def forget(self) -> None:
        """The user wants to try again: what was does not count."""
        self._times.clear()

    def is_hopeless(self) -> bool:
        """Count one more death; whether another start would be the same again."""
        now = self._clock()
        self._times = [moment for moment in self._times if now - moment < WINDOW] + [now]
        if len(self._times) >= MOST:
            return True
        return self._is_restart and not self._has_answered and now - self._started < QUICK
