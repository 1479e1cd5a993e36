"""The log of every run, written by a thread of its own so that nobody waits for the disk."""

import itertools
import logging
import platform
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self

import explorer
from explorer.api.question import MachineFault
from explorer.sessions.change.marks import Change
from explorer.sessions.change.rescue import LARGEST, rescue
from explorer.sessions.log.identity import LATEST, Ulids, iso_time, now_milliseconds
from explorer.sessions.log.rows import rows_of
from explorer.sessions.log.waiting import Waiting
from explorer.sessions.read.searching import first_id
from explorer.sessions.records import LoggedRun
from explorer.sessions.schema.database import connect_for_writing, explain, is_damaged, set_aside
from explorer.text import N_, NN_, Phrase
from explorer.text.phrase import NOTHING

KEPT_RUNS = 1000
"""How many runs wait in memory at most, for a slow disk or until a full one has space again."""
KEPT_BYTES = 64 * 1024 * 1024
"""How much memory those that could not be written may take."""
BATCH_RUNS = 100
"""How many runs are committed together at most, where many wait."""
IDLE_SECONDS = 1.0
"""After so long without a run the write-ahead log is moved into the database."""

_INSERT_SESSION = (
    "INSERT OR IGNORE INTO sessions (id, name, started_at, program_version, python, platform)"
    " VALUES (?,?,?,?,?,?)"
)
# What one run can be guilty of; everything else concerns the whole database.
_RUN_IS_TO_BLAME = (
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    sqlite3.DataError,
    OverflowError,
    UnicodeError,
)

_logger = logging.getLogger(__name__)


