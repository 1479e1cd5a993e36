"""Reads the session log on a thread of its own: the window never waits for the disk."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import Failure
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.records import RunSummary, StoredRun

PAGE = 200
KEPT = frozenset({"export", "work"})
"""What is done even when something newer of its kind was asked for: it leaves something behind."""


@dataclass(frozen=True)
class LogPage:
    """One answer of the log.

    Attributes:
        wanted: What was asked for.
        before: The page begins behind this run; None for the first page.
        runs: Newest first.
        operations: Every question in the log.
        model_ids: Every checkpoint in the log.
    """

    wanted: RunFilter
    before: str | None
    runs: tuple[RunSummary, ...]
    operations: tuple[str, ...] = ()
    model_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class _QueryAnswer:
    """What was worked out, and who is told."""

    told: Callable[[Any], None]
    answer: Any


class RunReader(Protocol):
    """What the window asks of the session log's reader; called on the log's thread."""

    def runs(
        self, wanted: RunFilter | None = None, limit: int = PAGE, before: str | None = None
    ) -> list[RunSummary]:
        """Rows, newest first."""

    def run(self, run_id: str) -> StoredRun:
        """One run, whole."""

    def operations(self) -> list[str]:
        """Names of the questions that were asked."""

    def model_ids(self) -> list[str]:
        """Ids of the checkpoints that answered."""


class LogQueries(QObject):
    """Asks the reader in the background; answers come as signals on the window's thread.

    Signals:
        listed: A LogPage, of the newest filter that was asked for.
        opened: A StoredRun, to be shown.
        export_read: A StoredRun and the kind of file that it is to become.
        pair_opened: Two StoredRuns.
        done: What some other work on the log returned.
        failed: A Failure.
    """

    listed = Signal(object)
    opened = Signal(object)
    export_read = Signal(object, str)
    pair_opened = Signal(object, object)
    done = Signal(object)
    failed = Signal(object)
    _done = Signal(str, int, object)

    def __init__(self, reader: RunReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._newest = dict.fromkeys(("list", "open", "export", "pair", "work"), 0)
        self._work: queue.SimpleQueue[tuple[str, int, Callable[[], Any]] | None]
        self._work = queue.SimpleQueue()
        self._is_closed = False
        self._done.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="session reader", daemon=True)
        self._thread.start()

    def list_runs(self, wanted: RunFilter, before: str | None = None) -> None:
        """Ask for a page."""

        def work() -> LogPage:
            reader = self._reader
            runs = reader.runs(wanted, PAGE, before)
            if before is not None:
                return LogPage(wanted, before, tuple(runs))
            return LogPage(
                wanted,
                None,
                tuple(runs),
                tuple(reader.operations()),
                tuple(reader.model_ids()),
            )

        self._put("list", work)

    def open_run(self, run_id: str) -> None:
        """Ask for a whole run."""
        self._put("open", lambda: self._reader.run(run_id))

    def read_for_export(self, run_id: str, kind: str) -> None:
        """Ask for a whole run that is to become a file."""
        self._put("export", lambda: (self._reader.run(run_id), kind))

    def open_pair(self, first: str, second: str) -> None:
        """Ask for two whole runs."""
        self._put("pair", lambda: (self._reader.run(first), self._reader.run(second)))

    def work(self, work: Callable[[], Any]) -> None:
        """Do something with the log on its thread; `done` or `failed` follows."""
        self._put("work", work)

    def then(self, work: Callable[[], Any], told: Callable[[Any], None]) -> None:
        """Work something out on the thread, then tell it on the window's."""
        self._put("work", lambda: _QueryAnswer(told, work()))

    def close(self) -> None:
        """End the thread; an answer under way is dropped."""
        self._newest = dict.fromkeys(self._newest, -1)
        self._is_closed = True
        self._work.put(None)
        self._thread.join(2.0)

    def _put(self, kind: str, work: Callable[[], Any]) -> None:
        self._newest[kind] += 1
        self._work.put((kind, self._newest[kind], work))

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            kind, number, work = item
            if self._newest.get(kind) != number and kind not in KEPT:
                continue
            try:
                answer = work()
            except Exception as error:  # noqa: BLE001  told to the user
                answer = Failure.of(error)
            try:
                self._done.emit(kind, number, answer)
            except RuntimeError:
                return  # the window is gone

    def _deliver(self, kind: str, number: int, answer: object) -> None:
        if self._is_closed:
            # It was on its way already, and who wanted it goes.
            return
        if self._newest.get(kind) != number and kind not in KEPT:
            return
        if isinstance(answer, Failure):
            self.failed.emit(answer)
        elif isinstance(answer, _QueryAnswer):
            answer.told(answer.answer)
        elif kind == "list":
            self.listed.emit(answer)
        elif kind == "open":
            self.opened.emit(answer)
        elif kind == "export":
            self.export_read.emit(*answer)  # type: ignore[misc]
        elif kind == "pair":
            self.pair_opened.emit(*answer)  # type: ignore[misc]
        else:
            self.done.emit(answer)
