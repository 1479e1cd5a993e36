"""What the program writes of a user is theirs alone, and nothing of it stays lying about."""

import os
import stat
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import warm_program

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes say nothing there")


def main(profile, *arguments, **environment):
    return warm_program.run("--profile", profile, *arguments, environment=environment, umask=0o022)


def code_run(code, profile):
    """Run Python's code on a profile; what it said."""
    done = subprocess.run(
        [sys.executable, "-c", code, str(profile)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        umask=0o022,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def modes(folder):
    """The mode of every file and folder below, by its name."""
    return {
        path.relative_to(folder).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in folder.rglob("*")
    }


def readable_by_others(folder):
    return {name: oct(mode) for name, mode in modes(folder).items() if mode & 0o077}


def test_what_the_commands_write_is_the_user_s_alone(tmp_path):
    profile = tmp_path / "profile"
    sentences = tmp_path / "some.txt"
    sentences.write_text("the cat sat.\nthe dog sat.", encoding="utf-8")
    done = main(profile, "over", sentences, "--ask", "tokens")
    assert done.returncode == 0, done.stderr
    written = modes(profile)
    assert written["data"] == written["data/results"] == 0o700
    assert written["data/sessions.db"] == 0o600
    assert any(name.endswith(".results.db") for name in written)
    assert readable_by_others(profile) == {}


def test_what_lies_beside_the_log_while_it_is_open_is_the_user_s_alone(tmp_path):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from explorer import headless\n"
        "from explorer.paths import Paths\n"
        "from explorer.program import Program\n"
        "log = headless.Log(Program(Paths.profile(Path(sys.argv[1]))))\n"
        "print(sorted(path.name for path in Path(sys.argv[1], 'data').iterdir()))\n"
        "print([oct(path.stat().st_mode & 0o77) for path in Path(sys.argv[1], 'data').iterdir()])\n"
        "log.close()\n"
    )
    names, others = code_run(code, tmp_path / "profile").splitlines()
    assert names == "['sessions.db', 'sessions.db-shm', 'sessions.db-wal']"
    assert others == "['0o0', '0o0', '0o0']"


WINDOW = """
import logging, sys, threading
from pathlib import Path
from PySide6.QtCore import QTimer
from explorer import app, cli
from explorer.app import LOG_BYTES

def fill():
    log = logging.getLogger("a test")
    log.warning("x" * LOG_BYTES)
    log.warning("the next file")
    for widget in app.application().topLevelWidgets():
        if isinstance(widget, app.MainWindow):
            widget.bench.settings_store.change(top_k=7)
            QTimer.singleShot(0, widget.close)

class Watch(app.Running):
    def show(self):
        super().show()
        QTimer.singleShot(0, fill)

app.Running = Watch
sys.exit(cli.main(["--profile", sys.argv[1]]))
"""


@pytest.mark.gui
def test_what_the_window_writes_is_the_user_s_alone(tmp_path):
    profile = tmp_path / "profile"
    code_run(WINDOW, profile)
    written = modes(profile)
    wanted = {"config/settings.json", "logs/window.log", "logs/window.log.1", "logs/engine.log"}
    assert wanted <= set(written)
    assert readable_by_others(profile) == {}


def test_what_an_older_version_wrote_is_tightened_at_the_start(tmp_path):
    profile = tmp_path / "profile"
    old = ("config/settings.json", "data/sessions-corrupt-1.db", "data/results/a.results.db")
    for name in (*old, "logs/window.log", "logs/window.log.1"):
        path = profile / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        path.write_bytes(b"{}" if name.endswith("json") else b"")
        path.chmod(0o644)
    # What the user put there, and what lies elsewhere, is none of the program's business.
    plugin = profile / "data" / "plugins" / "mine" / "plugin.toml"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("", encoding="utf-8")
    plugin.chmod(0o644)
    elsewhere = tmp_path / "elsewhere.log"
    elsewhere.write_text("", encoding="utf-8")
    elsewhere.chmod(0o644)
    (profile / "logs" / "link.log").symlink_to(elsewhere)
    assert main(profile, "sessions", "list").returncode == 0
    after = modes(profile)
    assert {after[name] for name in old} == {0o600}
    assert {after[name] for name in ("config", "data", "data/results", "logs")} == {0o700}
    assert after["data/plugins/mine/plugin.toml"] == 0o644
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_a_table_that_is_written_where_the_user_says_has_the_user_s_own_mode(tmp_path):
    target = tmp_path / "table.csv"
    done = main(tmp_path / "profile", "fill", "the [MASK] sat.", "--csv", target, "--no-log")
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


@pytest.mark.parametrize("command", ["fill", "over", "export"])
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path, command):
    pipe, sentences = tmp_path / "table.csv", tmp_path / "some.txt"
    sentences.write_text("the cat sat.\nthe dog sat.", encoding="utf-8")
    profile = tmp_path / "profile"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    arguments = {
        "fill": ("fill", "the [MASK] sat.", "--csv", pipe),
        "over": ("over", sentences, "--ask", "tokens", "--csv", pipe),
        "export": ("sessions", "export", "all", pipe),
    }
    done = main(profile, *arguments[command])
    assert done.returncode == 0, done.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    reader.join(10)
    assert got
    assert got[0].decode("utf-8-sig").splitlines()[0].split(",")[0] in {"mask", "line", "run"}
    assert list(tmp_path.glob(".table*")) == []


def test_folders_of_a_process_that_was_killed_are_removed_at_the_next_start(tmp_path):
    code = (
        "import sys, tempfile\n"
        "from explorer.files.temporary import prefix\n"
        "print(tempfile.mkdtemp(prefix=prefix(sys.argv[1])), flush=True)\n"
        "sys.stdin.read()\n"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    own = {"TMPDIR": str(temporary)}

    def started(purpose):
        process = subprocess.Popen(
            [sys.executable, "-c", code, purpose],
            cwd=ROOT,
            env={**os.environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # However this test ends: without its input it ends too.
        ends.callback(process.communicate)
        folder = Path(process.stdout.readline().strip())
        assert folder.parent == temporary, "it did not start"
        (folder / "page-1.html").write_text("a page", encoding="utf-8")
        return process, folder

    with ExitStack() as ends:
        killed, left = started("page")
        _, used = started("page")
        other = temporary / "plm-explorer-page-of-somebody"
        other.mkdir()
        link = temporary / f"plm-explorer-page-{killed.pid}-link"
        link.symlink_to(other)
        killed.kill()
        killed.wait()
        assert left.is_dir()
        assert main(tmp_path / "profile", "sessions", "list", **own).returncode == 0
        assert not left.exists()
        assert (used / "page-1.html").exists()
        assert other.is_dir()
        assert link.is_symlink()
