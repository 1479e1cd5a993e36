"""Taking the runs of another session database into this one."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from explorer.api.question import MachineFault, ModelStamp, UserMistake
from explorer.files.temporary import prefix
from explorer.serialise import to_builtins
from explorer.sessions.change.backup import copy_database
from explorer.sessions.log.identity import content_hash, is_ulid
from explorer.sessions.read.reader import stored_run
from explorer.sessions.read.searching import answer_text, make_findable
from explorer.sessions.records import RunSummary, StoredRun
from explorer.sessions.schema.database import connect_for_reading, connect_for_writing, explain
from explorer.text import N_, said

# Parents before children; ids are ULIDs and hashes, so what has the same id is the same.
_TABLES = {
    "sessions": "id IN (SELECT session_id FROM other.runs WHERE id IN temp.taken)",
    "models": "fingerprint IN (SELECT model_fingerprint FROM other.runs WHERE id IN temp.taken)"
    " OR fingerprint IN (SELECT fingerprint FROM other.run_models WHERE run_id IN temp.taken)",
    "documents": "id IN (SELECT document_id FROM other.runs WHERE id IN temp.taken)",
    "runs": "id IN temp.taken",
    "run_details": "run_id IN temp.taken",
    "result_rows": "run_id IN temp.taken",
    "result_arrays": "run_id IN temp.taken",
    "run_models": "run_id IN temp.taken",
}
"""And which rows of each are taken."""
_NEWER_MARK = (
    "INSERT INTO marks (run_id, starred, note, changed_at) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (run_id) DO UPDATE SET starred = excluded.starred, note = excluded.note,"
    " changed_at = excluded.changed_at WHERE excluded.changed_at > marks.changed_at"
)
_FIND_NOTES = (
    "UPDATE run_search SET note = (SELECT m.note FROM main.marks m JOIN run_numbers n"
    " ON n.run_id = m.run_id WHERE n.number = run_search.rowid)"
    " WHERE rowid IN (SELECT n.number FROM run_numbers n JOIN other.marks o"
    " ON o.run_id = n.run_id JOIN main.marks m ON m.run_id = n.run_id)"
)

FOREIGN_ID = "for an id that this program does not give"
BROKEN = "for what is stored, which is damaged"
OTHER_TEXT = "for a text that is stored under the name of another"


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes:
        runs: How many were taken.
        known: How many were here already.
        sessions: How many sessions were taken.
        refused: How many runs were left out, by the reason in a few words.
    """

    runs: int
    known: int
    sessions: int
    refused: tuple[tuple[str, int], ...] = ()


def merge(database: Path, other: Path) -> Merged:
    """Take over every run of another database that is not here yet, with its marks.

    The other file is only read, and may be of an older schema. Where both have a mark on a run,
    the one that was changed last stays. A run that this program could not have written, or can't
    read, is left out. All the rest is taken, or nothing.

    Raises:
        UserMistake: There is no such file, or it is this very database.
        MachineFault: One of the two can't be read or written, or is newer than the program.
    """
    if not other.is_file():
        raise UserMistake(
            N_("There is no file {other}."), N_("Name a session database."), other=other
        )
    if database.exists() and other.samefile(database):
        raise UserMistake(N_("A database can't be merged with itself."), N_("Name another one."))
    readable = connect_for_reading(other)
    if readable is None:
        return Merged(0, 0, 0)
    readable.close()
    with tempfile.TemporaryDirectory(prefix=prefix("merge")) as folder:
        copied = Path(folder) / "other.db"
        try:
            copy_database(other, copied)
            # Brings the copy up to date.
            connect_for_writing(copied).close()
            judged = _judge(copied)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, other, reading=True) from error
        try:
            with closing(connect_for_writing(database)) as connection:
                return _take(connection, copied, other, judged)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, database) from error


def _judge(copied: Path) -> dict[str, str]:
    """Every run of the other database by its id, and why it can't be taken; "" if it can."""
    with closing(sqlite3.connect(copied)) as connection:
        connection.row_factory = sqlite3.Row
        ids = connection.execute("SELECT CAST(id AS BLOB) FROM runs").fetchall()
        known = (bytes(run_id).decode("utf-8", "replace") for (run_id,) in ids)
        return {run_id: _reason(connection, run_id) for run_id in known}


