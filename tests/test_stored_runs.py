"""Runs that were stored on another day open, show, export and replay: every question has one.

The databases beside tests/stored_runs/make_every_question.py hold an answer to every question, as
each schema since has kept it; the other one is of a release before requests named roles. All were
answered by the bundled miniatures, where one of them can.
"""

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.api.question import Table
from explorer.cli import main
from explorer.questions import all_questions
from explorer.questions.former_names import name_today
from explorer.sessions.log.arrays import SMALL
from explorer.sessions.log.rows import MOST_ROWS
from explorer.sessions.read.comparing import difference
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema import migrations
from explorer.sessions.schema.database import connect_for_writing
from tests.hf import kept
from tests.stored_runs.make_every_question import ANSWERS, LABELS

FOLDER = Path(__file__).parent / "stored_runs"
DATABASES = sorted(FOLDER.glob("*.db"))
NEWEST = f"every-question-schema-{len(migrations.STEPS)}.db"
RUNS = [(path, run) for path in DATABASES for run in SessionReader(path).runs()]
SENTENCES = "the cat sat on the mat\nthe chef cooked a soup\n"
REFERENCE = FOLDER.parent / "reference"
OWN = {
    "answer_span": (ANSWERS, REFERENCE / "qa"),
    "token_labels": (LABELS, REFERENCE / "labels"),
}
"""What models of the reference answered: none was bundled for it then."""
TIMES = {"cost"}
"""Questions whose answer is how long something takes."""
COUNTED_ANEW = ("architecture", "multiply_adds")
"""A column that is counted otherwise since some of the runs were stored."""


@pytest.fixture
def stored(paths):
    """Puts a database where this test's profile has its own."""

    def put(path):
        paths.sessions.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(path, paths.sessions))

    return put


@pytest.fixture
def command(tmp_path, capsys):
    """The real command, in this test's profile; gives what it printed."""

    def run(*words):
        given = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        assert main([*given, *map(str, words)]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


def test_every_question_has_a_stored_answer():
    """A question that is new, or whose fields are, gets one: see make_every_question.py."""
    assert {run.operation for _, run in RUNS} == set(all_questions())


@pytest.mark.parametrize("path", DATABASES, ids=lambda path: path.stem)
def test_all_open_as_they_are_and_after_they_are_brought_up_to_date(stored, path):
    database = stored(path)
    before = database.read_bytes()
    reader = SessionReader(database)
    opened = {run.id: reader.run(run.id) for run in reader.runs()}
    assert database.read_bytes() == before
    connect_for_writing(database).close()
    for run_id, run in opened.items():
        again = reader.run(run_id)
        name = run.summary.operation
        assert run.unreadable == again.unreadable == "", name
        assert run.result is not None, name
        assert run.table == again.table, name
        assert run.request == again.request, name
        question = all_questions()[name]
        assert bool(run.summary_row) == (question.summary is not None), name
        assert run.summary_row == again.summary_row, name


@pytest.mark.parametrize("path", DATABASES, ids=lambda path: path.stem)
def test_the_rows_are_those_of_the_results(path):
    """What is kept, and what is made where nothing is kept, is what the question makes today."""
    reader = SessionReader(path)
    for summary in reader.runs():
        run = reader.run(summary.id)
        today = all_questions()[summary.operation].table(run.result)
        assert run.table.columns == today.columns, summary.operation
        assert len(run.table.rows) == len(today.rows), summary.operation


@pytest.mark.parametrize("path", DATABASES, ids=lambda path: path.stem)
def test_all_are_exported_one_by_one_and_together(stored, command, tmp_path, path):
    database = stored(path)
    reader = SessionReader(database)
    runs = [reader.run(run.id) for run in reader.runs()]
    for run in runs:
        target = tmp_path / "rows.csv"
        command("sessions", "export", run.summary.id, target)
        read = list(csv.reader(target.read_text("utf-8-sig").splitlines()))
        assert read[0] == list(run.table.columns)
        assert len(read) >= len(run.rows)
    for ending in ("csv", "json", "parquet"):
        told = json.loads(
            command("sessions", "export", "all", tmp_path / f"all.{ending}", "--json")
        )
        assert (told["runs"], told["skipped"]) == (len(runs), 0)
        assert told["rows"] == sum(max(1, len(run.rows)) for run in runs)


def test_large_answers_are_kept_without_their_rows_and_arrays_once():
    with closing(sqlite3.connect(f"file:{FOLDER / NEWEST}?immutable=1", uri=True)) as connection:
        kept = connection.execute(
            "SELECT operation, row_count, (SELECT count(*) FROM result_rows r"
            " WHERE r.run_id = runs.id), result FROM runs JOIN run_details ON run_id = id"
        ).fetchall()
    large = {name_today(question) for question, count, _, _ in kept if count > MOST_ROWS}
    assert {"query_key", "disentangled_attention"} <= large
    for question, count, rows, result in kept:
        assert rows == (0 if name_today(question) in large else count), question
        for written in re.findall('"base64":"([^"]*)"', result):
            assert len(written) < 4 * SMALL / 3 + 4, question


def is_between(path, run):
    """Whether the same was kept by an older schema and by a newer one: those are asked again."""
    same = [
        one.stem
        for one, other in RUNS
        if one.stem.startswith("every-question-") and other.operation == run.operation
    ]
    return path.stem in same and same[0] < path.stem < same[-1]


@pytest.mark.parametrize(
    ("path", "run"),
    [
        pytest.param(
            *(path, run),
            id=f"{path.stem}-{run.operation}-{run.id[-4:]}",
            marks=pytest.mark.costly if is_between(path, run) else (),
        )
        for path, run in RUNS
    ],
)
def test_each_is_shown_and_asked_again(stored, command, tmp_path, monkeypatch, path, run):
    kept.lend_to_commands(monkeypatch)
    database = stored(path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.txt").write_text(SENTENCES, "utf-8")
    if run.operation in OWN:
        name, folder = OWN[run.operation]
        shutil.copytree(folder, tmp_path / name)
    shown = command("sessions", "show", run.id)
    assert all_questions()[run.operation].title in shown
    told = json.loads(command("sessions", "replay", run.id, "--json"))
    assert told["run"] == run.id
    then, now = (SessionReader(database).run(one) for one in (run.id, told["replayed_as"]))
    models = then.models
    if run.operation in OWN:
        here = str(tmp_path / OWN[run.operation][0])
        models = {role: replace(stamp, id=here) for role, stamp in models.items()}
    assert now.models == models
    assert now.request == then.request
    assert now.table.columns == then.table.columns
    if run.operation not in TIMES:
        old, new = (without(one.table, run.operation) for one in (then, now))
        found = difference(old, new)
        # Another machine adds in another order; another answer differs by far more.
        assert found.changed == 0, found.sentence
        assert found.largest < 1e-3, found.sentence


def without(table, name):
    """A table without the column that is counted anew, where the question is the one."""
    question, column = COUNTED_ANEW
    if name != question:
        return table
    kept = [n for n, name in enumerate(table.columns) if name != column]
    assert len(kept) == len(table.columns) - 1
    rows = tuple(tuple(row[n] for n in kept) for row in table.rows)
    return Table(tuple(table.columns[n] for n in kept), rows)
