"""Another database's runs are taken over once, with their marks, whatever its schema."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from explorer.api.question import MachineFault, UserMistake
from explorer.sessions.change.marks import Note, Star
from explorer.sessions.change.merging import Merged, merge
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def other(tmp_path, samples, answers):
    path = tmp_path / "other" / "sessions.db"
    with SessionLog(path, "elsewhere") as log:
        run_id = log.record(samples.fill_mask_run("elsewhere soup"), answers)
        log.record(samples.tokenize_run(), answers)
        log.change(Star(run_id, starred=True), answers)
        log.change(Note(run_id, "from the laptop"), answers)
    assert answers.take(4) == [None] * 4
    return path


def test_runs_sessions_and_marks_are_taken_over_once(database, other, samples, answers):
    with SessionLog(database, "here") as log:
        log.record(samples.fill_mask_run("soup here"), answers)
    before = other.read_bytes()
    assert merge(database, other) == Merged(2, 0, 1)
    assert merge(database, other) == Merged(0, 2, 0)
    assert other.read_bytes() == before
    reader = SessionReader(database)
    assert [run.text for run in reader.runs(RunFilter("soup"))] == ["soup here", "elsewhere soup"]
    (found,) = reader.runs(RunFilter("laptop"))
    assert (found.text, found.starred, found.note) == ("elsewhere soup", True, "from the laptop")
    whole = SessionReader(other).run(found.id)
    assert reader.run(found.id) == whole
    assert {session.name for session in reader.sessions()} == {"here", "elsewhere"}
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_the_mark_that_was_changed_last_stays(database, other, answers):
    merge(database, other)
    (run,) = SessionReader(database).runs(RunFilter(starred=True))
    with SessionLog(database) as log:
        log.change(Note(run.id, "changed here"), answers)
        log.change(Star(run.id, starred=False), answers)
    merge(database, other)
    (here,) = SessionReader(database).runs(RunFilter("changed here"))
    assert (here.note, here.starred) == ("changed here", False)
    merge(other, database)
    (there,) = SessionReader(other).runs(RunFilter("changed here"))
    assert not there.starred


@pytest.mark.parametrize("fixture", sorted(FIXTURES.glob("*.db")), ids=lambda path: path.stem)
def test_a_database_of_an_older_schema_is_taken_over_and_left_as_it_is(database, tmp_path, fixture):
    old = Path(shutil.copy(fixture, tmp_path / "old.db"))
    assert merge(database, old).runs == 3
    assert old.read_bytes() == fixture.read_bytes()
    assert [run.operation for run in SessionReader(database).runs()] == [
        "masked_tokens",
        "tokens",
        "masked_tokens",
    ]


def test_what_can_not_be_merged_is_refused_and_nothing_is_changed(database, other, tmp_path):
    merge(database, other)
    with pytest.raises(UserMistake, match="no file"):
        merge(database, tmp_path / "nowhere.db")
    with pytest.raises(UserMistake, match="itself"):
        merge(database, database)
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(MachineFault, match="another program"):
        merge(database, foreign)
    assert len(SessionReader(database).runs()) == 2


def test_a_merge_that_fails_half_way_leaves_nothing_behind(database, other, monkeypatch):
    def fails(*_):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("explorer.sessions.change.merging._index", fails)
    with pytest.raises(MachineFault):
        merge(database, other)
    assert SessionReader(database).runs() == []
