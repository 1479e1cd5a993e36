"""A plugin that never returns, as a person at a terminal meets it."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from explorer import cli
from explorer.command_line import waiting_for_plugins
from explorer.command_line.waiting_for_plugins import telling_of_hanging
from explorer.engine.plugins.border.looks import look_of
from explorer.engine.process import engine_handle
from explorer.paths import Paths
from tests import odd_plugin
from tests.engine.listening import wait_until
from tests.hf import tiny

ROOT = Path(__file__).resolve().parents[2]
WAITS = """
def recognise(self, files):
    import threading
    from pathlib import Path
    while True:
        try:
            Path(__file__).with_name("hangs").touch()
            threading.Event().wait()
        except BaseException:
            if not {catches}:
                raise
            Path(__file__).with_name("caught").touch()
"""


class Said(list):
    """Standard error that tells when something is written to it."""

    def __init__(self):
        super().__init__()
        self.something = threading.Event()

    def write(self, text):
        self.append(text)
        self.something.set()

    def flush(self):
        pass


@pytest.fixture
def said(monkeypatch):
    """What is said, where nobody's patience lasts."""
    said = Said()
    monkeypatch.setattr(waiting_for_plugins, "sys", SimpleNamespace(stderr=said))
    monkeypatch.setattr(waiting_for_plugins, "PATIENCE", 0.05)
    return said


@pytest.mark.gui
def test_a_window_that_a_plugins_question_keeps_from_opening_says_so(said, monkeypatch, tmp_path):
    def look(*_arguments):
        with look_of("odd", "Odd"):
            assert said.something.wait(30)
        return 7

    def none_begun(**_options):
        raise OSError

    monkeypatch.setattr("explorer.app.run", look)
    monkeypatch.setattr(engine_handle, "begin", none_begun)
    assert cli.main(["--profile", str(tmp_path)]) == 7
    assert said[0].startswith("The plugin Odd has not answered for ")


def test_it_is_named_once_after_a_while(said):
    with telling_of_hanging():
        with look_of("quick", "Quick"):
            pass
        with look_of("odd", "Odd"):
            assert said.something.wait(30)
            with look_of("other", "Other"):
                assert wait_until(lambda: len(said) == 2)
    assert [text.split(" has not answered ")[0] for text in said] == [
        "The plugin Odd",
        "The plugin Other",
    ]
    assert "--safe-mode" in said[0]


@pytest.fixture
def hanging(tmp_path):
    """The library is listed while a plugin never returns; gives the process and its folder."""
    started = []

    def start(*, catches):
        folder = tiny.save_bert(tmp_path / "odd-bert")
        paths = Paths.profile(tmp_path / "profile")
        plugin = odd_plugin.write(paths.user_plugins, member=WAITS.format(catches=catches))
        program = [sys.executable, "-m", "explorer.cli", "--profile", str(tmp_path / "profile")]
        process = subprocess.Popen(
            [*program, "models", str(folder)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert wait_until((plugin / "hangs").exists, 60)
        return process, plugin

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("catches", [False, True])
def test_ctrl_c_ends_it_with_a_sentence_that_names_the_plugin(hanging, catches):
    process, plugin = hanging(catches=catches)
    process.send_signal(signal.SIGINT)
    if catches:
        assert wait_until((plugin / "caught").exists, 60)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out == ""
    assert len(err.splitlines()) == 1
    if catches:
        assert err == "The plugin Odd does not stop: it is ended.\n"
        assert process.returncode == -signal.SIGINT
    else:
        assert err.startswith("Stopped while the plugin Odd was waited for. --safe-mode ")
        assert process.returncode == 130
