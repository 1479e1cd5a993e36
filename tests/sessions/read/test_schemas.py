"""Requests and results carry a number: older ones are brought up to date, newer ones are told."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace

import pytest

from explorer.api.question import Asks, Headline, MachineFault, Question, Table
from explorer.cli import main
from explorer.document import Document
from explorer.questions import former_names
from explorer.sessions.export import provenance as export
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun


@dataclass(frozen=True)
class FirstAsked(Asks, question="counting"):
    text: str


@dataclass(frozen=True)
class FirstAnswer:
    words: str


@dataclass(frozen=True)
class Asked(Asks, question="counting"):
    text: str
    number: int


@dataclass(frozen=True)
class Answer:
    words: tuple[str, ...]
    total: int


def count_asked(request, _result):
    request["number"] = 3


def split_words(_request, result):
    if result is not None:
        result["words"] = result["words"].split()


def add_total(_request, result):
    if result is not None:
        result["total"] = len(result["words"])


def fails(_request, _result):
    raise LookupError("no such field")


FIRST = Question(
    "counting", "Counting", "How many?", FirstAsked, FirstAnswer, lambda *_: None,
    lambda result: Table(("words",), ((result.words,),)),
    summary=lambda result: {"words": result.words}, headline=lambda _result: Headline(""),
)  # fmt: skip
NOW = replace(
    FIRST,
    request=Asked,
    result=Answer,
    table=lambda result: Table(("word",), tuple((word,) for word in result.words)),
    summary=lambda result: {"total": result.total},
    upgrades=(count_asked, split_words, add_total),
)


@pytest.fixture
def known(monkeypatch):
    """Chooses what this program knows of the question."""

    def choose(question):
        for module in (former_names, export):
            monkeypatch.setattr(module, "all_questions", lambda: {"counting": question})

    return choose


@pytest.fixture
def stored(paths, answers):
    """Logs an answer of a question and returns its id."""

    def store(question, answer):
        text = Document("three small words")
        asked = FirstAsked(text.text) if question is FIRST else Asked(text.text, 3)
        with SessionLog(paths.sessions) as log:
            run_id = log.record(LoggedRun(question, text, asked, answer), answers)
        assert answers.next() is None
        return run_id

    return store


def test_the_number_counts_the_upgrades():
    assert (FIRST.schema, NOW.schema) == (1, 4)


def test_an_older_answer_is_brought_up_to_date(paths, stored, known):
    run_id = stored(FIRST, FirstAnswer("three small words"))
    known(NOW)
    run = SessionReader(paths.sessions).run(run_id)
    assert run.unreadable == ""
    assert run.request == Asked("three small words", 3)
    assert run.result == Answer(("three", "small", "words"), 3)
    # What was kept of it stays as it was kept.
    assert run.table == Table(("words",), (("three small words",),))
    assert run.summary_row == {"words": "three small words"}
    # One step less for what was stored in between.
    with closing(sqlite3.connect(paths.sessions)) as connection:
        connection.execute(
            "UPDATE run_details SET schema = 3,"
            """ result = '{"words":["a","b"]}', request = '{"text":"x","number":9}'"""
        )
        connection.commit()
    run = SessionReader(paths.sessions).run(run_id)
    assert (run.request, run.result) == (Asked("x", 9), Answer(("a", "b"), 2))


def test_an_upgrade_that_fails_is_told(paths, stored, known):
    run_id = stored(FIRST, FirstAnswer("three small words"))
    known(replace(NOW, upgrades=(fails,)))
    run = SessionReader(paths.sessions).run(run_id)
    assert "schema 1 can't be brought to 2: no such field" in run.unreadable
    assert run.rows == (("three small words",),)


def test_a_newer_answer_is_told_and_rows_and_summary_show(
    paths, stored, known, tmp_path, monkeypatch, capsys
):
    run_id = stored(NOW, Answer(("three", "small", "words"), 3))
    known(FIRST)
    run = SessionReader(paths.sessions).run(run_id)
    assert run.unreadable.startswith(
        "This run was stored by a newer version of the program (schema 4 of counting; this one"
        " knows 1)"
    )
    assert (run.request, run.result) == (None, None)
    assert run.rows == (("three",), ("small",), ("words",))
    assert run.summary_row == {"total": 3}

    def command(*words):
        return main(["--profile", str(tmp_path / "profile"), *map(str, words)])

    assert command("sessions", "show", run_id) == 0
    shown = capsys.readouterr().out
    assert run.unreadable in shown
    assert "small" in shown
    assert command("sessions", "export", run_id, tmp_path / "rows.csv") == 0
    assert "small" in (tmp_path / "rows.csv").read_text("utf-8")
    capsys.readouterr()
    assert command("sessions", "replay", run_id) == 2
    assert "newer version" in capsys.readouterr().err


def test_a_newer_answer_of_many_rows_shows_its_summary(paths, stored, known, tmp_path, capsys):
    run_id = stored(NOW, Answer(tuple(f"w{n}" for n in range(600)), 600))
    known(NOW)
    assert len(SessionReader(paths.sessions).run(run_id).rows) == 600
    known(FIRST)
    run = SessionReader(paths.sessions).run(run_id)
    assert (run.table, run.summary_row) == (None, {"total": 600})
    profile = ["--profile", str(tmp_path / "profile")]
    assert main([*profile, "sessions", "show", run_id]) == 0
    shown = capsys.readouterr().out
    assert "newer version" in shown
    assert "total" in shown
    assert "600" in shown
    assert main([*profile, "sessions", "export", run_id, str(tmp_path / "rows.csv")]) == 2
    assert "newer version" in capsys.readouterr().err


@pytest.mark.parametrize("schema", ["0", "-1", "'x'"])
def test_a_number_that_is_none_is_damage(paths, stored, known, schema):
    run_id = stored(NOW, Answer(("three",), 1))
    known(NOW)
    with closing(sqlite3.connect(paths.sessions)) as connection:
        connection.execute(f"UPDATE run_details SET schema = {schema}")
        connection.commit()
    with pytest.raises(MachineFault, match="damaged"):
        SessionReader(paths.sessions).run(run_id)
