"""Damaged and foreign session databases, through the commands a person types."""

import csv
import json
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from explorer import cli
from explorer.document import Document
from explorer.sessions.change.marks import Note
from explorer.sessions.log.log import SessionLog
from tests import warm_program

ROOT = Path(__file__).resolve().parents[2]
RUNS = 300
PAGE = 4096
pytestmark = pytest.mark.usefixtures("environment_is_put_back")


@pytest.fixture
def profile(tmp_path):
    return tmp_path / "profile"


@pytest.fixture
def sessions(profile, capsys):
    """`sessions` on the profile: its exit status, its standard output and error."""

    def call(*arguments):
        capsys.readouterr()
        status = cli.main(["--profile", str(profile), "sessions", *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.out, said.err

    return call


@pytest.fixture(scope="module")
def written(samples, tmp_path_factory):
    """A log of many runs, written once, and their ids, oldest first."""
    path, told = tmp_path_factory.mktemp("written") / "many.db", []
    with SessionLog(path, "before") as log:
        runs = (samples.fill_mask_run(f"number{each} soup") for each in range(RUNS))
        ids = [log.record(run, told.append) for run in runs]
    assert told == [None] * RUNS
    return path, ids


@pytest.fixture
def many(written):
    """Puts that log somewhere; gives the ids."""

    def put(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(written[0], path)
        return written[1]

    return put


def logged(path, samples, answers, number, word="number"):
    """A log of so many runs; the ids, oldest first."""
    with SessionLog(path, "before") as log:
        ids = [
            log.record(samples.fill_mask_run(f"{word}{each} soup"), answers)
            for each in range(number)
        ]
    assert answers.take(number) == [None] * number
    return ids


def changed(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement, values in statements:
            assert connection.execute(statement, values).rowcount > 0
        connection.commit()


def root_of(path, table):
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return connection.execute(query, (table,)).fetchone()[0]


def test_the_command_line_tells_of_a_damaged_log_where_it_is_and_what_was_rescued(
    profile, sessions, many, capsys
):
    database = profile / "data" / "sessions.db"
    many(database)
    content = bytearray(database.read_bytes())
    page = root_of(database, "runs")
    content[(page - 1) * PAGE : page * PAGE] = b"\xa5" * PAGE
    database.write_bytes(content)

    words = ("--profile", str(profile), "fill", "--json", "I liked the [MASK]")
    done = warm_program.run(*words)
    assert done.returncode == 0
    json.loads(done.stdout)
    (aside,) = database.parent.glob("sessions-corrupt-*.db")
    assert "The session database was damaged" in done.stderr
    assert aside.name in done.stderr
    assert str(aside.parent) in done.stderr
    _, out, _ = sessions("list", "--limit", 2 * RUNS, "--json")
    runs = json.loads(out)["runs"]
    assert runs[0]["text"] == "I liked the [MASK]"
    rescued = len(runs) - 1
    assert rescued > RUNS * 0.9
    assert f"{rescued:,} runs could be read from the damaged one" in done.stderr

    assert cli.main(words) == 0
    assert "damaged" not in capsys.readouterr().err


def with_a_tail(path):
    """Make the file a third longer, with pages that hold no run."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tail (filler BLOB)")
        connection.execute("INSERT INTO tail VALUES (zeroblob(?))", (path.stat().st_size // 2,))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tail'")
        return (before.fetchone()[0] - 1) * PAGE


def test_every_run_whose_pages_are_there_is_rescued_from_a_file_that_is_cut(
    tmp_path, sessions, many
):
    original = tmp_path / "original.db"
    many(original)
    end = with_a_tail(original)
    content = original.read_bytes()
    assert end < len(content) * 0.8
    steps = 5
    lengths = [end + (len(content) - end) * step // steps for step in range(steps)]
    for length in lengths:
        cut = tmp_path / f"cut-{length}.db"
        cut.write_bytes(content[:length])
        fresh = tmp_path / f"fresh-{length}"
        status, out, _ = sessions("rescue", cut, "--json", "--profile", fresh)
        assert (status, json.loads(out)["runs"]) == (0, RUNS)
        _, out, _ = sessions("search", f"number{RUNS - 1}", "--json", "--profile", fresh)
        assert [run["text"] for run in json.loads(out)["runs"]] == [f"number{RUNS - 1} soup"]


@pytest.mark.parametrize("percent", [25, 40, 55, 70, 85, 95])
def test_a_file_that_is_cut_among_the_runs_gives_those_before_the_cut(
    tmp_path, sessions, many, percent
):
    original = tmp_path / "original.db"
    many(original)
    content = original.read_bytes()
    cut = tmp_path / "cut.db"
    cut.write_bytes(content[: len(content) * percent // 100])
    status, out, _ = sessions("rescue", cut, "--json")
    # The rows of one run are spread over pages that fill at different times.
    assert status == 0
    assert RUNS * percent / 100 - 30 < json.loads(out)["runs"] <= RUNS
    status, out, _ = sessions("list", "--limit", RUNS, "--json")
    texts = [run["text"] for run in json.loads(out)["runs"]]
    known = [f"number{each} soup" for each in reversed(range(RUNS))]
    assert texts == [text for text in known if text in set(texts)]


@pytest.mark.parametrize("begin", [b"\0" * PAGE, b"\xa5" * 100, b""])
def test_a_file_without_its_beginning_is_rescued_too(tmp_path, sessions, many, begin):
    original = tmp_path / "original.db"
    many(original)
    content = original.read_bytes()
    spoilt = tmp_path / "spoilt.db"
    spoilt.write_bytes(begin + content[len(begin) :])
    status, out, _ = sessions("rescue", spoilt, "--json")
    assert (status, json.loads(out)["runs"]) == (0, RUNS)


def test_runs_that_are_still_in_the_write_ahead_log_are_rescued(
    tmp_path, sessions, samples, answers
):
    original = tmp_path / "original.db"
    held = SessionLog(original, "before")
    try:
        for each in range(RUNS):
            held.record(samples.fill_mask_run(f"number{each} soup"), answers)
        assert answers.take(RUNS) == [None] * RUNS
        # As a kill leaves it: the database, and next to it what was not moved into it yet.
        cut = tmp_path / "cut.db"
        content = bytearray(original.read_bytes())
        content[:100] = b"\xa5" * 100
        cut.write_bytes(content)
        (tmp_path / "cut.db-wal").write_bytes((tmp_path / "original.db-wal").read_bytes())
    finally:
        held.close()
    status, out, _ = sessions("rescue", cut, "--json")
    assert (status, json.loads(out)["runs"]) == (0, RUNS)


def test_what_was_deleted_is_not_rescued(tmp_path, sessions, many):
    original = tmp_path / "original.db"
    ids = many(original)
    changed(
        original,
        ("DELETE FROM run_details WHERE run_id <= ?", (ids[199],)),
        ("DELETE FROM result_rows WHERE run_id <= ?", (ids[199],)),
        ("DELETE FROM runs WHERE id <= ?", (ids[199],)),
    )
    status, out, _ = sessions("rescue", original, "--json")
    assert (status, json.loads(out)["runs"]) == (0, RUNS - 200)


NAMES = (
    ("runs", "id"),
    ("run_details", "run_id"),
    ("result_rows", "run_id"),
    ("run_numbers", "run_id"),
)


def renamed(path, old, new):
    """Give a run another id everywhere."""
    changed(
        path,
        *((f"UPDATE {table} SET {name} = ? WHERE {name} = ?", (new, old)) for table, name in NAMES),
    )


FOREIGN = (
    *("7" + "Z" * 25, "8" + "0" * 25, "0" * 25 + "U", "é" * 26),
    *("not an id", "", "0123456789ABCDEFGHJKMNPQR!"),
)


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_run_of_a_foreign_id_is_refused_told_and_stops_nothing(
    tmp_path, profile, sessions, samples, answers, problems, foreign
):
    other = tmp_path / "other.db"
    ids = logged(other, samples, answers, 3)
    renamed(other, ids[1], foreign)
    status, out, err = sessions("merge", other)
    assert status == 0
    assert "2 runs and 1 sessions are taken over; 0 runs were here already." in out
    assert "Refused: 1 run, for an id that this program does not give." in err
    database = profile / "data" / "sessions.db"
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
    assert problems.empty
    _, out, _ = sessions("list", "--json")
    assert [run["text"] for run in json.loads(out)["runs"]] == [
        "new soup",
        "number2 soup",
        "number0 soup",
    ]
    assert sessions("merge", other, "--json")[1].count('["for an id') == 1


def test_a_foreign_id_that_was_taken_by_an_older_version_does_not_stop_the_log(
    profile, sessions, samples, answers, problems
):
    database = profile / "data" / "sessions.db"
    ids = logged(database, samples, answers, 3)
    renamed(database, ids[2], "7" + "Z" * 25)
    with SessionLog(database, problem_changed=problems) as log:
        log.record(samples.fill_mask_run("new soup"), answers)
        assert answers.next() is None
    assert problems.empty
    _, out, _ = sessions("search", "new", "--json")
    assert [run["text"] for run in json.loads(out)["runs"]] == ["new soup"]


@pytest.mark.parametrize(
    ("statement", "is_skipped"),
    [
        ("UPDATE run_details SET columns = '3' WHERE run_id = ?", True),
        ("UPDATE run_details SET columns = '{{\"a\": 1}}' WHERE run_id = ?", True),
        ("UPDATE documents SET text = CAST(text AS BLOB) {of_its_text}", False),
        ("UPDATE documents SET pair = x'ff00' {of_its_text}", False),
    ],
    ids=["columns a number", "columns a table", "text of bytes", "pair of bytes"],
)
def test_a_value_of_another_kind_hides_no_other_run(
    profile, tmp_path, sessions, samples, answers, statement, is_skipped
):
    database = profile / "data" / "sessions.db"
    ids = logged(database, samples, answers, 3)
    changed(database, (statement.format(of_its_text=OF_ITS_TEXT), (ids[1],)))
    status, out, _ = sessions("list", "--json")
    assert status == 0
    assert [run["id"] for run in json.loads(out)["runs"]] == ids[::-1]
    status, out, _ = sessions("search", "soup", "--json")
    assert (status, len(json.loads(out)["runs"])) == (0, 3)
    status, out, _ = sessions("export", "all", tmp_path / "all.csv", "--json")
    assert status == 0
    assert json.loads(out)["skipped"] == is_skipped


OF_ITS_TEXT = "WHERE id = (SELECT document_id FROM runs WHERE id = ?)"
BROKEN = {
    "cells": "UPDATE result_rows SET cells = '[1' WHERE run_id = ?",
    "cells_of_another_kind": "UPDATE result_rows SET cells = '[1]' WHERE run_id = ?",
    "columns": "UPDATE run_details SET columns = '{\"a\":' WHERE run_id = ?",
    "versions": "UPDATE run_details SET versions = '[]' WHERE run_id = ?",
    "failure": "UPDATE run_details SET failure = 'x' WHERE run_id = ?",
    "request": "UPDATE run_details SET request = '{' WHERE run_id = ?",
    "no_utf8": "UPDATE run_details SET columns = CAST(x'ff22' AS TEXT) WHERE run_id = ?",
    "headline": "UPDATE runs SET headline = CAST(x'ff' AS TEXT) WHERE id = ?",
    "duration": "UPDATE runs SET duration = 'long' WHERE id = ?",
    "seed": "UPDATE runs SET seed = 'x' WHERE id = ?",
    "details": "DELETE FROM run_details WHERE run_id = ?",
    "session": "UPDATE runs SET session_id = 'nobody' WHERE id = ?",
    "masks": f"UPDATE documents SET masks = '[', json = '{{' {OF_ITS_TEXT}",
    "other_text": f"UPDATE documents SET text = 'x', json = '{{\"text\":\"x\"}}' {OF_ITS_TEXT}",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_run_is_refused_and_the_others_are_taken(
    tmp_path, sessions, samples, answers, kind
):
    other = tmp_path / "other.db"
    ids = logged(other, samples, answers, 3)
    changed(other, (BROKEN[kind], (ids[1],)))
    status, out, err = sessions("merge", other)
    assert status == 0
    assert "2 runs" in out
    assert "Refused: 1 run, " in err
    assert ("under the name of another" if kind == "other_text" else "damaged") in err
    status, out, _ = sessions("list", "--json")
    assert [run["text"] for run in json.loads(out)["runs"]] == ["number2 soup", "number0 soup"]
    assert sessions("export", "all", tmp_path / "all.csv")[0] == 0


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_an_export_of_all_skips_a_broken_run_and_counts_it(
    tmp_path, profile, sessions, samples, answers, ending
):
    ids = logged(profile / "data" / "sessions.db", samples, answers, 3)
    changed(profile / "data" / "sessions.db", (BROKEN["cells"], (ids[1],)))
    target = tmp_path / f"all.{ending}"
    status, out, err = sessions("export", "all", target, "--json")
    assert status == 0
    assert json.loads(out) == {"file": str(target), "runs": 2, "rows": 8, "skipped": 1}
    assert "1 runs were skipped" in err
    if ending == "csv":
        rows = list(csv.DictReader(target.read_text("utf-8-sig").splitlines()))
        assert {row["text"] for row in rows} == {"number0 soup", "number2 soup"}


@pytest.mark.parametrize("kind", ["cells", "columns", "versions", "masks", "no_utf8"])
def test_a_broken_run_that_is_here_is_told_in_a_sentence(profile, sessions, samples, answers, kind):
    database = profile / "data" / "sessions.db"
    ids = logged(database, samples, answers, 3)
    changed(database, (BROKEN[kind], (ids[1],)))
    status, _, err = sessions("show", ids[1])
    assert status == 1
    assert f"What is stored of the run {ids[1]} is damaged" in err
    status, out, _ = sessions("list", "--json")
    assert (status, len(json.loads(out)["runs"])) == (0, 3)


def test_a_foreign_mark_does_not_spoil_a_run_that_is_here(
    tmp_path, profile, sessions, samples, answers
):
    database = profile / "data" / "sessions.db"
    ids = logged(database, samples, answers, 1)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", (str(tmp_path / "other.db"),))
    with SessionLog(tmp_path / "other.db") as log:
        log.change(Note(ids[0], "from there"), answers)
        assert answers.next() is None
    spoil = "UPDATE marks SET note = CAST(x'ff' AS TEXT), starred = 'x'"
    changed(tmp_path / "other.db", (spoil, ()))
    assert sessions("merge", tmp_path / "other.db")[0] == 0
    status, out, _ = sessions("show", ids[0], "--json")
    assert status == 0
    assert json.loads(out)["document"]["text"] == Document("number0 soup").text


def test_a_foreign_database_that_claims_to_be_ours_is_told(tmp_path, sessions, samples, answers):
    other = tmp_path / "other.db"
    logged(other, samples, answers, 1)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("ALTER TABLE run_details RENAME COLUMN versions TO editions")
    status, _, err = sessions("merge", other)
    assert status == 1
    assert str(other) in err
    endless = tmp_path / "endless.db"
    logged(endless, samples, answers, 1)
    with closing(sqlite3.connect(endless)) as connection:
        connection.execute("ALTER TABLE runs RENAME TO some_runs")
        connection.execute(
            "CREATE VIEW runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT s.* FROM n JOIN some_runs s"
        )
    status, _, err = sessions("merge", endless)
    assert status == 1
    assert "is not a session database" in err
    content = bytearray(other.read_bytes())
    content[28:32] = struct.pack(">I", 10_000)
    damaged = tmp_path / "cut.db"
    damaged.write_bytes(content[: PAGE * 12])
    status, _, err = sessions("merge", damaged)
    assert status == 1
    assert str(damaged) in err
