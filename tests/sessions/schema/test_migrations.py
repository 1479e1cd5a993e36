"""The schema: made, recognised, refused when newer or foreign; the stored first one still opens."""

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from explorer.api.question import MachineFault
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema import migrations
from explorer.sessions.schema.database import connect_for_reading, connect_for_writing

FIXTURES = Path(__file__).parents[1] / "fixtures"


def schema(connection):
    return sorted(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql)


def test_a_new_database_has_the_whole_schema(database):
    with closing(connect_for_writing(database)) as connection:
        tables = Database(connection).table_names()
        # What FTS5 keeps beside its table is its own affair.
        assert [name for name in tables if not name.startswith("run_search_")] == [
            "_sqlite_migrations",
            "sessions",
            "models",
            "documents",
            "runs",
            "run_details",
            "result_rows",
            "marks",
            "run_models",
            "run_numbers",
            "run_search",
            "result_arrays",
        ]
        assert migrations.applied(connection) == set(migrations.NAMES)
        pragmas = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "user_version")
        }
    normal = 1
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": normal,
        "foreign_keys": 1,
        "user_version": len(migrations.STEPS),
    }


def test_opening_again_changes_nothing(database):
    with closing(connect_for_writing(database)) as connection:
        before = schema(connection)
    with closing(connect_for_writing(database)) as connection:
        assert schema(connection) == before


def test_many_programs_may_begin_it_at_once(database):
    errors = []

    def begin():
        try:
            connect_for_writing(database).close()
        except (sqlite3.Error, MachineFault) as error:
            errors.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT name FROM _sqlite_migrations").fetchall()
    assert rows == [(name,) for name in migrations.NAMES]


def test_a_step_that_fails_leaves_nothing_behind(database, monkeypatch):
    def m999_breaks(db):
        db.execute("CREATE TABLE half_done (id TEXT)")
        raise RuntimeError("broken step")

    connect_for_writing(database).close()
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, m999_breaks))
    monkeypatch.setattr(migrations, "NAMES", (*migrations.NAMES, "m999_breaks"))
    with pytest.raises(RuntimeError, match="broken step"):
        connect_for_writing(database)
    monkeypatch.undo()
    with closing(connect_for_writing(database)) as connection:
        assert not Database(connection)["half_done"].exists()


def newer_by_name(connection):
    connection.execute(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, '')",
        (migrations.MIGRATION_SET, "m999_from_the_future"),
    )


def newer_by_number(connection):
    connection.execute(f"PRAGMA user_version = {len(migrations.STEPS) + 1}")


@pytest.mark.parametrize("make_newer", [newer_by_name, newer_by_number])
@pytest.mark.parametrize("connect", [connect_for_writing, connect_for_reading])
def test_a_newer_database_is_refused(database, make_newer, connect):
    with closing(connect_for_writing(database)) as connection:
        make_newer(connection)
    with pytest.raises(MachineFault, match="newer version") as refusal:
        connect(database)
    assert "Update the program" in refusal.value.hint


@pytest.mark.parametrize("connect", [connect_for_writing, connect_for_reading])
def test_another_programs_database_is_refused_and_left_alone(tmp_path, connect):
    path = tmp_path / "history.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(MachineFault, match="belongs to another program"):
        connect(path)
    assert path.read_bytes() == before


def test_a_database_without_the_mark_in_its_header_is_recognised(
    database, tmp_path, samples, answers
):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run(), answers)
    restored = tmp_path / "restored.db"
    # As after a dump: SQL alone does not carry the header.
    with closing(sqlite3.connect(database)) as old:
        old.execute("VACUUM INTO ?", (str(restored),))
    with closing(sqlite3.connect(restored)) as new:
        new.execute("PRAGMA application_id = 0")
    with SessionLog(restored) as log:
        log.record(samples.tokenize_run(), answers)
    assert answers.take(2) == [None, None]
    assert [run.operation for run in SessionReader(restored).runs()] == ["tokens", "masked_tokens"]


@pytest.fixture(params=sorted(FIXTURES.glob("schema-*.db")), ids=lambda path: path.stem)
def old_database(request, tmp_path):
    return Path(shutil.copy(request.param, tmp_path / "sessions.db"))


def test_stored_databases_open_are_brought_up_to_date_and_read(
    old_database, samples, answers, tmp_path
):
    with SessionLog(old_database) as log:
        log.record(samples.fill_mask_run("a new run in the old file, soup"), answers)
        assert answers.next() is None
        assert log.problem == ""
    with closing(connect_for_writing(tmp_path / "new.db")) as new:
        expected = schema(new)
    with closing(sqlite3.connect(old_database)) as connection:
        assert schema(connection) == expected
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    reader = SessionReader(old_database)
    newest, *stored = reader.runs()
    assert newest.text == "a new run in the old file, soup"
    assert [run.operation for run in stored] == ["masked_tokens", "tokens", "masked_tokens"]
    failed, korean, soup = (reader.run(run.id) for run in stored)
    assert soup.models == failed.models == {"model": samples.STAMP}
    assert soup.result == samples.fill_mask_run().result
    assert soup.document == samples.fill_mask_run().document
    assert korean.request == samples.tokenize_run().request
    assert failed.failure == samples.failed_run().failure
    assert failed.result is None
