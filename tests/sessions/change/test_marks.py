"""Stars, notes and names are written behind the runs; what is let go is gone from the search."""

import sqlite3
from contextlib import closing

import pytest

from explorer.api.question import UserMistake
from explorer.sessions.change.marks import DAY_MILLISECONDS, Forget, Note, Rename, Star
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.read.searching import milliseconds_of


@pytest.fixture
def log(database):
    with SessionLog(database, "a morning") as opened:
        yield opened


@pytest.fixture
def reader(database):
    return SessionReader(database)


def test_a_star_is_put_on_a_run_in_the_order_they_came_and_taken_away(
    log, reader, samples, answers
):
    first = log.record(samples.fill_mask_run(), answers)
    log.change(Star(first, starred=True), answers)
    second = log.record(samples.tokenize_run(), answers)
    assert answers.take(3) == [None] * 3
    assert [run.id for run in reader.runs(RunFilter(starred=True))] == [first]
    assert [run.id for run in reader.runs(RunFilter(starred=False))] == [second]
    assert reader.run(first).summary.starred
    log.change(Star(first, starred=False), answers)
    assert answers.next() is None
    assert reader.runs(RunFilter(starred=True)) == []


def test_a_note_is_shown_and_found_and_changed(log, reader, samples, answers):
    run_id = log.record(samples.fill_mask_run(), answers)
    log.change(Note(run_id, "for the lecture on Tuesday"), answers)
    assert answers.take(2) == [None, None]
    (found,) = reader.runs(RunFilter("tuesday soup"))
    assert (found.id, found.note, found.starred) == (run_id, "for the lecture on Tuesday", False)
    log.change(Note(run_id, ""), answers)
    assert answers.next() is None
    assert reader.runs(RunFilter("tuesday")) == []
    assert reader.run(run_id).summary.note == ""


def test_a_mark_on_a_run_that_is_not_there_is_told_and_harms_nobody(log, reader, samples, answers):
    log.change(Star("01ARZ3NDEKTSV4RRFFQ69G5FAV", starred=True), answers)
    run_id = log.record(samples.fill_mask_run(), answers)
    refused, written = answers.take(2)
    assert "FOREIGN KEY" in refused
    assert written is None
    assert [run.id for run in reader.runs()] == [run_id]


def test_a_session_gets_another_name(log, reader, samples, answers):
    log.record(samples.fill_mask_run(), answers)
    log.change(Rename(log.session_id, "soups"), answers)
    assert answers.take(2) == [None, None]
    assert [session.name for session in reader.sessions()] == ["soups"]


def test_old_runs_are_let_go_but_for_those_with_a_mark(database, log, reader, samples, answers):
    old = [log.record(samples.fill_mask_run(f"{word} soup"), answers) for word in "abc"]
    log.change(Star(old[0], starred=True), answers)
    log.change(Note(old[1], "keep this"), answers)
    assert answers.take(5) == [None] * 5
    a_week_later = milliseconds_of(old[2]) + 7 * DAY_MILLISECONDS
    log.change(Forget(8, a_week_later), answers)
    assert answers.next() is None
    assert len(reader.runs()) == 3
    log.change(Forget(6, a_week_later), answers)
    assert answers.next() is None
    assert [run.id for run in reader.runs()] == [old[1], old[0]]
    assert [run.id for run in reader.runs(RunFilter("soup"))] == [old[1], old[0]]
    with closing(sqlite3.connect(database)) as connection:
        tables = ("documents", "run_details", "run_numbers", "run_search")
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        }
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert counts == dict.fromkeys(tables, 2)


def test_a_change_after_the_end_is_refused(database, answers):
    log = SessionLog(database)
    log.close()
    log.change(Star("x", starred=True), answers)
    assert "closed" in answers.next()


def test_a_day_that_is_none_is_the_user_s_mistake(log, reader, samples, answers):
    log.record(samples.fill_mask_run(), answers)
    assert answers.next() is None
    with pytest.raises(UserMistake, match="not a day"):
        reader.runs(RunFilter(since="yesterday"))


def test_the_models_of_a_comparison_come_back_with_their_roles(log, reader, samples, answers):
    from dataclasses import replace

    other = replace(samples.STAMP, id="distilbert-miniature", fingerprint="f" * 32)
    models = {"teacher": samples.STAMP, "student": other}
    run = replace(samples.fill_mask_run(), models=models)
    run_id = log.record(run, answers)
    assert answers.next() is None
    assert list(reader.run(run_id).models.items()) == list(models.items())