class SessionLog:
    """Writes runs to the database; a run is on disk when its on_written was called.

    Attributes:
        path: The database's file.
        session_id: ULID of this session. Its row is written with the first run.
        opened: Set once the database was opened, or could not be: ids then follow its newest.
        problem_changed: Called on the writer's thread with the new sentence, "" when all is well
            again. May be replaced at any time.
    """

    def __init__(
        self,
        path: Path,
        session_name: str = "",
        problem_changed: Callable[[str], None] | None = None,
        connect: Callable[[Path], sqlite3.Connection] = connect_for_writing,
    ) -> None:
        """Start the writer's thread; it opens the database and reports a problem by itself."""
        self.path = Path(path)
        self.problem_changed = problem_changed
        self._connect = connect
        self._ulids = Ulids()
        self._started = now_milliseconds()
        self._name = session_name
        self.session_id = self._ulids.next(self._started)
        self._session: tuple[str, ...] = ()
        self._problem = ""
        self._notice = NOTHING
        self._lock = threading.Condition()
        self._inbox: deque[Waiting] = deque()
        self._retry = self._closing = self._check = False
        self.opened = threading.Event()
        # The writer's alone:
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] = (0, 0)
        self._kept: deque[Waiting] = deque()
        self._kept_bytes = 0
        self._lost = 0
        self._unchecked = False
        self._thread = threading.Thread(target=self._work, name="session log", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def problem(self) -> str:
        """What is wrong and what to do, "" while all is well."""
        return self._problem

    def record(self, run: LoggedRun, on_written: Callable[[str | None], None]) -> str:
        """Hand over a run; returns its ULID at once and never waits.

        Args:
            run: The run, not changed afterwards.
            on_written: Called once, on the writer's thread: with None when the run is on disk,
                with a sentence when it is not. A run that could not be written is kept in memory
                and written with a later one where that is possible. After close() it is called
                at once, on the caller's thread.
        """
        now = now_milliseconds()
        with self._lock:
            run_id = self._ulids.next(now)
            accepted = not self._closing
            if accepted:
                # Beyond the limit the run itself is let go; its caller still gets an answer.
                kept = run if len(self._inbox) < KEPT_RUNS else None
                self._inbox.append(Waiting(run_id, iso_time(now), kept, on_written))
                self._lock.notify()
        if not accepted:
            on_written("This run is not logged: the session log is closed.")
        return run_id

    def change(self, change: Change, on_written: Callable[[str | None], None]) -> None:
        """Change what is there (explorer.sessions.change.marks); returns at once, as record does.

        Changes and runs are written in the order they came in.
        """
        now = now_milliseconds()
        with self._lock:
            accepted = not self._closing
            if accepted:
                self._inbox.append(
                    Waiting(self._ulids.next(now), iso_time(now), None, on_written, None, change)
                )
                self._lock.notify()
        if not accepted:
            on_written("This is not kept: the session log is closed.")

    def retry(self) -> None:
        """Try again to write what could not be written, without a new run."""
        with self._lock:
            self._retry = True
            self._lock.notify()

    def check(self) -> None:
        """Look whether the file is damaged; a damaged one is set aside and rescued from."""
        with self._lock:
            self._check = True
            self._lock.notify()

    def close(self) -> None:
        """Write what still waits and end; returns when the database is closed."""
        with self._lock:
            self._closing = True
            self._lock.notify()
        self._thread.join()

    # ---- the writer's thread ---------------------------------------------------------------

    def _work(self) -> None:
        self._session = (
            self.session_id,
            self._name,
            iso_time(self._started),
            explorer.__version__,
            platform.python_version(),
            platform.platform(),
        )
        arrived: list[Waiting] = []
        closing = False
        while True:
            # The first turn has nothing to write: it opens the database, so that a problem is
            # known before the first run.
            self._take_in(arrived)
            self._write()
            self.opened.set()
            if closing:
                break
            arrived, closing = self._wait()
        self._disconnect()

    def _wait(self) -> tuple[list[Waiting], bool]:
        """The runs that came in, and whether they are the last."""
        while True:
            with self._lock:
                woken = self._lock.wait_for(
                    lambda: bool(self._inbox) or self._retry or self._check or self._closing,
                    timeout=IDLE_SECONDS if self._unchecked else None,
                )
                if woken:
                    arrived = list(self._inbox)
                    self._inbox.clear()
                    self._retry = False
                    return arrived, self._closing
            self._checkpoint()

    def _take_in(self, arrived: list[Waiting]) -> None:
        """Turn runs into rows; what can't be is answered here and let go."""
        for waiting in arrived:
            run, waiting.run = waiting.run, None
            if waiting.change is not None:
                self._kept.append(waiting)
                continue
            if run is None:
                waiting.tell("This run is not logged: too many others wait to be written.")
                continue
            try:
                waiting.rows = rows_of(run, waiting.id, self.session_id, waiting.created_at)
            except Exception as error:
                _logger.info("A run of %s can't be stored", run.operation, exc_info=True)
                waiting.tell(_not_storable(error))
                continue
            self._kept.append(waiting)
            self._kept_bytes += waiting.rows.size_bytes

    def _write(self) -> None:
        """Write what is kept, in order; set a damaged database aside and begin a new one."""
        try:
            try:
                self._look_for_damage()
                self._write_kept()
            except sqlite3.DatabaseError as error:
                self._disconnect()
                if not is_damaged(error):
                    raise
                self._begin_anew(error)
                self._write_kept()
        except (sqlite3.Error, OSError, MachineFault) as error:
            self._fail(explain(error, self.path))
        except Exception as error:
            _logger.exception("The session log failed")
            self._fail(explain(error, self.path))

    def _look_for_damage(self) -> None:
        if self._check:
            self._check = False
            for (found,) in self._open().execute("PRAGMA quick_check(1)").fetchall():
                if found != "ok":
                    error = sqlite3.DatabaseError(found)
                    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                    raise error

    def _write_kept(self) -> None:
        connection = self._open()
        while self._kept:
            batch = list(itertools.islice(self._kept, BATCH_RUNS))
            rejected: dict[str, str] = {}
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_INSERT_SESSION, self._session)
            for waiting in batch:
                reason = _insert(connection, waiting)
                if reason:
                    rejected[waiting.id] = reason
            connection.execute("COMMIT")
            self._unchecked = True
            for waiting in batch:
                self._let_go(waiting)
                waiting.tell(rejected.get(waiting.id))
        self._lost = 0
        self._set_problem(self._notice)

    def _open(self) -> sqlite3.Connection:
        """The connection; a new one where the file was moved away or deleted meanwhile."""
        if self._connection is not None and self._file != _file_identity(self.path):
            self._disconnect()
        if self._connection is None:
            self._connection = self._connect(self.path)
            self._file = _file_identity(self.path)
            (newest,) = self._connection.execute(
                "SELECT max(id) FROM runs WHERE id < ?", (first_id(LATEST + 1),)
            ).fetchone()
            if newest is not None:
                # The clock may have been set back since: what is asked now comes last all the same.
                self._ulids.follow(newest)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()  # rolls back what was not committed
        self._connection = None
        self._unchecked = False

    def _checkpoint(self) -> None:
        self._unchecked = False
        if self._connection is not None:
            try:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            except sqlite3.Error:
                # Nothing is lost: the runs are in the write-ahead log, and the next one tells.
                _logger.info("The write-ahead log stays as it is", exc_info=True)

    def _begin_anew(self, error: sqlite3.DatabaseError) -> None:
        try:
            aside = set_aside(self.path)
        except OSError as refusal:
            raise explain(error, self.path) from refusal
        if aside is not None:
            damaged = Phrase(
                N_(
                    "The session database was damaged: it is kept as {old}, and a new one was "
                    "begun as {new}."
                ),
                old=aside.name,
                new=self.path.name,
            )
            self._notice = Phrase.joined((damaged, self._rescue(aside)))

    def _rescue(self, aside: Path) -> Phrase:
        """Take what can be read of a damaged database into the new one; says what came of it."""
        if aside.stat().st_size > LARGEST:
            command = f"plm-explorer sessions rescue {aside}"
            return Phrase(N_("To take over what can be read: {command}."), command=command)
        try:
            runs = rescue(aside, self.path)
        except Exception:
            _logger.info("Nothing could be rescued from %s", aside, exc_info=True)
            runs = 0
        if not runs:
            return Phrase(N_("No run could be read from the damaged one."))
        return Phrase(
            NN_(
                "{count} run could be read from the damaged one and is in the new one.",
                "{count} runs could be read from the damaged one and are in the new one.",
            ),
            count=runs,
        )

    def _fail(self, fault: MachineFault) -> None:
        """Tell everybody, and keep as many runs as memory allows for the next attempt."""
        self._disconnect()
        sentence = Phrase.joined((fault.problem, fault.remedy))
        for waiting in self._kept:
            waiting.tell(sentence)
        while len(self._kept) > KEPT_RUNS or self._kept_bytes > KEPT_BYTES:
            self._let_go(self._kept[0])
            self._lost += 1
        if self._lost:
            lost = N_("Runs that no longer fit in memory and are lost: {number}.")
            sentence = Phrase.joined((sentence, Phrase(lost, number=self._lost)))
        self._set_problem(sentence)

    def _let_go(self, oldest: Waiting) -> None:
        self._kept.popleft()
        self._kept_bytes -= oldest.rows.size_bytes if oldest.rows else 0

    def _set_problem(self, sentence: str) -> None:
        if sentence == self._problem:
            return
        self._problem = sentence
        listener = self.problem_changed
        if listener is not None:
            try:
                listener(sentence)
            except Exception:
                _logger.exception("A listener of the session log failed")


def _insert(connection: sqlite3.Connection, waiting: Waiting) -> str:
    """Insert one run; the reason where this run itself can't be stored."""
    connection.execute("SAVEPOINT run")
    try:
        waiting.write(connection)
    except _RUN_IS_TO_BLAME as error:
        connection.execute("ROLLBACK TO run")
        reason = _not_storable(error)
    else:
        reason = ""
    connection.execute("RELEASE run")
    return reason


def _not_storable(error: Exception) -> str:
    return f"This run is not logged: something in it can't be stored ({error})."


def _file_identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino
