"""What `over` keeps of a file: rows of one file alone, and one session for all its sentences."""

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from explorer.files_of_sentences.rows import ResultsReader
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


LINES = "".join(f"the chef cooked the meal number {each}.\n" for each in range(4))


@pytest.fixture
def four(tmp_path):
    path = tmp_path / "four.txt"
    path.write_text(LINES, encoding="utf-8")
    return path


def logged(profile, question):
    return [
        one
        for one in SessionReader(profile / "data" / "sessions.db").runs()
        if one.operation == question
    ]


def test_no_more_answers_are_kept_than_are_asked_for(profile, four, run):
    asked = ("over", four, "--ask", "tokens", "--keep-answers", "--no-log")
    assert run(*asked, "--limit", "1")[0] == 0
    (one,) = logged(profile, "tokens")
    assert (
        SessionReader(profile / "data" / "sessions.db").run(one.id).document.text
        == LINES.splitlines()[0]
    )
    assert run(*asked, "--limit", "3")[0] == 0
    assert len(logged(profile, "tokens")) == 3
    assert run(*asked)[0] == 0
    assert len(logged(profile, "tokens")) == 4


def test_another_setting_is_another_question_whose_answers_are_kept_too(profile, four, run):
    asked = ("over", four, "--ask", "surprisal", "--keep-answers", "--no-log", "--limit", "2")
    for settings, kept in (
        ((), 2),
        (("--method", "whole-word"), 4),
        (("--method", "whole-word"), 4),
    ):
        assert run(*asked, *settings)[0] == 0
        assert len(logged(profile, "surprisal")) == kept
    reader = SessionReader(profile / "data" / "sessions.db")
    methods = [reader.run(one.id).request.method.value for one in logged(profile, "surprisal")]
    assert sorted(methods) == ["original", "original", "whole_word", "whole_word"]


@pytest.mark.parametrize("models", [(), ("--models", "bert-miniature,gpt2-miniature")])
def test_fewer_sentences_are_summed_up_alone_though_more_were_answered(four, run, tmp_path, models):
    asked = ("over", four, "--ask", "surprisal", "--no-log", "--json", *models)
    first = json.loads(run(*asked, "--limit", "1")[1])
    whole = json.loads(run(*asked)[1])
    table = tmp_path / "rows.csv"
    again = json.loads(run(*asked, "--limit", "1", "--csv", table)[1])
    each = 2 if models else 1
    assert (whole["count"], whole["done"]) == (4 * each, 4 * each)
    assert (again["count"], again["done"]) == (each, each)
    assert again == first
    assert len(table.read_text("utf-8-sig").splitlines()) == 1 + each
    assert json.loads(run(*asked)[1]) == whole
    told = run("over", four, "--ask", "surprisal", "--no-log", "--limit", "1", *models)[1]
    assert told.count("1 of 1 sentences") == each


def test_a_second_model_is_refused_where_one_is_asked(four, run):
    status, _, err = run(
        "over", four, "--ask", "surprisal", "--second", "gpt2-miniature", "--no-log"
    )
    assert status == 2
    assert "--second is for questions that compare two models." in err


@pytest.mark.parametrize("models", [(), ("--models", "bert-miniature,gpt2-miniature")])
def test_a_place_that_is_not_there_is_said_before_anything_is_answered(
    profile, four, run, tmp_path, models
):
    place = tmp_path / "nonexistent" / "x.csv"
    for command in (("over", four, "--ask", "tokens"), ("ask", "tokens", "the chef")):
        status, out, err = run(*command, "--csv", place, *models)
        assert (status, out) == (1, "")
        assert f"the folder {place.parent} does not exist" in err
        assert not list((profile / "data" / "results").glob("*.db"))
        assert not (profile / "data" / "sessions.db").exists()
    kept = tmp_path / "kept.csv"
    kept.write_text("mine", "utf-8")
    run("over", tmp_path / "none.txt", "--csv", kept)
    assert [one.name for one in tmp_path.glob("*.csv*")] == ["kept.csv"]
    assert kept.read_text("utf-8") == "mine"
