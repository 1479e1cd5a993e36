"""The log: what was told to be on disk is on disk, and nobody waits for it."""

import json
import os
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from explorer.api.question import Table
from explorer.sessions.log import log as log_module
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema.database import connect_for_writing

CHILD = """
import os, signal, sys
from pathlib import Path
from sample_runs import fill_mask_run
from explorer.sessions.log.log import SessionLog

count = int(sys.argv[2])
shown = []
log = SessionLog(Path(sys.argv[1]))

def show(sentence):
    assert sentence is None, sentence
    shown.append(ids[len(shown)])
    os.write(1, shown[-1].encode() + b"\\n")
    if len(shown) == count:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

ids = []
from threading import Lock
lock = Lock()
def on_written(sentence):
    with lock:
        show(sentence)

for i in range(count + 20):
    with lock:
        ids.append(log.record(fill_mask_run(f"number {i} soup"), on_written))
import time
time.sleep(60)
"""

WRITER = """
import sys
from pathlib import Path
from sample_runs import fill_mask_run
from explorer.sessions.log.log import SessionLog

with SessionLog(Path(sys.argv[1]), sys.argv[2]) as log:
    for i in range(50):
        log.record(fill_mask_run(f"{sys.argv[2]} {i} soup"), lambda s: s and print(s, flush=True))
"""


def count(database, table):
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.mark.timeout(120)
def test_killed_right_after_showing_nothing_is_lost(database, run_python):
    shown = []
    for number in (1, 9, 70, 120):
        process = run_python(CHILD, database, number)
        output, errors = process.communicate(timeout=60)
        assert process.returncode != 0, errors
        lines = output.decode().split()
        assert len(lines) == number, errors
        shown += lines
    assert len(shown) == 200
    reader = SessionReader(database)
    stored = {run.id for run in reader.runs(limit=1000)}
    assert stored.issuperset(shown)
    assert all(reader.run(run_id).result is not None for run_id in shown[::20])
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_run_can_be_read_the_moment_it_is_told(database, samples, answers):
    seen = []
    with SessionLog(database) as log:
        for number in range(5):
            written = threading.Event()
            run_id = log.record(
                samples.fill_mask_run(f"{number} soup"), lambda s, w=written: (answers(s), w.set())
            )
            assert written.wait(30)
            seen.append(SessionReader(database).run(run_id).document.text)
    assert seen == [f"{number} soup" for number in range(5)]
    assert answers.take(5) == [None] * 5


def test_the_call_returns_while_the_writer_is_held_up(database, samples, answers):
    """The caller is never behind the disk, however long that takes."""
    gate = threading.Event()

    def slow(path):
        gate.wait(30)
        return connect_for_writing(path)

    with SessionLog(database, connect=slow) as log:
        ids = [log.record(samples.fill_mask_run(), answers) for _ in range(20)]
        assert answers.empty
        gate.set()
        assert answers.take(20) == [None] * 20
    assert [run.id for run in SessionReader(database).runs()] == sorted(ids, reverse=True)
    assert ids == sorted(ids)


def test_memory_is_bounded_while_the_writer_is_held_up(database, samples, answers, monkeypatch):
    monkeypatch.setattr(log_module, "KEPT_RUNS", 3)
    gate, opening = threading.Event(), threading.Event()

    def slow(path):
        opening.set()
        gate.wait(30)
        return connect_for_writing(path)

    with SessionLog(database, connect=slow) as log:
        assert opening.wait(30)
        for _ in range(5):
            log.record(samples.fill_mask_run(), answers)
        gate.set()
        told = answers.take(5)
    assert told.count(None) == 3
    assert [sentence for sentence in told if sentence] == [
        "This run is not logged: too many others wait to be written."
    ] * 2
    assert count(database, "runs") == 3


def test_a_session_without_runs_leaves_no_row(database):
    SessionLog(database, "nothing asked").close()
    assert count(database, "sessions") == 0


def test_the_session_is_written_with_its_first_run(database, samples, answers):
    with SessionLog(database, "Tuesday") as log:
        log.record(samples.fill_mask_run(), answers)
        log.record(samples.tokenize_run(), answers)
        session_id = log.session_id
    (session,) = SessionReader(database).sessions()
    assert (session.id, session.name, session.runs) == (session_id, "Tuesday", 2)
    assert session.started_at.endswith("Z")


def test_the_same_content_is_stored_once(database, samples, answers):
    with SessionLog(database) as log:
        for _ in range(3):
            log.record(samples.fill_mask_run(), answers)
        other = replace(samples.STAMP, device="cuda:0", dtype="float16")
        log.record(samples.fill_mask_run(model=other), answers)
        log.record(samples.fill_mask_run("another soup"), answers)
    assert (count(database, "runs"), count(database, "documents")) == (5, 2)
    assert count(database, "models") == 1
    reader = SessionReader(database)
    devices = [reader.run(run.id).model.device for run in reader.runs()]
    assert devices == ["cpu", "cuda:0", "cpu", "cpu", "cpu"]


