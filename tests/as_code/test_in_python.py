"""Every question has a program that asks it; one process runs them all, and compares."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.api.question import Table
from explorer.questions import all_questions
from explorer.sessions.read.comparing import difference
from explorer.sessions.read.reader import SessionReader
from tests.test_stored_runs import OWN, RUNS, SENTENCES, TIMES, without

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(600)


def newest():
    """A stored run of each question, of the newest schema that it was stored in."""
    known = [one for one in RUNS if "-schema-" in one[0].stem]
    known.sort(key=lambda one: one[0].stem[-1])
    return {run.operation: (path, run) for path, run in known}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder = tmp_path_factory.mktemp("snippets")
    (folder / "two.txt").write_text(SENTENCES, "utf-8")
    for name, reference in OWN.values():
        shutil.copytree(reference, folder / name)
    runs = [(str(path), run.id) for path, run in newest().values()]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.as_code.snippets", str(folder / "profile"), json.dumps(runs)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=580,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_every_question_has_a_program(told):
    assert set(told) == set(all_questions())
    for name, one in told.items():
        assert one["same request"], one["program"]
        assert one["printed"].strip(), name
        ast.parse(one["program"])


def test_their_numbers_are_those_of_the_answer(told):
    for name, (path, run) in newest().items():
        columns, rows = tuple(told[name]["columns"]), told[name]["rows"]
        now = Table(columns, tuple(map(tuple, rows)))
        if name not in TIMES:
            again = Table(columns, tuple(map(tuple, told[name]["again"])))
            same = difference(again, now)
            assert (same.changed, same.largest <= 1e-6) == (0, True), f"{name}: {same.sentence}"
            then = SessionReader(path).run(run.id).table
            found = difference(without(then, name), without(now, name))
            # Another machine adds in another order.
            assert (found.changed, found.largest < 1e-3) == (0, True), f"{name}: {found.sentence}"
