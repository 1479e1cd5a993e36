"""Taking the runs of another session database into this one."""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from explorer.api import UserMistake
from explorer.sessions.backup import copy_database
from explorer.sessions.database import connect_for_reading, connect_for_writing, explain
from explorer.sessions.searching import make_findable

# Parents before children; ids are ULIDs and hashes, so what has the same id is the same.
_TABLES = (
    "sessions",
    "models",
    "documents",
    "runs",
    "run_details",
    "result_rows",
    "run_models",
)
_NEWER_MARKS = (
    "INSERT INTO marks SELECT * FROM other.marks AS theirs WHERE true"
    " ON CONFLICT (run_id) DO UPDATE SET starred = excluded.starred, note = excluded.note,"
    " changed_at = excluded.changed_at WHERE excluded.changed_at > marks.changed_at"
)
_FIND_NOTES = (
    "UPDATE run_search SET note = (SELECT m.note FROM main.marks m JOIN run_numbers n"
    " ON n.run_id = m.run_id WHERE n.number = run_search.rowid)"
    " WHERE rowid IN (SELECT n.number FROM run_numbers n JOIN other.marks o"
    " ON o.run_id = n.run_id)"
)


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes:
        runs: How many were taken.
        known: How many were here already.
        sessions: How many sessions were taken.
    """

    runs: int
    known: int
    sessions: int


def merge(database: Path, other: Path) -> Merged:
    """Take over every run of another database that is not here yet, with its marks.

    The other file is only read, and may be of an older schema. Where both have a mark on a run,
    the one that was changed last stays. All of it is done, or nothing.

    Raises:
        UserMistake: There is no such file, or it is this very database.
        MachineFault: One of the two can't be read or written, or is newer than the program.
    """
    if not other.is_file():
        raise UserMistake(f"There is no file {other}.", "Name a session database.")
    if database.exists() and other.samefile(database):
        raise UserMistake("A database can't be merged with itself.", "Name another one.")
    readable = connect_for_reading(other)
    if readable is None:
        return Merged(0, 0, 0)
    readable.close()
    with tempfile.TemporaryDirectory(prefix="plm-explorer-merge-") as folder:
        copied = Path(folder) / "other.db"
        try:
            copy_database(other, copied)
            # Brings the copy up to date.
            connect_for_writing(copied).close()
            with closing(connect_for_writing(database)) as connection:
                return _take(connection, copied)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, database) from error


def _take(connection: sqlite3.Connection, copied: Path) -> Merged:
    connection.execute("ATTACH DATABASE ? AS other", (str(copied),))
    connection.execute("BEGIN IMMEDIATE")
    try:
        new = [
            run_id
            for (run_id,) in connection.execute(
                "SELECT id FROM other.runs WHERE id NOT IN (SELECT id FROM main.runs) ORDER BY id"
            )
        ]
        (all_theirs,) = connection.execute("SELECT count(*) FROM other.runs").fetchone()
        (before,) = connection.execute("SELECT count(*) FROM main.sessions").fetchone()
        for table in _TABLES:
            connection.execute(
                f"INSERT OR IGNORE INTO main.{table} SELECT * FROM other.{table}"  # noqa: S608
            )
        connection.execute(_NEWER_MARKS)
        for run_id in new:
            _index(connection, run_id)
        connection.execute(_FIND_NOTES)
        (after,) = connection.execute("SELECT count(*) FROM main.sessions").fetchone()
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return Merged(len(new), all_theirs - len(new), after - before)


def _index(connection: sqlite3.Connection, run_id: str) -> None:
    text, answer = connection.execute(
        "SELECT text, answer FROM other.run_search WHERE rowid ="
        " (SELECT number FROM other.run_numbers WHERE run_id = ?)",
        (run_id,),
    ).fetchone()
    make_findable(connection, run_id, text, answer)
