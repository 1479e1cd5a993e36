"""Taking what can still be read out of a damaged database."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from explorer.api import UserMistake
from explorer.sessions.database import connect_for_writing
from explorer.sessions.merging import merge
from explorer.sessions.searching import make_all_findable

LARGEST = 256 * 1024 * 1024
"""Bytes up to which the program rescues by itself, while runs wait; beyond, it is asked to."""

# In the order in which a table lies in the file, so that one bad page hides only its own rows.
_KEYS = {
    "sessions": ("rowid",),
    "models": ("rowid",),
    "documents": ("rowid",),
    "runs": ("id",),
    "run_details": ("rowid",),
    "result_rows": ("run_id", "ordinal"),
    "run_models": ("run_id", "ordinal"),
    "marks": ("run_id",),
}
_INCOMPLETE = (
    "DELETE FROM runs WHERE document_id NOT IN (SELECT id FROM documents)"
    " OR session_id NOT IN (SELECT id FROM sessions)"
    " OR id NOT IN (SELECT run_id FROM run_details)"
    " OR model_fingerprint NOT IN (SELECT fingerprint FROM models)"
)
_ORPHANS = tuple(
    f"DELETE FROM {table} WHERE run_id NOT IN (SELECT id FROM runs)"  # noqa: S608
    for table in ("run_details", "result_rows", "run_models", "marks")
)


def rescue(damaged: Path, database: Path) -> int:
    """Take every run that is whole in a damaged database over into another.

    Each table is read from its beginning until the damage, and from its end back to it. A run
    counts as whole with its document, its session and its details; rows of its table that are
    lost are lost.

    Returns:
        How many runs were taken over.

    Raises:
        UserMistake: There is no such file.
        MachineFault: The other database can't be written.
    """
    if not damaged.is_file():
        raise UserMistake(f"There is no file {damaged}.", "Name a session database.")
    with tempfile.TemporaryDirectory(prefix="plm-explorer-rescue-") as folder:
        whole = Path(folder) / "rescued.db"
        with closing(connect_for_writing(whole)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("BEGIN")
            with closing(_open(damaged)) as source:
                for table, key in _KEYS.items():
                    _copy(source, connection, table, key)
            for statement in (_INCOMPLETE, *_ORPHANS):
                connection.execute(statement)
            make_all_findable(connection)
            connection.execute("COMMIT")
        return merge(database, whole).runs


def _open(damaged: Path) -> sqlite3.Connection:
    uri = f"{damaged.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    # A check of every cell before it is used costs little beside a crash.
    with contextlib.suppress(sqlite3.DatabaseError):
        connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, key: tuple[str, ...]
) -> None:
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    places = ",".join("?" * len(columns))
    insert = f"INSERT OR IGNORE INTO {table} VALUES ({places})"  # noqa: S608
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{name} {order}" for name in key)
        query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {by}"  # noqa: S608
        if _read(source, target, query, insert):
            return


def _read(source: sqlite3.Connection, target: sqlite3.Connection, query: str, insert: str) -> bool:
    """Copy rows until the damage; whether there was none."""
    reached_end = False
    with contextlib.suppress(sqlite3.DatabaseError):
        for row in _rows(source, query):
            with contextlib.suppress(sqlite3.IntegrityError):
                target.execute(insert, row)
        reached_end = True
    return reached_end


def _rows(source: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    yield from source.execute(query)
