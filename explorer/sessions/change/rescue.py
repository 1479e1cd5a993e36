"""Taking what can still be read out of a damaged database."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from explorer.api.question import MachineFault, UserMistake
from explorer.files.temporary import prefix
from explorer.sessions.change.merging import merge
from explorer.sessions.change.pages import DatabasePages, Record
from explorer.sessions.log.identity import content_hash, is_ulid
from explorer.sessions.read.searching import make_all_findable
from explorer.sessions.schema.database import connect_for_writing
from explorer.sessions.schema.older_runs import give_roles
from explorer.text import N_

LARGEST = 256 * 1024 * 1024
"""Bytes up to which the program rescues by itself, while runs wait; beyond, it is asked to."""

_INCOMPLETE = (
    "DELETE FROM runs WHERE document_id NOT IN (SELECT id FROM documents)"
    " OR session_id NOT IN (SELECT id FROM sessions)"
    " OR id NOT IN (SELECT run_id FROM run_details)"
    " OR model_fingerprint NOT IN (SELECT fingerprint FROM models)"
)
_ORPHANS = tuple(
    f"DELETE FROM {table} WHERE run_id NOT IN (SELECT id FROM runs)"  # noqa: S608
    for table in ("run_details", "result_rows", "result_arrays", "run_models", "marks")
)


def rescue(damaged: Path, database: Path) -> int:
    """Take every run that is whole in a damaged database over into another.

    The file is read page by page, so that what is left of it counts, not what SQLite can still
    reach. A run counts as whole with its document, its session and its details; rows of its
    table that are lost are lost.

    Returns:
        How many runs were taken over.

    Raises:
        UserMistake: There is no such file.
        MachineFault: It can't be read, or the other database can't be written.
    """
    if not damaged.is_file():
        raise UserMistake(
            N_("There is no file {damaged}."), N_("Name a session database."), damaged=damaged
        )
    with tempfile.TemporaryDirectory(prefix=prefix("rescue")) as folder:
        whole = Path(folder) / "rescued.db"
        with closing(connect_for_writing(whole)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("BEGIN")
            try:
                _copy(damaged, connection)
            except OSError as error:
                raise MachineFault(
                    N_("{damaged} can't be read ({strerror})."),
                    N_("Check that you may read it."),
                    damaged=damaged,
                    strerror=error.strerror or error,
                ) from error
            for statement in (_INCOMPLETE, *_ORPHANS):
                connection.execute(statement)
            give_roles(connection)
            make_all_findable(connection)
            connection.execute("COMMIT")
        return merge(database, whole).runs


def _copy(damaged: Path, target: sqlite3.Connection) -> None:
    columns = {
        table: [str(row[1]) for row in target.execute(f"PRAGMA table_info({table})")]
        for table in (*_OF_TABLES, *_OF_INDEXES)
    }
    with DatabasePages(damaged) as pages:
        for is_table, record in pages.records():
            table = _table_of(record, is_table=is_table)
            if table is None or len(record) > len(columns[table]):
                continue
            # A row that is older than a column has its default.
            names = ", ".join(columns[table][: len(record)])
            places = ", ".join("?" * len(record))
            with contextlib.suppress(sqlite3.IntegrityError):
                target.execute(
                    f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({places})",  # noqa: S608
                    record,
                )


def _table_of(record: Record, *, is_table: bool) -> str | None:
    """Whose row it is, by what it holds: what says so in the file may be lost."""
    known = _OF_TABLES if is_table else _OF_INDEXES
    for table, (fewest, fits) in known.items():
        if len(record) >= fewest and fits(record):
            return table
    return None


def _is_object(cell: Any) -> bool:
    return isinstance(cell, str) and cell.startswith("{")


def _is_moment(cell: Any) -> bool:
    return isinstance(cell, str) and cell[10:11] == "T" and cell.endswith("Z")


# The fewest cells a row of each table has, and what is true of them.
_OF_TABLES: dict[str, tuple[int, Callable[[Record], bool]]] = {
    "run_details": (6, lambda r: is_ulid(r[0]) and _is_object(r[1]) and _is_object(r[4])),
    "result_arrays": (
        5,
        lambda r: is_ulid(r[0]) and isinstance(r[1], int) and isinstance(r[4], bytes),
    ),
    "sessions": (6, lambda r: is_ulid(r[0]) and _is_moment(r[2])),
    "documents": (
        5,
        lambda r: isinstance(r[4], str) and len(r[4]) > 1 and r[0] == content_hash(r[4]),
    ),
    "models": (4, lambda r: isinstance(r[0], str) and _is_moment(r[3])),
}
_OF_INDEXES: dict[str, tuple[int, Callable[[Record], bool]]] = {
    "runs": (14, lambda r: is_ulid(r[0]) and is_ulid(r[1]) and _is_moment(r[3])),
    "run_models": (7, lambda r: is_ulid(r[0]) and isinstance(r[1], int)),
    "marks": (4, lambda r: is_ulid(r[0]) and isinstance(r[1], int) and _is_moment(r[3])),
    "result_rows": (3, lambda r: is_ulid(r[0]) and isinstance(r[1], int) and _is_object(r[2])),
}
