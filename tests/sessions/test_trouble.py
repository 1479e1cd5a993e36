"""A full disk, a locked, damaged, newer or read-only database: said, survived, made good."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from explorer.api.question import MachineFault
from explorer.sessions.log import log as log_module
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema import database as database_module
from explorer.sessions.schema.database import connect_for_writing

CAN_MOUNT = sys.platform == "linux" and hasattr(os, "geteuid") and os.geteuid() == 0
FULL = "can't be written: the disk is full. Free some space"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 600 kB; only the administrator of a Linux machine can make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if not CAN_MOUNT or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


class LimitedPages:
    """Opens a database that may not grow beyond a number of pages: SQLite's own full disk."""

    def __init__(self, pages):
        self.pages = pages

    def __call__(self, path):
        connection = connect_for_writing(path)
        connection.execute(f"PRAGMA max_page_count = {self.pages}")
        return connection


def fill(folder):
    """Write until the file system has no room left."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        error = None
        while error is None:
            try:
                file.write(b"x" * 4096)
            except OSError as refusal:
                error = refusal
    assert error.errno == errno.ENOSPC
    return ballast


def texts(path):
    return [run.text for run in SessionReader(path).runs(limit=5000)][::-1]


def test_runs_that_did_not_fit_are_kept_and_written_in_order(database, samples, answers, problems):
    connect_for_writing(database).close()
    limit = LimitedPages(1)  # SQLite takes the present size for a limit below it
    with SessionLog(database, problem_changed=problems, connect=limit) as log:
        told = []
        for number in range(60):
            log.record(samples.fill_mask_run(f"{number:03} soup"), answers)
            told.append(answers.next())
        assert FULL in told[-1]
        assert told[-1] == log.problem == problems.next()
        failed = len(told) - told.index(told[-1])
        assert told == [None] * (60 - failed) + [told[-1]] * failed
        limit.pages = 100_000
        log.record(samples.fill_mask_run("at last soup"), answers)
        assert answers.next() is None
        assert problems.next() == ""
        assert log.problem == ""
    assert texts(database) == [f"{number:03} soup" for number in range(60)] + ["at last soup"]
    assert answers.empty


def test_a_real_disk_that_is_full_and_then_is_not(small_disk, samples, answers, problems):
    database = small_disk / "sessions.db"
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("first soup"), answers)
        assert answers.next() is None
        ballast = fill(small_disk)
        number = 0
        while log.problem == "":
            log.record(samples.fill_mask_run(f"{number:03} soup"), answers)
            sentence = answers.next()
            number += 1
            assert number < 500
        assert FULL in sentence
        assert problems.next() == sentence
        ballast.unlink()
        log.retry()
        assert problems.next() == ""
    assert texts(database) == ["first soup", *(f"{i:03} soup" for i in range(number))]
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_disk_that_is_full_from_the_beginning(small_disk, samples, answers, problems):
    ballast = fill(small_disk)
    with SessionLog(small_disk / "sessions.db", problem_changed=problems) as log:
        assert FULL in problems.next()
        log.record(samples.fill_mask_run("kept soup"), answers)
        assert FULL in answers.next()
        ballast.unlink()
        log.record(samples.fill_mask_run("next soup"), answers)
        assert answers.next() is None
    assert texts(small_disk / "sessions.db") == ["kept soup", "next soup"]


def test_no_more_runs_are_kept_than_memory_allows(
    database, samples, answers, problems, monkeypatch
):
    monkeypatch.setattr(log_module, "KEPT_RUNS", 3)
    broken = [True]

    def connect(path):
        if broken[0]:
            raise OSError(28, "No space left on device")
        return connect_for_writing(path)

    with SessionLog(database, connect=connect, problem_changed=problems) as log:
        problems.next()
        for number in range(5):
            log.record(samples.fill_mask_run(f"{number} soup"), answers)
            assert FULL in answers.next()
        assert problems.take(2)[-1] == log.problem
        assert log.problem.endswith("Runs that no longer fit in memory and are lost: 2.")
        broken[0] = False
        log.retry()
        assert problems.next() == ""
    assert texts(database) == ["2 soup", "3 soup", "4 soup"]


def test_large_runs_that_wait_are_bounded_by_their_size(
    database, samples, answers, problems, monkeypatch
):
    monkeypatch.setattr(log_module, "KEPT_BYTES", 50_000)
    broken = [True]

    def connect(path):
        if broken[0]:
            raise sqlite3.OperationalError("cannot be reached")
        return connect_for_writing(path)

    with SessionLog(database, connect=connect) as log:
        for number in range(10):
            log.record(samples.fill_mask_run(f"{number} {'x' * 5000} soup"), answers)
        answers.take(10)
        broken[0] = False
    assert 0 < len(texts(database)) < 4
    assert texts(database)[-1].startswith("9 x")


def test_closing_is_the_last_attempt(database, samples, answers, problems):
    broken = [True]

    def connect(path):
        if broken[0]:
            raise sqlite3.OperationalError("cannot be reached")
        return connect_for_writing(path)

    log = SessionLog(database, connect=connect)
    log.record(samples.fill_mask_run(), answers)
    assert "cannot be reached" in answers.next()
    broken[0] = False
    log.close()
    assert len(texts(database)) == 1


def test_a_locked_database_is_waited_for_and_then_said(
    database, samples, answers, problems, monkeypatch
):
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("one soup"), answers)
        assert answers.next() is None
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            log.record(samples.fill_mask_run("two soup"), answers)
            assert "is locked by another program. Close what else" in answers.next()
            other.execute("ROLLBACK")
        log.record(samples.fill_mask_run("three soup"), answers)
        assert answers.next() is None
        assert [bool(problems.next()), problems.next()] == [True, ""]
    assert texts(database) == ["one soup", "two soup", "three soup"]


def test_a_file_that_is_no_database_is_set_aside(database, samples, answers, problems):
    database.parent.mkdir()
    database.write_bytes(b"This is not a database. " * 100)
    with SessionLog(database, problem_changed=problems) as log:
        notice = problems.next()
        log.record(samples.fill_mask_run(), answers)
        assert answers.next() is None
        assert log.problem == notice
    (aside,) = database.parent.glob("sessions-corrupt-*.db")
    assert aside.read_bytes().startswith(b"This is not a database.")
    assert notice == (
        f"The session database was damaged: it is kept as {aside.name},"
        " and a new one was begun as sessions.db. No run could be read from the damaged one."
    )
    assert len(texts(database)) == 1


def spoil_pages(database):
    """Overwrite every page but the first, as a failing disk might."""
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    database.write_bytes(content)


def test_damage_found_while_writing_loses_no_run(database, samples, answers, problems):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("old soup"), answers)
        assert answers.next() is None
    spoil_pages(database)
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
        assert "was damaged: it is kept as sessions-corrupt-" in log.problem
    assert texts(database) == ["new soup"]
    assert len(list(database.parent.glob("sessions-corrupt-*.db"))) == 1


def test_a_database_another_program_already_replaced_is_not_set_aside_again(
    database, samples, answers, problems
):
    """This program's connection saw the damage, but the file is sound by now."""
    calls = []

    def connect(path):
        calls.append(path)
        if len(calls) == 1:
            error = sqlite3.DatabaseError("file is not a database")
            error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
            raise error
        return connect_for_writing(path)

    connect_for_writing(database).close()
    with SessionLog(database, connect=connect) as log:
        log.record(samples.fill_mask_run(), answers)
        assert answers.next() is None
        assert log.problem == ""
    assert [path.name for path in database.parent.glob("*.db")] == ["sessions.db"]