def _reason(connection: sqlite3.Connection, run_id: str) -> str:
    if not is_ulid(run_id):
        return FOREIGN_ID
    try:
        run = stored_run(connection, run_id)
        msgspec.convert(to_builtins(run.summary), RunSummary)
        msgspec.convert(to_builtins(run.model), ModelStamp | None)
        msgspec.convert(to_builtins(run.models), dict[str, ModelStamp])
        row = connection.execute(
            "SELECT d.id, d.json, x.request, x.result FROM runs r"
            " JOIN documents d ON d.id = r.document_id JOIN run_details x ON x.run_id = r.id"
            " WHERE r.id = ?",
            (run_id,),
        ).fetchone()
        for written in (row["request"], row["result"]):
            if written is not None:
                msgspec.json.decode(written)
    except (MachineFault, ValueError, TypeError, RecursionError):
        return BROKEN
    if not is_ulid(run.summary.session_id) or not isinstance(run.seed, int):
        return BROKEN
    # Another text of this name may come to be here, and would be shown in place of it.
    return "" if row["id"] == content_hash(row["json"]) else OTHER_TEXT


def _take(
    connection: sqlite3.Connection, copied: Path, other: Path, judged: dict[str, str]
) -> Merged:
    connection.execute("ATTACH DATABASE ? AS other", (str(copied),))
    connection.execute("CREATE TEMP TABLE taken (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID")
    columns = {table: _columns(connection, table, other) for table in _TABLES}
    connection.execute("BEGIN IMMEDIATE")
    try:
        here = {run_id for (run_id,) in connection.execute("SELECT id FROM main.runs")}
        new = sorted(run_id for run_id in judged if run_id not in here)
        taken = [run_id for run_id in new if not judged[run_id]]
        connection.executemany("INSERT INTO taken VALUES (?)", ((run_id,) for run_id in taken))
        (before,) = connection.execute("SELECT count(*) FROM main.sessions").fetchone()
        for table, wanted in _TABLES.items():
            names = columns[table]
            connection.execute(
                f"INSERT OR IGNORE INTO main.{table} ({names})"  # noqa: S608 - own names
                f" SELECT {names} FROM other.{table} WHERE {wanted}"
            )
        connection.executemany(_NEWER_MARK, _marks(connection))
        with closing(sqlite3.connect(copied)) as theirs:
            theirs.row_factory = sqlite3.Row
            for run_id in taken:
                _index(connection, stored_run(theirs, run_id))
        connection.execute(_FIND_NOTES)
        (after,) = connection.execute("SELECT count(*) FROM main.sessions").fetchone()
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    refused = Counter(judged[run_id] for run_id in new if judged[run_id])
    known = len(judged) - len(new)
    return Merged(len(taken), known, after - before, tuple(refused.most_common()))


def _columns(connection: sqlite3.Connection, table: str, other: Path) -> str:
    """The names of a table's columns, for a query.

    Raises:
        MachineFault: The other database has others.
    """
    ours, theirs = (
        [str(row[1]) for row in connection.execute(f"PRAGMA {schema}.table_info({table})")]
        for schema in ("main", "other")
    )
    if set(ours) != set(theirs):
        raise MachineFault(
            N_(
                "{other} is not a session database that this program made: its table {table} "
                "has other columns."
            ),
            N_("Name another file."),
            other=other,
            table=table,
        )
    return ", ".join(ours)


def _marks(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """The other database's marks on runs that are here now, as far as they can be read."""
    found = connection.execute(
        "SELECT run_id, starred <> 0, CAST(note AS BLOB), changed_at FROM other.marks"
        " WHERE run_id IN (SELECT id FROM main.runs)"
        " AND typeof(note) = 'text' AND typeof(changed_at) = 'text'"
        " AND changed_at GLOB '[0-9][0-9][0-9][0-9]-*T*Z'"
    ).fetchall()
    return [
        (run_id, starred, bytes(note).decode("utf-8", "replace"), changed_at)
        for run_id, starred, note, changed_at in found
    ]


def _index(connection: sqlite3.Connection, run: StoredRun) -> None:
    text, pair = run.document.text, run.document.pair
    make_findable(
        connection,
        run.summary.id,
        text if pair is None else f"{text}\n{pair}",
        answer_text(str(run.summary.headline), run.table, said(run.summary.headline)),
    )
