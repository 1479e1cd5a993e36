"""The database's schema as a list of steps that only ever grows.

A step that was released is never edited: what changes later is a new step at the end, so every
database ever written can be brought up to date. docs/sessions.md describes the outcome.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

MIGRATION_SET = "plm_explorer_sessions"
APPLICATION_ID = 0x504C4D45
"""Written into the file's header ("PLME"), so that another program's database is not taken
for one of ours."""


def m001_first_schema(db: Any) -> None:
    """Sessions, models, documents, runs, their details and their rows."""
    for statement in _FIRST_SCHEMA:
        db.execute(statement)


_FIRST_SCHEMA = (
    """CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at TEXT NOT NULL,
  program_version TEXT NOT NULL,
  python TEXT NOT NULL,
  platform TEXT NOT NULL
)""",
    """CREATE TABLE models (
  fingerprint TEXT PRIMARY KEY,
  checkpoint_id TEXT NOT NULL,
  family TEXT NOT NULL,
  first_seen_at TEXT NOT NULL
)""",
    """CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  pair TEXT,
  masks TEXT NOT NULL,
  json TEXT NOT NULL
)""",
    # Clustered by the ULID and kept slim, so that the newest runs lie together and a search
    # reads little; what is bulky is in run_details.
    """CREATE TABLE runs (
  id TEXT PRIMARY KEY NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  document_id TEXT NOT NULL REFERENCES documents(id),
  created_at TEXT NOT NULL,
  operation TEXT NOT NULL,
  headline TEXT NOT NULL,
  model_fingerprint TEXT REFERENCES models(fingerprint),
  model_id TEXT NOT NULL,
  family TEXT NOT NULL,
  device TEXT NOT NULL,
  dtype TEXT NOT NULL,
  seed INTEGER NOT NULL,
  duration REAL NOT NULL,
  failed INTEGER NOT NULL
) WITHOUT ROWID""",
    """CREATE TABLE run_details (
  run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  request TEXT NOT NULL,
  result TEXT,
  columns TEXT,
  versions TEXT NOT NULL,
  failure TEXT
)""",
    """CREATE TABLE result_rows (
  run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  cells TEXT NOT NULL,
  PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID""",
    "CREATE INDEX runs_by_operation ON runs (operation, id)",
    "CREATE INDEX runs_by_model ON runs (model_id, id)",
    "CREATE INDEX runs_by_fingerprint ON runs (model_fingerprint, id)",
    "CREATE INDEX runs_by_session ON runs (session_id, id)",
    "CREATE INDEX runs_by_document ON runs (document_id, id)",
    "CREATE INDEX runs_that_failed ON runs (id) WHERE failed = 1",
)

STEPS: tuple[Callable[[Any], None], ...] = (m001_first_schema,)
"""In the order they are applied. Append only."""

NAMES = tuple(step.__name__ for step in STEPS)


def applied(connection: sqlite3.Connection) -> frozenset[str]:
    """Names of the steps a database has been through; empty for a new one."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_sqlite_migrations'"
    if connection.execute(query).fetchone() is None:
        return frozenset()
    rows = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (MIGRATION_SET,)
    )
    return frozenset(name for (name,) in rows)


def apply(connection: sqlite3.Connection) -> None:
    """Bring a database up to date; the connection must be in a transaction of its own.

    sqlite-utils keeps the record of what was applied, so its own tools understand the file. It
    is imported here only, because a database that is up to date does not need it.
    """
    from sqlite_utils import Database, Migrations

    migrations = Migrations(MIGRATION_SET)
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(STEPS)}")
