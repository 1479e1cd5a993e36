"""Says which plugin never returns, so that nobody at a terminal waits without knowing for what."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from explorer.engine.messages import PluginCallBegan, PluginCallEnded
from explorer.engine.plugins.border.looks import listening
from explorer.engine.process.watchdog import Patience
from explorer.text import _

PATIENCE = Patience.looking
"""Seconds until a plugin is told of."""
LOOKS = 4
"""Looks at the clock while the user's patience lasts."""


@contextmanager
def telling_of_hanging() -> Iterator[None]:
    """Tell on standard error, once each, of the plugins that do not return."""
    waiting = _PluginWatch(PATIENCE)
    with listening(waiting.heard):
        try:
            yield
        finally:
            waiting.end()


class _PluginWatch:
    """Notes what plugins are at, on any thread; a thread looks at the clock."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._looks: dict[int, tuple[PluginCallBegan, float]] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def heard(self, event: PluginCallBegan | PluginCallEnded) -> None:
        """A look began or ended."""
        with self._lock:
            if isinstance(event, PluginCallEnded):
                self._looks.pop(event.number, None)
                return
            self._looks[event.number] = event, time.monotonic()
            if self._thread is None:  # most programs have no plugin but their own
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Tell of nothing more."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(self._patience / LOOKS):
            for look in self._overdue():
                sys.stderr.write(
                    _(
                        "The plugin {title} has not answered for {seconds} s. Wait for it, or end "
                        "the program with Ctrl+C; --safe-mode starts it without your plugins.\n",
                        title=look.title,
                        seconds=round(self._patience),
                    )
                )

    def _overdue(self) -> tuple[PluginCallBegan, ...]:
        """Those that take too long and were not told of."""
        begun = time.monotonic() - self._patience
        with self._lock:
            late = [look for look, since in self._looks.values() if since <= begun]
            for look in late:
                del self._looks[look.number]
        return tuple(late)
