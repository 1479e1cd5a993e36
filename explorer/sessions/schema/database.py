"""Opening the database, and saying in one sentence why it can't be opened or written."""

import contextlib
import errno
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from urllib.parse import quote

from explorer.api.question import MachineFault
from explorer.files.private import make_file, make_folder
from explorer.sessions.log.identity import iso_time, now_milliseconds
from explorer.sessions.schema import migrations
from explorer.text import N_

BUSY_SECONDS = 3.0
"""How long a program waits for another that writes to the same database."""

CHECKPOINT_PAGES = 4000
"""SQLite moves the write-ahead log into the database by itself after so many pages (16 MB).
The writer does it much earlier, while nobody waits."""

_NEARLY_FULL_BYTES = 256 * 1024
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NOT_WRITABLE = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_MADE_UP_RUNS = (
    "SELECT count(*) FROM sqlite_master WHERE (type = 'view' OR sql LIKE 'CREATE VIRTUAL%')"
    " AND name IN ('sessions', 'models', 'documents', 'runs', 'run_details', 'result_rows',"
    " 'result_arrays', 'run_models', 'marks', 'run_numbers')"
)
"""Where there should be a table: what makes its rows up may never come to an end."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def connect_for_writing(path: Path) -> sqlite3.Connection:
    """Open the database, make it or bring it up to date where needed.

    Several programs may do this at once: the first holds a write lock while it works, and the
    others find everything done.

    Raises:
        MachineFault: The database is newer than the program, or another program's.
        sqlite3.Error: It can't be opened; explain() puts that in words.
        OSError: Its folder can't be made.
    """
    make_folder(path.parent)
    with contextlib.suppress(OSError):
        # What can't be made here SQLite can't open either, and says why. The files that it puts
        # beside the database get the database's mode.
        make_file(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        _refuse_foreign(connection, path)
        _use_write_ahead_log(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        if not migrations.applied(connection).issuperset(migrations.NAMES):
            connection.execute("BEGIN IMMEDIATE")
            migrations.apply(connection)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_for_reading(path: Path) -> sqlite3.Connection | None:
    """Open the database read-only; None where there is nothing in it yet.

    Raises:
        MachineFault: It can't be read, or it is newer than the program, or another program's.
    """
    if not path.exists():
        return None
    try:
        connection = _open_read_only(path)
        try:
            _refuse_foreign(connection, path)
            if not migrations.applied(connection):
                connection.close()
                return None
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise explain(error, path, reading=True) from error
    return connection


def _open_read_only(path: Path) -> sqlite3.Connection:
    """Open with mode=ro, or as an immutable file where SQLite may not put its own beside it."""
    place = path.absolute().as_posix()
    uri = "file://" + quote(place if place.startswith("/") else "/" + place, safe="/:")
    options = "?mode=ro"
    while True:
        connection = sqlite3.connect(
            uri + options, uri=True, timeout=BUSY_SECONDS, isolation_level=None
        )
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            # Immutable is right only where nobody can be writing.
            refused = primary_code(error) in _NOT_WRITABLE and not os.access(path.parent, os.W_OK)
            if "immutable" in options or not refused:
                raise
            options += "&immutable=1"
        except BaseException:
            connection.close()
            raise
        else:
            return connection


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database of another program, or of a newer version of this one."""
    # One transaction, so that all of it is of one moment: another program may just be making it.
    connection.execute("BEGIN")
    try:
        names = migrations.applied(connection)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (runs,) = connection.execute(_MADE_UP_RUNS).fetchone()
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if runs or (not names and application != migrations.APPLICATION_ID):
        if runs or tables or application:
            raise MachineFault(
                N_("{path} is not a session database; it belongs to another program."),
                N_("Choose another file for the session log."),
                path=path,
            )
    elif version > len(migrations.STEPS) or not names.issubset(migrations.NAMES):
        raise MachineFault(
            N_("The session database {path} was written by a newer version of this program."),
            N_("Update the program, or choose another file for the session log."),
            path=path,
        )


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL; SQLite does not wait by itself when others do the same at this moment."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            if primary_code(error) not in _BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
    # Some network folders can't do WAL; the older journal then needs the full synchronisation.
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")


