"""docs/sessions.md says what the database is, and its queries run."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from explorer.sessions.log.log import KEPT_BYTES, KEPT_RUNS
from explorer.sessions.schema import migrations
from explorer.sessions.schema.database import connect_for_writing

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sessions.md").read_text("utf-8")
FIXTURE = Path(__file__).parent / "fixtures" / f"schema-{len(migrations.STEPS)}.db"
QUERIES = re.findall(r"^```sql\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def connection(database):
    with closing(connect_for_writing(database)) as opened:
        yield opened


def test_the_documented_schema_is_the_real_one(connection):
    blocks = re.findall(r"^```sql schema\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    documented = re.findall(
        r"^CREATE .*?(?=^CREATE |\Z)", "".join(blocks), re.DOTALL | re.MULTILINE
    )
    real = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name <> '_sqlite_migrations'"
        " AND tbl_name NOT LIKE 'run_search!_%' ESCAPE '!'"
    )
    # The page has tables before views; in the file stands first what was made first.
    assert sorted(statement.strip() for statement in documented) == sorted(sql for (sql,) in real)


def test_every_column_is_explained_once(connection):
    database = Database(connection)
    real = [
        f"{table}.{column.name}"
        for table in database.table_names()
        if table != "_sqlite_migrations" and not table.startswith("run_search_")
        for column in database[table].columns
    ]
    real += [f"{view.name}.{column.name}" for view in database.views for column in view.columns]
    assert re.findall(r"^\| `(\w+\.\w+)` \|", PAGE, re.MULTILINE) == real


def test_the_numbers_are_the_programs(connection):
    assert f"keeps up to {KEPT_RUNS} runs ({KEPT_BYTES >> 20} MB) in memory" in PAGE
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    assert f"`application_id` 0x{application:X}" in PAGE


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_the_example_queries_find_something(tmp_path, query):
    path = shutil.copy(FIXTURE, tmp_path / "sessions.db")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(query).fetchall()
    assert rows
    assert None not in rows[0]


def test_there_are_examples():
    assert len(QUERIES) >= 5
    assert {"soup"} <= {
        word for query in QUERIES if "AS word\nFROM documents" in query for word in ask(query)
    }


def ask(query):
    with closing(sqlite3.connect(f"file:{FIXTURE.as_posix()}?immutable=1", uri=True)) as connection:
        return [word for (word,) in connection.execute(query)]
