"""The database's schema as a list of steps that only ever grows.

A step that was released is never edited: what changes later is a new step at the end, so every
database ever written can be brought up to date. docs/sessions.md describes the outcome.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from explorer.sessions.read.searching import TOKENIZER, make_all_findable
from explorer.sessions.schema.older_runs import give_roles

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


def m002_search_marks_and_second_models(db: Any) -> None:
    """Full-text search, stars and notes, the other models of a comparison, and views."""
    for statement in _SECOND_SCHEMA:
        db.execute(statement)
    make_all_findable(db.conn)


_SECOND_SCHEMA = (
    """CREATE TABLE marks (
  run_id TEXT PRIMARY KEY NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  starred INTEGER NOT NULL,
  note TEXT NOT NULL,
  changed_at TEXT NOT NULL
) WITHOUT ROWID""",
    """CREATE TABLE run_models (
  run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  fingerprint TEXT NOT NULL REFERENCES models(fingerprint),
  model_id TEXT NOT NULL,
  family TEXT NOT NULL,
  device TEXT NOT NULL,
  dtype TEXT NOT NULL,
  PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID""",
    """CREATE TABLE run_numbers (
  number INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE REFERENCES runs(id)
)""",
    f"""CREATE VIRTUAL TABLE run_search USING fts5(
  text, answer, note, tokenize = '{TOKENIZER}', prefix = '2 3 4 5 6 7'
)""",
    # Not by ON DELETE CASCADE: the number is needed to find the row of the search.
    """CREATE TRIGGER run_forgotten BEFORE DELETE ON runs BEGIN
  DELETE FROM run_search WHERE rowid = (SELECT number FROM run_numbers WHERE run_id = OLD.id);
  DELETE FROM run_numbers WHERE run_id = OLD.id;
END""",
    "CREATE INDEX marks_starred ON marks (run_id) WHERE starred = 1",
    """CREATE VIEW run_list AS
SELECT runs.id, runs.created_at, sessions.name AS session, runs.operation, runs.model_id,
  documents.text, documents.pair, runs.headline, runs.duration, runs.failed,
  coalesce(marks.starred, 0) AS starred, coalesce(marks.note, '') AS note
FROM runs
JOIN documents ON documents.id = runs.document_id
JOIN sessions ON sessions.id = runs.session_id
LEFT JOIN marks ON marks.run_id = runs.id""",
    """CREATE VIEW predictions AS
SELECT runs.id AS run_id, runs.created_at, runs.model_id, documents.text,
  json_extract(result_rows.cells, '$.mask') AS mask,
  json_extract(result_rows.cells, '$.rank') AS rank,
  json_extract(result_rows.cells, '$.word') AS word,
  json_extract(result_rows.cells, '$.probability') AS probability
FROM result_rows
JOIN runs ON runs.id = result_rows.run_id
JOIN documents ON documents.id = runs.document_id
WHERE runs.operation = 'fill_mask'""",
    """CREATE VIEW timings AS
SELECT operation, model_id, device, dtype, count(*) AS runs,
  min(duration) AS fastest, avg(duration) AS mean, max(duration) AS slowest
FROM runs WHERE failed = 0
GROUP BY operation, model_id, device, dtype""",
    """CREATE VIEW failures AS
SELECT runs.id AS run_id, runs.created_at, runs.operation, runs.model_id, documents.text,
  json_extract(run_details.failure, '$.blame') AS blame,
  json_extract(run_details.failure, '$.message') AS message,
  json_extract(run_details.failure, '$.hint') AS hint
FROM runs
JOIN run_details ON run_details.run_id = runs.id
JOIN documents ON documents.id = runs.document_id
WHERE runs.failed = 1""",
)


def m003_roles(db: Any) -> None:
    """Every model of a run with its role, and requests that name roles instead of slots."""
    db.execute("ALTER TABLE run_models ADD COLUMN role TEXT NOT NULL DEFAULT ''")
    give_roles(db.conn)


def m004_small_log(db: Any) -> None:
    """Large arrays beside the JSON, and few rows of large answers: what was kept stays as it is."""
    for statement in _FOURTH_SCHEMA:
        db.execute(statement)


_FOURTH_SCHEMA = (
    "ALTER TABLE run_details ADD COLUMN schema INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE run_details ADD COLUMN row_count INTEGER",
    "ALTER TABLE run_details ADD COLUMN summary TEXT",
    """CREATE TABLE result_arrays (
  run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  dtype TEXT NOT NULL,
  shape TEXT NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (run_id, ordinal)
)""",
    # It knew the columns of one question.
    "DROP VIEW IF EXISTS predictions",
    """CREATE VIEW summaries AS
SELECT runs.id AS run_id, runs.created_at, runs.operation, runs.model_id, documents.text,
  cell.key AS name, cell.value AS value
FROM runs
JOIN documents ON documents.id = runs.document_id
JOIN run_details ON run_details.run_id = runs.id
JOIN json_each(CASE WHEN json_valid(run_details.summary) THEN run_details.summary ELSE '{}' END)
  AS cell""",
)


def m005_headlines_in_any_language(db: Any) -> None:
    """What a headline is worded from, beside its English words; NULL in what is there."""
    db.execute("ALTER TABLE runs ADD COLUMN said TEXT")


STEPS: tuple[Callable[[Any], None], ...] = (
    m001_first_schema,
    m002_search_marks_and_second_models,
    m003_roles,
    m004_small_log,
    m005_headlines_in_any_language,
)
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
