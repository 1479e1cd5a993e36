"""The program as a user starts it: real engine, real files."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import psutil
import pytest

from explorer.program import Program
from explorer.sessions.read.reader import SessionReader
from explorer.settings import PageLayout, Settings, SettingsFile

STARTED = """
import sys
from pathlib import Path
from explorer.paths import Paths
from explorer.program import Program
from explorer import app
status = app.run(Program(Paths.profile(Path(sys.argv[1]), {})))
assert not {"torch", "transformers"} & set(sys.modules), "the window's process imported them"
sys.exit(status)
"""


def children():
    """Processes below this one that are no zombies."""
    found = psutil.Process().children(recursive=True)
    return [p for p in found if p.status() != psutil.STATUS_ZOMBIE]


def is_python_s(process):
    """Whether it is one of those that Python keeps for the tests' own processes."""
    line = " ".join(process.cmdline())
    return "resource_tracker" in line or "multiprocessing.forkserver" in line


@pytest.fixture
def program(paths, qapp):
    return Program(paths)


@pytest.fixture
def running(program, qtbot):
    from explorer.app import Running

    before = children()
    with closing(Running(program)) as made:
        made.window.resize(1100, 760)
        made.window.view_area.bring_forward("masked_tokens")
        made.show()
        qtbot.waitExposed(made.window)
        yield made
    left = [p for p in children() if p not in before and not is_python_s(p)]
    assert left == []


@pytest.mark.usefixtures("warm_engine")
def test_a_word_is_masked_by_a_click_predicted_and_found_in_the_log(running, program, qtbot):
    from PySide6.QtCore import Qt

    from explorer.ui.views.frame.view_frame import FrameState

    asker = running.bench.asking.askers["masked_tokens"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT, timeout=90_000)
    strip = running.window.sentence.strip
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "chef")
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.box_of(index).center().toPoint())
    qtbot.waitUntil(
        lambda: asker.frame.state is FrameState.RESULT and len(asker.view.result.masks) == 2,
        timeout=20_000,
    )
    mask = asker.view.result.masks[0]
    assert mask.original.word == "chef"
    assert 0 < sum(p.probability for p in mask.predictions) <= 1.0001
    reader = SessionReader(program.paths.sessions)
    newest = reader.run(reader.runs()[0].id)
    assert newest.result == asker.view.result
    assert newest.document == running.bench.state.document
    assert newest.versions["torch"]
    assert newest.model.fingerprint == running.bench.models.cards["A"].stamp.fingerprint


@pytest.mark.usefixtures("warm_engine")
def test_a_killed_engine_is_told_and_the_question_is_answered_again(running, qtbot):
    from explorer.ui.views.frame.view_frame import FrameState

    asker = running.bench.asking.askers["masked_tokens"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT, timeout=90_000)
    with qtbot.waitSignal(running.bench.bridge.died, timeout=20_000):
        psutil.Process(running.bench.bridge.latest_ready.pid).kill()
    assert running.window.notices.texts != ()
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(
        lambda: asker.frame.state is FrameState.RESULT and len(asker.view.result.masks) == 2,
        timeout=90_000,
    )


def test_closing_during_the_start_is_quick_and_leaves_nothing(program, qtbot):
    from explorer.app import Running

    before = set(threading.enumerate())
    running = Running(program)
    running.show()
    qtbot.waitExposed(running.window)
    begun = time.perf_counter()
    running.close()
    assert time.perf_counter() - begun < 2.0
    assert {t for t in threading.enumerate() if t.is_alive()} <= before


@contextmanager
def answered_window(paths, profile):
    """The program in a process of its own, which has put an answer on record; and its engine."""
    SettingsFile(paths.settings).save(Settings(pages=PageLayout("masked_tokens")))
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, str(profile)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 90
        while not SessionReader(paths.sessions).runs():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline, "no answer in 90 s"
            time.sleep(0.05)
        below = psutil.Process(process.pid).children(recursive=True)
        assert below
        yield process, below
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.costly)]
)
def test_a_signal_from_the_terminal_closes_the_window(program, paths, tmp_path, number):
    with answered_window(paths, tmp_path / "profile") as (process, below):
        process.send_signal(number)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, "")
    _, alive = psutil.wait_procs(below, timeout=5)
    assert alive == []
    assert (paths.logs / "window-crash.log").read_bytes() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_killed_window_leaves_no_engine_behind(program, paths, tmp_path):
    with answered_window(paths, tmp_path / "profile") as (process, below):
        process.kill()
        process.wait(20)
    _, alive = psutil.wait_procs(below, timeout=10)
    for one in alive:
        one.kill()
    assert alive == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_a_window_that_waits(qtbot, number):
    from explorer.app import Signals

    closed = []
    signals = Signals(lambda: closed.append(True))
    try:
        signal.raise_signal(number)
        qtbot.waitUntil(lambda: closed == [True])
    finally:
        signals.close()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_log_files_that_can_not_be_made_do_not_stop_the_program(paths, qapp, expect_log):
    from explorer.app import LogFiles

    paths.logs.parent.mkdir(parents=True, exist_ok=True)
    paths.logs.write_text("in the way", encoding="utf-8")
    expect_log("WARNING explorer.app: There is no log file")
    LogFiles(Program(paths)).close()
