"""What is whole in a damaged database is taken over, by itself and on demand."""

import sqlite3
from contextlib import closing

import pytest

from explorer.api.question import UserMistake
from explorer.sessions.change.rescue import rescue
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader

RUNS = 300
PAGE = 4096


@pytest.fixture
def filled(database, samples, answers):
    with SessionLog(database, "before") as log:
        for number in range(RUNS):
            log.record(samples.fill_mask_run(f"number{number} soup"), answers)
        assert answers.take(RUNS) == [None] * RUNS
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database


def spoil(database, table):
    """Overwrite one page in the middle of a table."""
    with closing(sqlite3.connect(database)) as connection:
        pages = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (table,)
        ).fetchall()
    content = bytearray(database.read_bytes())
    middle = pages[len(pages) // 2][0]
    content[(middle - 1) * PAGE : middle * PAGE] = b"\xa5" * PAGE
    database.write_bytes(content)


def has_dbstat():
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("SELECT 1 FROM dbstat LIMIT 1")
        except sqlite3.OperationalError:
            return False
    return True


needs_dbstat = pytest.mark.skipif(not has_dbstat(), reason="this SQLite was built without dbstat")


@needs_dbstat
@pytest.mark.parametrize("table", ["runs", "run_details", "result_rows", "documents"])
def test_everything_around_the_damage_is_taken_over(filled, tmp_path, table, samples):
    spoil(filled, table)
    target = tmp_path / "new" / "sessions.db"
    saved = rescue(filled, target)
    reader = SessionReader(target)
    listed = reader.runs(limit=RUNS)
    assert len(listed) == saved
    assert RUNS * 0.7 < saved <= RUNS
    texts = {run.text for run in listed}
    assert {"number0 soup", f"number{RUNS - 1} soup"} <= texts
    last = reader.run(reader.runs(RunFilter(f"number{RUNS - 1}"))[0].id)
    assert last.result == samples.fill_mask_run(f"number{RUNS - 1} soup").result
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@needs_dbstat
def test_the_log_rescues_by_itself_and_says_how_much(filled, samples, answers, problems):
    spoil(filled, "runs")
    with SessionLog(filled, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
        log.check()
        told = problems.next()
        log.record(samples.fill_mask_run("newest soup"), answers)
        assert answers.next() is None
    assert "could be read from the damaged one and are in the new one." in told
    listed = SessionReader(filled).runs(limit=2 * RUNS)
    assert len(listed) > RUNS * 0.7
    assert [run.text for run in listed[:2]] == ["newest soup", "new soup"]
    assert len(list(filled.parent.glob("sessions-corrupt-*.db"))) == 1


def test_a_sound_database_is_left_as_it_is(filled, samples, answers, problems):
    with SessionLog(filled, problem_changed=problems) as log:
        log.check()
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
        assert log.problem == ""
    assert len(SessionReader(filled).runs(limit=2 * RUNS)) == RUNS + 1


def test_a_sound_database_is_taken_over_whole(filled, tmp_path):
    assert rescue(filled, tmp_path / "sessions.db") == RUNS


def test_a_file_that_is_not_there_is_the_user_s_mistake(database, tmp_path):
    with pytest.raises(UserMistake, match="no file"):
        rescue(tmp_path / "gone.db", database)