def test_a_newer_database_is_left_alone_and_the_program_works(database, samples, answers, problems):
    with closing(connect_for_writing(database)) as connection:
        connection.execute("PRAGMA user_version = 1000")
    before = database.read_bytes()
    with SessionLog(database, problem_changed=problems) as log:
        assert "was written by a newer version of this program. Update" in problems.next()
        run_id = log.record(samples.fill_mask_run(), answers)
        assert len(run_id) == 26
        assert answers.next() == log.problem
    assert database.read_bytes() == before


def test_a_folder_in_the_place_of_the_database(database, samples, answers, problems):
    database.mkdir(parents=True)
    with SessionLog(database, problem_changed=problems) as log:
        assert "can't be written (unable to open database file). Check" in problems.next()
        log.record(samples.fill_mask_run(), answers)
        assert answers.next() == log.problem


def test_a_file_in_the_place_of_the_folder(tmp_path, problems):
    (tmp_path / "data").write_text("a file")
    with SessionLog(tmp_path / "data" / "sessions.db", problem_changed=problems):
        assert "can't be written" in problems.next()


def test_a_read_only_disk(small_disk, samples, answers, problems):
    database = small_disk / "sessions.db"
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("old soup"), answers)
        assert answers.next() is None
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run(), answers)
        assert "can't be written (" in answers.next()
        assert "may write to it, or choose another file" in log.problem
    assert texts(database) == ["old soup"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write anywhere"
)
def test_a_read_only_folder(database, samples, answers):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("old soup"), answers)
        assert answers.next() is None
    database.chmod(0o400)
    database.parent.chmod(0o500)
    try:
        with SessionLog(database) as log:
            log.record(samples.fill_mask_run(), answers)
            assert "can't be written" in answers.next()
        assert texts(database) == ["old soup"]
    finally:
        database.parent.chmod(0o700)


def test_reading_a_damaged_database_says_so(database, samples, answers):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run(), answers)
    spoil_pages(database)
    with pytest.raises(MachineFault, match=r"sessions\.db is damaged"):
        SessionReader(database).runs()


def test_a_copy_is_read_while_another_program_writes(database, samples, answers, tmp_path):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("copied soup"), answers)
        assert answers.next() is None
        copy = tmp_path / "copy #1 100%.db"
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
    assert texts(copy) == ["copied soup"]
    shutil.copy(copy, tmp_path / "다른 이름.db")
    assert texts(tmp_path / "다른 이름.db") == ["copied soup"]
