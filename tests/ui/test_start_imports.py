"""A start imports the page that is shown, and nothing that only the engine runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from explorer.ui.views import listed

ROOT = Path(__file__).resolve().parents[2]

ENGINE = ("explorer.engine.process.server", "explorer.engine.runner", "torch")

PAGES = sorted(one.of.name for one in listed())

PROGRAM = """
import gc, sys, threading, time
asides = []
def heard(event, args):
    if event == "import" and threading.current_thread() is not threading.main_thread():
        asides.append(args[0])
sys.addaudithook(heard)
from pathlib import Path
from PySide6.QtWidgets import QApplication
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.ui.in_steps import InSteps
from explorer.ui.views import listed
from tests.ui.fake_engine import FakeEngine

def pages():
    imported = (
        name.split(".")[-2]
        for name in tuple(sys.modules)
        if name.startswith("explorer.questions.") and name.endswith(".page")
    )
    # A page of parts is made, where others are imported.
    made = (one.of.name for one in listed() if not one.has_file and "view" in vars(one))
    return sorted({{*imported, *made}})

def until(done):
    patience = time.monotonic() + 60
    while not done() and time.monotonic() < patience:
        QApplication.processEvents()
        time.sleep(0.01)

def start():
    return Running(Program(Paths.profile(Path(sys.argv[1]))), FakeEngine(), show_first=True)

application()
running = start()
running.show()
print("started", *pages())
print("engine's", *(name for name in tuple(sys.modules) if name in {engine}))
shown = []
for answered in (running.bench.asking.shown, running.bench.overview.answered):
    answered.connect(lambda *_: shown or shown.append(pages()))
until(lambda: shown)
print("shown", *shown[0])
until(lambda: len(pages()) == {count})
print("later", *pages())
until(lambda: all(one.is_done for one in running.bench.findChildren(InSteps)))
qt = ("PySide6", "pyqtgraph", "explorer.ui")
found = (name for name in asides if name.startswith(qt) or name.endswith(".page"))
print("imported", len(running.bench.findChildren(InSteps)), *found)
print("pyqtgraph", "pyqtgraph" in sys.modules)
print("looked through", gc.isenabled(), len(gc.get_objects()))
running.window.view_area.bring_forward("tokens")
running.close()
"""


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return tmp_path_factory.mktemp("starts") / "profile"


def lines(profile):
    """What a program says of the pages that it has imported, in a process of its own."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            PROGRAM.format(count=len(PAGES), engine=ENGINE),
            str(profile),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def first(profile):
    """What the first start on a profile says."""
    return lines(profile)


def test_a_first_start_imports_no_page_and_all_of_them_once_the_overview_has_an_answer(first):
    started, _, shown, later, *_ = first
    assert started == ["started"]
    assert shown == ["shown"]
    assert later[1:] == PAGES


@pytest.mark.usefixtures("first")
def test_a_start_with_the_page_of_last_time_imports_that_one(profile):
    assert lines(profile)[0] == ["started", "tokens"]


def test_the_window_imports_nothing_that_only_the_engine_runs(first):
    assert first[1] == ["engine's"]


def test_no_class_of_qt_s_is_made_in_another_thread(first):
    """It ended the program: Qt looked for one on the window's thread at the same moment."""
    assert first[4] == ["imported", "2"]
    assert first[5] == ["pyqtgraph", "True"]


def test_the_collector_of_garbage_passes_over_what_a_start_made_and_what_was_imported(first):
    """A hundred thousand objects and more, through which it held the window up for frames."""
    *_, (_, _, is_enabled, count) = first
    assert is_enabled == "True"
    assert int(count) < 20_000
