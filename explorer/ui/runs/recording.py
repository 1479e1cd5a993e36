"""Runs on their way to the log, and the window told when they are on disk."""

import contextlib
import threading
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.sessions.change.marks import Change
from explorer.sessions.records import LoggedRun
from explorer.text import said

PATIENCE_MS = 1500
"""A disk slower than this does not hold an answer back any longer."""


class RunLog(Protocol):
    """What the window asks of the session log."""

    problem_changed: Callable[[str], None] | None
    session_id: str

    @property
    def problem(self) -> str:
        """What is wrong, "" while all is well."""

    def record(self, run: LoggedRun, on_written: Callable[[str | None], None]) -> str:
        """Hand over a run; on_written is called on the log's own thread."""

    def change(self, change: Change, on_written: Callable[[str | None], None]) -> None:
        """Change what is there; on_written is called on the log's own thread."""

    def check(self) -> None:
        """Look whether the file is damaged."""

    def close(self) -> None:
        """Write what waits and end."""


class Recording(QObject):
    """Records runs and calls back on the window's thread.

    Signals:
        written: A run's id: it is on disk.
        problem_changed: What is wrong with the log, "" when all is well.
        change_failed: Why a star or a note is not kept.
    """

    written = Signal(str)
    problem_changed = Signal(str)
    change_failed = Signal(str)
    _told = Signal(int, str)
    _changed = Signal(str)
    _problem = Signal(str)

    def __init__(self, log: RunLog | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self._count = 0
        self._waiting: dict[int, tuple[str, Callable[[str], None]]] = {}
        self._late: dict[int, str] = {}
        self._pauses = False
        self._changed.connect(self._tell_change, Qt.ConnectionType.QueuedConnection)
        self._told.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._problem.connect(self.problem_changed, Qt.ConnectionType.QueuedConnection)
        if log is not None:
            self._listen(log)

    def _listen(self, log: RunLog) -> None:
        log.problem_changed = self._say
        if log.problem:
            self._say(log.problem)

    def keep(self, opened: Callable[[], RunLog] | None) -> None:
        """Keep runs from now on, or no more.

        Args:
            opened: Opens the log, where there is none yet; None where nothing is to be kept. What
                waits to be written is written all the same.
        """
        self._pauses = opened is None
        if opened is not None and self._log is None:
            self._log = opened()
            self._listen(self._log)

    def _say(self, problem: str) -> None:
        """On the writer's thread: a signal carries words, not what they are made of."""
        self._problem.emit(said(problem))

    @property
    def session_id(self) -> str:
        """The session that runs are kept in now, "" where nothing is kept."""
        return self._log.session_id if self._log is not None and not self._pauses else ""

    @property
    def is_on(self) -> bool:
        """Whether runs are kept."""
        return self._log is not None and not self._pauses

    def record(self, run: LoggedRun, then: Callable[[str], None]) -> None:
        """Log a run, then call with its id; with "" where nothing is logged.

        A run that can't be written, or not soon, is shown all the same: the answer matters
        more than its record, and the notice about the log says what is wrong. Its table is made
        by then, on another thread than the window's.
        """
        self._count += 1
        number = self._count
        told = self._told
        if self._log is None or self._pauses or self._log.problem:
            if self._log is not None and not self._pauses:
                # Kept in memory by the log, and written once the problem is gone.
                self._log.record(run, lambda _problem: None)
            if run.result is None:
                then("")
                return
            self._waiting[number] = ("", then)
            threading.Thread(
                target=_make_table, args=(run, number, told.emit), name="table", daemon=True
            ).start()
            return

        def on_written(problem: str | None) -> None:
            told.emit(number, problem or "")

        # The callback may come before record returns, but is only delivered after it.
        run_id = self._log.record(run, on_written)
        self._waiting[number] = (run_id, then)
        QTimer.singleShot(PATIENCE_MS, self, lambda: self._give_up(number))

    def change(self, change: Change) -> None:
        """Change what is in the log; `written` follows with "" when it is on disk."""
        if self._log is not None:
            self._log.change(change, lambda problem: self._changed.emit(said(problem or "")))

    def check(self) -> None:
        """Look whether the log's file is damaged; what is wrong comes as a problem."""
        if self._log is not None:
            self._log.check()

    def close(self) -> None:
        """Write what waits; nothing is called back any more."""
        self._waiting.clear()
        self._late.clear()
        if self._log is not None:
            self._log.problem_changed = None
            self._log.close()

    def _tell_change(self, problem: str) -> None:
        if problem:
            self.change_failed.emit(problem)
        else:
            self.written.emit("")

    def _finish(self, number: int, problem: str) -> None:
        run_id, then = self._waiting.pop(number, (self._late.pop(number, ""), None))
        if then is not None:
            then("" if problem else run_id)
        if run_id and not problem:
            self.written.emit(run_id)

    def _give_up(self, number: int) -> None:
        run_id, then = self._waiting.pop(number, ("", None))
        if then is not None:
            # It is shown now; that it is on disk is told once it is.
            self._late[number] = run_id
            then(run_id)


def _make_table(run: LoggedRun, number: int, tell: Callable[[int, str], None]) -> None:
    _ = run.table
    with contextlib.suppress(RuntimeError):  # the window is gone
        tell(number, "")
