"""What `over` keeps of a file: rows of one file alone, and one session for all its sentences."""

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from explorer.questions.many.file_of_sentences.rows import ResultsReader
from explorer.sessions.read.reader import SessionReader
from tests import warm_program

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0
pytestmark = pytest.mark.usefixtures("environment_is_put_back")


def rows_in(results):
    """How many rows are on disk, whatever else is not there yet."""
    for place in results.glob("*.results.db"):
        try:
            with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as database:
                return database.execute("SELECT count(*) FROM rows").fetchone()[0]
        except sqlite3.Error:
            return 0
    return 0


def test_rows_of_a_file_that_changes_are_never_mixed(profile, tmp_path, run):
    count = 8_000
    lines = [
        f"the cat number {each:05} liked the meal that the chef cooked." for each in range(count)
    ]
    path = tmp_path / "some.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    before = path.stat()
    process = warm_program.start(
        *("--profile", profile, "--device", "cpu", "over", path, "--ask", "tokens", "--no-log")
    )
    try:
        give_up = time.monotonic() + PATIENCE
        while not rows_in(profile / "data" / "results"):
            assert process.poll() is None, process.ended()
            assert time.monotonic() < give_up
            time.sleep(0.005)
        # As long as before, and the time of its change put back: nothing else betrays it.
        with path.open("r+", encoding="utf-8") as file:
            file.write("\n".join(line.replace("cat", "dog") for line in lines))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    except BaseException:
        process.kill()
        raise
    done = process.ended()
    assert done.returncode == 2, done
    assert "some.txt changed while it was read." in done.stderr
    (results,) = (profile / "data" / "results").glob("*.results.db")
    kept = [row[1] for row in ResultsReader(results).every()]
    assert 0 < len(kept) < count
    assert kept == lines[: len(kept)]

    few = len(kept) + 100
    path.write_text("\n".join(lines), encoding="utf-8")
    status, out, _ = run("over", path, "--ask", "tokens", "--no-log", "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["done"], found["results"]) == (count, str(results))
    assert [row[1] for row in ResultsReader(results).every()][:few] == lines[:few]


def test_a_file_s_answers_are_kept_in_one_session(profile, tmp_path, run):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(f"sentence number {each}." for each in range(25)), encoding="utf-8")
    status, _, err = run("over", path, "--ask", "tokens", "--keep-answers", "--no-log")
    assert (status, err) == (0, "")
    reader = SessionReader(profile / "data" / "sessions.db")
    (session,) = reader.sessions()
    assert (session.name, session.runs) == ("some.txt", 25)
    run("over", path, "--ask", "tokens", "--keep-answers", "--no-log")
    assert [one.runs for one in reader.sessions()] == [25]


def test_an_attention_that_a_model_has_not_is_told_before_anything_is_logged(run):
    status, out, err = run("attend", "the cat sat.", "--kind", "cross")
    assert (status, out) == (2, "")
    assert "has no cross attention. It has encoder." in err
    assert json.loads(run("sessions", "list", "--json")[1])["runs"] == []
    assert run("attend", "the cat sat.", "--kind", "encoder")[0] == 0
    assert len(json.loads(run("sessions", "list", "--json")[1])["runs"]) == 1
    # What fails otherwise is logged as ever.
    assert (
        run("attend", "the cat sat.", "--kind", "encoder", "--layer", "99", "--head", "0")[0] == 2
    )
    assert [one["failed"] for one in json.loads(run("sessions", "list", "--json")[1])["runs"]] == [
        True,
        False,
    ]
