"""`surprisal` and `over`, as a person or a script uses them."""

import csv
import json
import math
import re
import sqlite3
from contextlib import closing

import pytest

from explorer.api.question import MachineFault
from explorer.commands import over
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.written_rows import write_rows

TEXT = "the chef disentangled the meal."
LINES = ["the cat sat.", "the movie was great.", "", "the chef cooked the meal."]


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_json_and_csv_of_a_text(run, tmp_path):
    status, out, _ = run("surprisal", TEXT, "--json", "--csv", tmp_path / "o.csv", "--no-log")
    assert status == 0
    found = json.loads(out)
    logs = [one["log_probability"] for one in found["surprises"]]
    assert found["log_likelihood"] == pytest.approx(sum(logs))
    assert found["perplexity"] == pytest.approx(math.exp(-sum(logs) / len(logs)))
    rows = rows_of(tmp_path / "o.csv")
    assert [float(row["log_probability"]) for row in rows] == logs


def test_a_person_reads_it(run):
    status, out, _ = run("surprisal", TEXT, "--no-log")
    assert status == 0
    assert "pseudo-log-likelihood" in out
    assert "was expected" in out
    # A bar a token, and the word that was expected in place of one.
    assert re.search(r"█\s+expected \S+$", out, re.MULTILINE)
    assert "Every token was hidden from the model in turn" in " ".join(out.split())
    _, whole, _ = run("surprisal", TEXT, "--method", "whole-word", "--no-log")
    assert whole != out
    _, left, _ = run("surprisal", TEXT, "--model", "gpt2-miniature", "--no-log")
    assert "pseudo" not in left


def test_a_file(run, sentences, tmp_path):
    status, out, err = run(
        "surprisal", "--file", sentences, "--csv", tmp_path / "o.csv", "--no-log"
    )
    assert (status, err) == (0, "")
    assert "3 of 3 sentences" in out
    rows = rows_of(tmp_path / "o.csv")
    assert [row["line"] for row in rows] == ["1", "2", "4"]
    _, alone, _ = run("surprisal", LINES[1], "--json", "--no-log")
    expected = json.loads(alone)["log_likelihood"]
    assert float(rows[1]["pseudo-log-likelihood"]) == pytest.approx(expected, abs=1e-4)
    _, again, _ = run("surprisal", "--file", sentences, "--json", "--no-log")
    found = json.loads(again)
    assert (found["done"], found["count"], found["operation"]) == (3, 3, "surprisal")
    _, other, _ = run(
        "surprisal", "--file", sentences, "--method", "whole-word", "--json", "--no-log"
    )
    assert json.loads(other)["results"] != found["results"]


def test_any_question_of_a_file(run, sentences):
    status, out, err = run("over", sentences, "--ask", "masked_tokens", "--json", "--no-log")
    found = json.loads(out)
    # None has an answer: the run did not do what was asked of it.
    assert (status, found["done"], found["failed"]) == (2, 3, 3)
    assert "Nothing is masked." in found["failures"][0][2]
    status, _, err = run("over", sentences, "--ask", "masked_tokens", "--no-log")
    assert "3 sentences failed" in err
    sentences.write_text("the [MASK] sat on the [MASK].", encoding="utf-8")
    _, out, _ = run("over", sentences, "--ask", "masked_tokens", "--json", "--no-log")
    names = {spread["column"] for spread in json.loads(out)["spreads"]}
    assert {"masks", "probability 1", "entropy 2"} <= names


def test_stopped_by_the_keyboard(run, sentences, monkeypatch):
    from explorer.files_of_sentences.answering import Answering

    ask = Answering.steps

    def steps(self, some, context):
        yield from ask(self, some[:1], context)
        raise KeyboardInterrupt

    monkeypatch.setattr(Answering, "steps", steps)
    status, _, err = run("surprisal", "--file", sentences, "--no-log")
    assert status == 130
    assert "goes on from there" in err
    monkeypatch.undo()
    status, out, _ = run("surprisal", "--file", sentences, "--json", "--no-log")
    assert json.loads(out)["done"] == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("surprisal",), "Give a text, or a file"),
        (("surprisal", "x", "--file", "y.txt"), "Give a text, or a file"),
        (("surprisal", "--file", "gone.txt"), "can't be read"),
        (("surprisal", "--file", "gone.txt", "--column", "c"), "has no columns"),
        (("over", "y.txt", "--ask", "architecture"), "can't be asked about a file"),
    ],
)
def test_mistakes(run, arguments, words):
    status, out, err = run(*arguments, "--no-log")
    assert (status, out) == (2, "")
    assert words in err


def test_progress_is_for_terminals(capsys, monkeypatch):
    tell = over.TerminalProgress()
    tell("1 of 2", 1, 2)
    tell.end()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    tell = over.TerminalProgress()
    tell("1 of 2 sentences", 1, 2)
    tell("too soon", 2, 2)
    tell.end()
    assert capsys.readouterr().err == f"\r1 of 2 sentences\r{'':<16}\r"


def test_where_there_is_no_terminal_a_line_comes_now_and_then(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    tell = over.TerminalProgress()
    for done in range(130):
        now[0] += 1.0
        tell(f"{done} of 130 sentences", done, 130)
    tell.end()
    assert capsys.readouterr().err == ("60 of 130 sentences\n120 of 130 sentences\n")


def test_a_table_that_cannot_be_written(tmp_path):
    with pytest.raises(MachineFault, match="can't be written"):
        write_rows(tmp_path / "no folder" / "o.csv", ResultsReader(tmp_path / "gone"))


def test_every_answer_is_kept_in_a_session_of_the_file_s_name_and_asked_once(run, sentences):
    arguments = ("over", sentences, "--ask", "tokens", "--keep-answers", "--no-log")
    assert run(*arguments)[0] == 0
    assert run(*arguments)[0] == 0
    _, out, _ = run("sessions", "list", "--operation", "tokens", "--json")
    kept = json.loads(out)["runs"]
    assert [one["text"] for one in kept] == [line for line in LINES[::-1] if line]


@pytest.mark.parametrize("model", ["bert-miniature", "t5-miniature"])
def test_who_sees_both_sides_is_not_asked_from_left_to_right(run, sentences, profile, model):
    """By no way: a question, a short command, a file, a run of the log asked again."""
    asked = ("--method", "left-to-right", "--model", model)
    for words in (
        ("ask", "surprisal", TEXT),
        ("surprisal", TEXT),
        ("surprisal", "--file", sentences),
        ("over", sentences, "--ask", "surprisal"),
    ):
        status, out, err = run(*words, *asked)
        assert (status, out) == (2, ""), words
        assert err.count("sees both sides of a token") == 1, words
    assert run("ask", "surprisal", TEXT, "--model", model)[0] == 0
    with closing(sqlite3.connect(profile / "data" / "sessions.db")) as log, log:
        ((stored,),) = log.execute("SELECT run_id FROM run_details WHERE failure IS NULL")
        log.execute(
            "UPDATE run_details SET request = replace(request, 'original', 'left_to_right')"
        )
    status, _, err = run("sessions", "replay", stored)
    assert status == 2
    assert "sees both sides of a token" in err