def test_rows_are_json_objects_in_the_tables_order(database, samples, answers):
    run = samples.fill_mask_run()
    with SessionLog(database) as log:
        log.record(run, answers)
    with closing(sqlite3.connect(database)) as connection:
        cells = [
            json.loads(text)
            for (text,) in connection.execute("SELECT cells FROM result_rows ORDER BY ordinal")
        ]
    assert [tuple(cell.values()) for cell in cells] == list(run.table.rows)
    assert tuple(cells[0]) == run.table.columns


def test_several_programs_write_to_one_database(database, run_python, samples, answers):
    first, second = (run_python(WRITER, database, name) for name in ("one", "two"))
    with SessionLog(database, "three") as log:
        for number in range(50):
            log.record(samples.fill_mask_run(f"three {number} soup"), answers)
        assert answers.take(50) == [None] * 50
    for process in (first, second):
        output, errors = process.communicate(timeout=60)
        assert (process.returncode, output) == (0, b""), errors
    reader = SessionReader(database)
    assert {session.name: session.runs for session in reader.sessions()} == {
        "one": 50,
        "two": 50,
        "three": 50,
    }


def two_columns_of_one_name(run):
    table = Table(("word", "word"), (("a", "b"),))
    return replace(run, question=replace(run.question, table=lambda _: table))


def unknown_object(run):
    return replace(run, request=object())


def half_a_character(run):
    return replace(run, document=replace(run.document, text="\ud800"))


def number_beyond_sqlite(run):
    return replace(run, seed=2**70)


@pytest.mark.parametrize(
    "spoil",
    [two_columns_of_one_name, unknown_object, half_a_character, number_beyond_sqlite],
)
def test_a_run_that_cannot_be_stored_is_answered_and_holds_nobody_up(
    database, samples, answers, spoil
):
    good = samples.fill_mask_run()
    with SessionLog(database) as log:
        for run in (good, spoil(good), good):
            log.record(run, answers)
        before, spoilt, after = answers.take(3)
        assert log.problem == ""
    told = sorted((before, spoilt, after), key=lambda sentence: sentence is not None)
    assert told[:2] == [None, None]
    assert told[2].startswith("This run is not logged: something in it can't be stored")
    assert count(database, "runs") == 2
    assert count(database, "result_rows") == 2 * len(good.table.rows)


def test_a_listener_that_fails_does_not_stop_the_log(database, samples, answers, expect_log):
    expect_log("ERROR explorer.sessions.log.waiting: A listener of the session log failed")

    def broken(_sentence):
        raise RuntimeError("the window is gone")

    with SessionLog(database) as log:
        log.record(samples.fill_mask_run(), broken)
        log.record(samples.fill_mask_run(), answers)
        assert answers.next() is None
    assert count(database, "runs") == 2


def test_after_closing_a_run_is_answered_but_not_written(database, samples, answers):
    log = SessionLog(database)
    log.close()
    log.close()
    log.record(samples.fill_mask_run(), answers)
    assert answers.next() == "This run is not logged: the session log is closed."
    assert count(database, "runs") == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows does not let go of an open file")
def test_a_database_that_was_deleted_is_begun_again(database, samples, answers):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("old soup"), answers)
        assert answers.next() is None
        for file in list(database.parent.iterdir()):
            file.unlink()
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
    assert [run.text for run in SessionReader(database).runs()] == ["new soup"]
    assert len(SessionReader(database).sessions()) == 1


def test_while_idle_the_write_ahead_log_is_moved_into_the_database(
    database, samples, answers, monkeypatch
):
    monkeypatch.setattr(log_module, "IDLE_SECONDS", 0.01)
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("moved soup"), answers)
        assert answers.next() is None
        deadline = time.monotonic() + 30
        while b"moved soup" not in database.read_bytes() and time.monotonic() < deadline:
            time.sleep(0.005)
        assert b"moved soup" in database.read_bytes()


CLOCK_SET_BACK = """
import sys
from pathlib import Path
import sample_runs
from explorer.sessions.log import log as module
moment = [int(sys.argv[2])]
def clock():
    moment[0] += int(sys.argv[3])
    return moment[0]
module.now_milliseconds = clock
told = []
with module.SessionLog(Path(sys.argv[1])) as log:
    import threading
    log.opened.wait(20)
    for number in range(5):
        done = threading.Event()
        log.record(sample_runs.fill_mask_run(f"{sys.argv[4]}{number} soup"), lambda _: done.set())
        done.wait(20)
"""


def test_a_clock_that_jumps_does_not_turn_the_order_around(database, run_python):
    late, early = 1_900_000_000_000, 1_700_000_000_000
    for start, step, name in ((late, 10, "a"), (early, 10, "b"), (early, -10, "c")):
        process = run_python(CLOCK_SET_BACK, database, start, step, name)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    reader = SessionReader(database)
    expected = [f"{name}{number} soup" for name in "abc" for number in range(5)][::-1]
    assert [run.text for run in reader.runs()] == expected
    assert [run.text for run in reader.runs(RunFilter("soup"))] == expected
