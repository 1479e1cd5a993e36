"""A logged question means the same on another day, whichever slots its models lie in then.

The stored database is of the schema before requests named roles: its runs were asked by real
models with the student in A and its teacher in B, and with the discriminator in B.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from explorer.cli import main
from explorer.paths import Paths
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema import migrations
from explorer.sessions.schema.database import connect_for_writing
from tests.hf.kept import lend_to_commands

OLD = Path(__file__).parent / "stored_runs" / "two-models-schema-2.db"
TEACHER, STUDENT = "bert-miniature", "distilbert-miniature"
JUDGE, FILLER = "electra-miniature-discriminator", "electra-miniature-generator"
PLAYED = {
    "soft_targets": {"teacher": TEACHER, "student": STUDENT},
    "distillation_losses": {"teacher": TEACHER, "student": STUDENT},
    "two_models": {"teacher": STUDENT, "student": TEACHER},
    "masked_tokens": {"model": TEACHER},
    "compare_architectures": {"first": TEACHER},
    "architecture": {},
    "file_of_sentences": {"teacher": TEACHER, "student": STUDENT},
    "replaced_tokens": {"discriminator": JUDGE, "generator": FILLER},
    "many_draws": {"discriminator": JUDGE, "generator": FILLER},
    "weight_sharing": {"first": JUDGE, "second": FILLER},
}


def first_schema(path):
    """The same runs as the first schema keeps them: without the second models."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER run_forgotten")
        for view in ("run_list", "predictions", "timings", "failures"):
            connection.execute(f"DROP VIEW {view}")
        for table in ("run_search", "run_numbers", "run_models", "marks"):
            connection.execute(f"DROP TABLE {table}")
        second = (migrations.NAMES[1],)
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = ?", second)
        connection.execute("PRAGMA user_version = 1")
        connection.commit()


@pytest.fixture
def old(paths):
    paths.sessions.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(OLD, paths.sessions))


def called(run):
    """The question that a run was of then: another one answers it today."""
    if getattr(run.request, "what", "") == "words":
        return "two_models"
    if getattr(run.request, "level", "") == "tensors":
        return "weight_sharing"
    return run.summary.operation


def newest(reader, name):
    """The newest run of a question of then."""
    return next(run.id for run in reader.runs() if called(reader.run(run.id)) == name)


def played(database):
    reader = SessionReader(database)
    runs = [reader.run(summary.id) for summary in reader.runs()]
    assert [run.unreadable for run in runs] == [""] * len(PLAYED)
    return {called(run): {role: stamp.id for role, stamp in run.models.items()} for run in runs}


def requests(database):
    with closing(sqlite3.connect(database)) as connection:
        return dict(
            connection.execute(
                "SELECT operation, request FROM runs JOIN run_details ON run_id = id"
            )
        )


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The real command, in this test's profile."""
    lend_to_commands(monkeypatch)

    def run(*words):
        return main(["--profile", str(tmp_path / "profile"), "--device", "cpu", *words])

    return run


@pytest.mark.parametrize("schema", [1, 2])
def test_old_runs_open_with_their_roles_before_and_after_they_are_brought_up_to_date(old, schema):
    if schema == 1:
        first_schema(old)
    before = old.read_bytes()
    assert played(old) == PLAYED
    assert old.read_bytes() == before
    connect_for_writing(old).close()
    assert played(old) == PLAYED
    for question, request in requests(old).items():
        for role in ("teacher", "student", "discriminator", "generator"):
            assert role not in json.loads(request), question
            assert role not in json.loads(request).get("request", ""), question
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        (places,) = zip(
            *connection.execute(
                "SELECT group_concat(ordinal) FROM"
                " (SELECT * FROM run_models ORDER BY run_id, ordinal) GROUP BY run_id"
            ),
            strict=True,
        )
        assert set(places) == {"0", "0,1"}


@pytest.mark.parametrize(
    ("schema", "question"), [(1, "soft_targets"), (1, "many_draws"), *((2, o) for o in PLAYED)]
)
def test_an_old_run_is_asked_again_of_who_answered_it(
    old, schema, question, command, tmp_path, monkeypatch, capsys
):
    if schema == 1:
        first_schema(old)
    monkeypatch.chdir(tmp_path)
    sentences = "the cat sat on the mat\nthe chef cooked a soup\n"
    (tmp_path / "two.txt").write_text(sentences, "utf-8")
    reader = SessionReader(old)
    run_id = newest(reader, question)
    assert command("sessions", "replay", run_id, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    # Another machine adds in another order; exchanged models differ by far more.
    if question == "architecture":
        # Multiply-adds are counted otherwise since, and nothing else.
        changed = sum(
            old != new
            for run in [reader.run(run_id)]
            for row, other in zip(run.rows, reader.run(told["replayed_as"]).rows, strict=True)
            for name, old, new in zip(run.table.columns, row, other, strict=True)
            if name != "multiply_adds"
        )
        assert changed == 0, told
    else:
        assert told["changed_cells"] == 0, told
    assert told["largest_difference"] < 1e-3, told
    again = reader.run(told["replayed_as"])
    assert {role: stamp.id for role, stamp in again.models.items()} == PLAYED[question]
    assert again.models == reader.run(run_id).models
    # What was asked anew is asked again in the same way.
    assert command("sessions", "replay", again.summary.id, "--json") == 0
    assert json.loads(capsys.readouterr().out)["same"]


def test_showing_a_run_says_who_did_what(old, command, capsys):
    reader = SessionReader(old)
    run_id = newest(reader, "soft_targets")
    assert command("sessions", "show", run_id) == 0
    printed = capsys.readouterr().out
    assert f"teacher: {TEACHER}" in printed
    assert f"student: {STUDENT}" in printed


def test_a_model_that_is_gone_is_named_with_its_role(old, command, capsys):
    connect_for_writing(old).close()
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE run_models SET model_id = 'gone/student' WHERE role = 'student'")
        connection.commit()
    reader = SessionReader(old)
    run_id = newest(reader, "soft_targets")
    assert command("sessions", "replay", run_id) == 2
    assert "The student of this run, gone/student, can't be loaded" in capsys.readouterr().err


def test_a_pair_is_asked_again_from_the_command_line(paths, command, capsys):
    """Asked with the models named in either order, a run is what it was."""
    words = ["targets", "the chef [MASK] a soup", "--json"]
    for teacher, student in ((TEACHER, STUDENT), (STUDENT, TEACHER)):
        assert command(*words, "--teacher", teacher, "--student", student) == 0
    capsys.readouterr()
    reader = SessionReader(paths.sessions)
    runs = [reader.run(run.id) for run in reader.runs() if run.operation == "soft_targets"]
    assert [run.models["teacher"].id for run in runs] == [STUDENT, TEACHER]
    for run in runs:
        assert command("sessions", "replay", run.summary.id) == 0
        assert "The same answer" in capsys.readouterr().out


def test_the_bundled_models_are_those_of_the_stored_runs():
    """Where a miniature is trained anew, the stored answers are another model's."""
    reader = SessionReader(OLD)
    assert {stamp.id for run in reader.runs() for stamp in reader.run(run.id).models.values()} <= {
        folder.name for folder in Paths.standard().bundled_models.iterdir()
    }