def primary_code(error: BaseException) -> int:
    """SQLite's result code without the extension, -1 for other errors."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else -1


_NOT_OPENED = N_("The session database {path} can't be read ({error}).")
_NOT_WRITTEN = N_("The session database {path} can't be written ({error}).")
_MAY_READ = N_("Check that its folder exists and that you may read it, or choose another file.")
_MAY_WRITE = N_(
    "Check that its folder exists and that you may write to it, or choose another file."
)


def is_damaged(error: BaseException) -> bool:
    """Whether SQLite says that the file is not, or no longer, a sound database."""
    return isinstance(error, sqlite3.Error) and primary_code(error) in _DAMAGED


def explain(error: BaseException, path: Path, *, reading: bool = False) -> MachineFault:
    """Say what is wrong with the database and what to do about it."""
    if isinstance(error, MachineFault):
        return error
    code = primary_code(error)
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_FULL or number == errno.ENOSPC or _is_nearly_full(path, code):
        return MachineFault(
            N_("The session database {path} can't be written: the disk is full."),
            N_("Free some space: a window then writes the runs that wait, a command's is lost."),
            path=path,
        )
    limit = _size_limit(code)
    if limit:
        return MachineFault(
            N_(
                "The session database {path} can't be written ({error}). No file may grow "
                "beyond {limit} bytes here, which may be why."
            ),
            N_("Raise the limit (ulimit -f), and start the program again."),
            path=path,
            error=error,
            limit=limit,
        )
    if code in _BUSY:
        return MachineFault(
            N_("The session database {path} is locked by another program."),
            N_("Close what else has it open for writing."),
            path=path,
        )
    if is_damaged(error):
        return MachineFault(
            N_("The session database {path} is damaged."),
            N_("Restore a copy, or move it away so that a new one is begun."),
            path=path,
        )
    if code in _NOT_WRITABLE or number is not None:
        return MachineFault(
            _NOT_OPENED if reading else _NOT_WRITTEN,
            _MAY_READ if reading else _MAY_WRITE,
            path=path,
            error=error,
        )
    return MachineFault(
        _NOT_OPENED if reading else _NOT_WRITTEN,
        N_("Restart the program; if that does not help, choose another file for the session log."),
        path=path,
        error=error,
    )


def _is_nearly_full(path: Path, code: int) -> bool:
    """A full disk shows itself as an I/O error where SQLite maps memory (the -shm file)."""
    if code not in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        return False
    try:
        return shutil.disk_usage(path.parent).free < _NEARLY_FULL_BYTES
    except OSError:
        return False


def _size_limit(code: int) -> int:
    """Bytes a file may grow to where there is a limit, which SQLite calls an I/O error; else 0."""
    if code != sqlite3.SQLITE_IOERR or sys.platform == "win32":
        return 0
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return 0 if limit == resource.RLIM_INFINITY else limit


def set_aside(path: Path) -> Path | None:
    """Rename a damaged database and what belongs to it; None if it proves sound after all.

    Another program may have set it aside and begun a new one in the meantime, so the file is
    looked at once more before it is touched.

    Raises:
        OSError: It can't be renamed.
    """
    if _is_sound(path):
        return None
    stamp = iso_time(now_milliseconds()).replace(":", "").replace("-", "").replace(".", "")
    target = path.with_name(f"{path.stem}-corrupt-{stamp}{path.suffix}")
    path.rename(target)
    for suffix in ("-wal", "-shm"):
        # The write-ahead log may hold runs that are not in the database file yet.
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(target.with_name(target.name + suffix))
    return target


def _is_sound(path: Path) -> bool:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        return not is_damaged(error)
    finally:
        connection.close()
