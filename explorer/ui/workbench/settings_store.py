"""What the program remembers, written shortly after it changed, away from the window's thread."""

import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.api.question import ExplorerError
from explorer.settings import Settings
from explorer.text import _

DELAY_MS = 400
"""Changes are gathered this long; a crash loses no more than this."""


class Store(Protocol):
    """Where settings are kept."""

    def save(self, settings: Settings) -> None:
        """Write them all."""


class SettingsStore(QObject):
    """The settings in force, and their way to the disk.

    Signals:
        changed: The new Settings.
        problem: Why they could not be written, once for each new reason.
        saved: They are on disk.
    """

    changed = Signal(object)
    problem = Signal(str)
    saved = Signal()
    _written = Signal(str)

    def __init__(
        self, store: Store | None, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._problem = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._hand_over)
        self._work: queue.SimpleQueue[Settings | None] = queue.SimpleQueue()
        self._written.connect(self._told, Qt.ConnectionType.QueuedConnection)
        tell: Callable[[str], None] = self._written.emit
        self._thread = threading.Thread(
            target=_write, args=(store, self._work, tell), name="settings writer", daemon=True
        )
        self._thread.start()

    @property
    def settings(self) -> Settings:
        """As they are now."""
        return self._settings

    def change(self, **fields: Any) -> None:
        """Change some of the settings; they are on disk shortly after."""
        changed = replace(self._settings, **fields)
        if changed == self._settings:
            return
        self._settings = changed
        # Not started anew while it runs: steady typing must not put the writing off for ever.
        if not self._timer.isActive():
            self._timer.start()
        self.changed.emit(changed)

    def close(self) -> None:
        """Write what is not written yet and end the thread."""
        if self._timer.isActive():
            self._timer.stop()
            self._hand_over()
        self._work.put(None)
        self._thread.join(3.0)

    def _hand_over(self) -> None:
        self._work.put(self._settings)

    def _told(self, problem: str) -> None:
        if problem and problem != self._problem:
            self.problem.emit(problem)
        if not problem:
            self.saved.emit()
        self._problem = problem


def _write(
    store: Store | None,
    work: "queue.SimpleQueue[Settings | None]",
    tell: Callable[[str], None],
) -> None:
    while (settings := work.get()) is not None:
        problem = ""
        try:
            if store is not None:
                store.save(settings)
        except ExplorerError as error:
            problem = f"{error.said} {error.advice}".strip()
        except Exception as error:  # noqa: BLE001  told to the user
            problem = _("The settings are not saved ({error}).", error=error)
        try:
            tell(problem)
        except RuntimeError:
            continue  # the window is gone; what follows is still written
