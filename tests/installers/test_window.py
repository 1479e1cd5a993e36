"""The bundle's window, played by a script that writes the log as the program does."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from explorer.installers.bare import window
from explorer.installers.bare.debian import Root
from explorer.installers.failures import CheckFailure
from tests.installers.test_bare import dump_of

FIRST = "CREATE TABLE runs (headline, failed, created_at)"
ANSWERS = """
import sqlite3, sys, time
from pathlib import Path
root = Path(sys.argv[1])
print("drawing", flush=True)
with sqlite3.connect(root / sys.argv[2]) as log:
    log.execute("INSERT INTO runs VALUES ('meal', 0, '2')")
log.close()
while not (root / "tmp/close").exists():
    time.sleep(0.01)
sys.exit(int(sys.argv[3]))
"""
FAILS = "print('no display'); raise SystemExit(9)"


class Screen(Root):
    """Its window is a script of this machine."""

    script = ANSWERS
    status = 0

    def start(self, command, environment, log, *, with_network=False):
        assert command[:3] == ["sh", "-c", window.SCRIPT]
        assert not (self.folder / "tmp/close").exists()
        words = [str(self.folder), window.DATABASE, str(self.status)]
        with log.open("wb") as said:
            return subprocess.Popen([sys.executable, "-c", self.script, *words], stdout=said)


@pytest.fixture
def root(tmp_path):
    root = Screen(tmp_path)
    database = tmp_path / window.DATABASE
    for folder in (database.parent, tmp_path / "tmp/screen"):
        folder.mkdir(parents=True)
    (tmp_path / "tmp/close").touch()
    (tmp_path / window.SCREEN).write_bytes(dump_of([(0, 0, 0), (1, 2, 3)], 2, 1))
    with closing(sqlite3.connect(database)) as log:
        log.execute(FIRST)
        log.execute("INSERT INTO runs VALUES ('before', 0, '1')")
        log.commit()
    return root


def test_its_first_answer_is_none_of_a_window_before(root, tmp_path):
    with window.opened(root, tmp_path / "log") as one:
        assert one.first_answer()[0] == "meal"
        assert one.picture(tmp_path / "screen.png") == 2
    assert (tmp_path / "tmp/close").exists()


def test_it_has_to_end_well(root, tmp_path):
    root.status = 3
    with (
        pytest.raises(CheckFailure, match="closing ended with 3"),
        window.opened(root, tmp_path / "log") as one,
    ):
        one.first_answer()


def test_it_has_to_end_in_time(root, tmp_path, monkeypatch):
    root.script = "import time; time.sleep(60)"
    monkeypatch.setattr(window, "CLOSING_S", 0.2)
    with (
        pytest.raises(CheckFailure, match="closing ended with None"),
        window.opened(root, tmp_path / "log"),
    ):
        pass


def test_one_that_is_gone_is_not_waited_for(root, tmp_path):
    root.script = FAILS
    with (
        pytest.raises(CheckFailure, match="no prediction: no display"),
        window.opened(root, tmp_path / "log") as one,
    ):
        one.first_answer()


def test_one_that_hangs_is_not_waited_for_longer(root, tmp_path, monkeypatch):
    monkeypatch.setattr(window, "PATIENCE_S", 0.2)
    with (
        pytest.raises(CheckFailure, match="no answer of another kind"),
        window.opened(root, tmp_path / "log") as one,
    ):
        one.wait(lambda: False, "no answer of another kind")


def test_answers_are_read_from_a_log_that_is_being_made(tmp_path):
    file = tmp_path / "sessions.db"
    assert window.answers_in(file) == []
    with closing(sqlite3.connect(file)) as database:
        assert window.answers_in(file) == []
        database.execute(FIRST)
        rows = [("second", 0, "2"), ("first", 0, "1"), ("none", 1, "3")]
        database.executemany("INSERT INTO runs VALUES (?, ?, ?)", rows)
        database.commit()
        assert window.answers_in(file) == ["first", "second"]
