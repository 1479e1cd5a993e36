"""The safety net holds: what every test is checked for does fail a test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import whole_suite

ROOT = Path(__file__).resolve().parent.parent

PROBES = """
import logging, socket, threading, warnings
import pytest

from tests import whole_suite

def test_fails_on_a_logged_warning():
    logger = logging.getLogger("own")
    logger.propagate = False
    logger.addHandler(logging.NullHandler())
    logger.warning("boo")

def test_passes_with_an_expected_warning(expect_log):
    expect_log("WARNING own: boo")
    logging.getLogger("own").warning("boo")

def test_fails_without_the_expected_warning(expect_log):
    expect_log("boo")

def test_fails_on_the_network():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 9))

def test_passes_on_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_fails_on_a_warning():
    warnings.warn("boo")

def test_errs_on_a_thread_left():
    import conftest
    conftest.THREAD_GRACE = 0.0  # looked at after a monkeypatch is undone
    threading.Thread(target=threading.Event().wait, name="stuck", daemon=True).start()

def test_passes_in_its_own_home():
    from pathlib import Path
    assert "plm-explorer-tests-" in str(Path.home())
"""

QT_PROBES = """
def test_errs_on_a_window_left(qapp):
    from PySide6.QtWidgets import QWidget
    global left
    left = QWidget()
    left.setObjectName("stray")

def test_passes_when_the_window_is_handed_over(qtbot):
    from PySide6.QtWidgets import QWidget
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()

def test_fails_on_a_qt_warning(qtbot):
    from PySide6.QtCore import qWarning
    qWarning("boo")
"""

NO_QT = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph", "qtawesome"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""


def run_pytest(folder, *arguments, path=(), keeps=False):
    if not keeps:
        arguments = ("-p", "no:cacheprovider", *arguments)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*path, ROOT)))}
    environment.pop("PLM_EXPLORER_TEST_THREADS", None)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def outcomes(output):
    """Names of the probes by what became of them; a test that passes and then errs is in both."""
    found = {}
    for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+::(\w+)", output, re.MULTILINE):
        found.setdefault(outcome, set()).add(name)
    return found


@pytest.fixture
def probes(tmp_path):
    """A test folder under the same conftest and settings."""
    (tmp_path / "conftest.py").write_bytes((ROOT / "tests/conftest.py").read_bytes())
    settings = (ROOT / "pyproject.toml").read_text("utf-8").partition("[tool.pytest")
    text = "".join(settings[1:]).partition("\n[tool.importlinter")[0]
    text = re.sub(r"(testpaths|pythonpath) = .*\n|\"--import-mode=importlib\", ", "", text)
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    (tmp_path / "test_probe.py").write_text(PROBES, encoding="utf-8")
    return tmp_path


def test_net_catches_what_it_should(probes):
    ran = run_pytest(probes, "-rA", "test_probe.py")
    names = set(re.findall(r"def (test_\w+)", PROBES))
    found = outcomes(ran.stdout)
    assert found["FAILED"] == {name for name in names if name.startswith("test_fails")}, ran.stdout
    assert found["ERROR"] == {name for name in names if name.startswith("test_errs")}
    assert found["PASSED"] == names - found["FAILED"]


@pytest.mark.gui
def test_net_catches_windows_and_qt_warnings(probes):
    (probes / "test_qt.py").write_text(QT_PROBES, encoding="utf-8")
    ran = run_pytest(probes, "-rA", "test_qt.py")
    found = outcomes(ran.stdout)
    assert found["FAILED"] == {"test_fails_on_a_qt_warning"}, ran.stdout
    assert found["ERROR"] == {"test_errs_on_a_window_left"}
    assert "stray" in ran.stdout
    assert "test_passes_when_the_window_is_handed_over" in found["PASSED"]


def test_without_qt_its_tests_are_left_out_and_the_rest_runs(probes):
    (probes / "test_qt.py").write_text(QT_PROBES, encoding="utf-8")
    (probes / "no_qt.py").write_text(NO_QT, encoding="utf-8")
    ran = run_pytest(probes, "-p", "no_qt", "-k", "passes", path=[probes])
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"\b3 passed", ran.stdout)


def test_every_test_without_the_gui_marker_can_be_collected_without_qt(tmp_path):
    (tmp_path / "no_qt.py").write_text(NO_QT, encoding="utf-8")
    ran = run_pytest(ROOT, "-p", "no_qt", "--collect-only", "-q", path=[tmp_path])
    assert ran.returncode == 0, ran.stdout + ran.stderr


WORKER_PROBES = """
import os
from pathlib import Path
from tests import static_checks, whole_suite

def test_passes_in_a_worker_with_one_thread(request):
    assert request.config.workerinput["workercount"] >= 2
    assert os.environ["OMP_NUM_THREADS"] == "1"

def test_passes_with_a_check_that_runs_beside_it(request):
    folder = request.config.stash[whole_suite.PLAN].checks_folder
    status, said = static_checks.result("style", folder)
    assert (Path(folder) / "style.json").is_file()

def test_passes_where_one_worker_compiled_for_all(request):
    told = Path(request.config.stash[whole_suite.PLAN].compiled)
    [compiled] = Path(__file__).parent.glob("__pycache__/test_workers*-pytest-*.pyc")
    assert compiled.stat().st_mtime_ns <= told.stat().st_mtime_ns
"""


@pytest.fixture
def suite(probes):
    """The same as the tests that are found without naming files."""
    (probes / "tests").mkdir()
    for name in ("conftest.py", "test_probe.py"):
        (probes / name).rename(probes / "tests" / name)
    (probes / "tests/test_workers.py").write_text(WORKER_PROBES, encoding="utf-8")
    settings = probes / "pyproject.toml"
    text = settings.read_text("utf-8").replace("minversion", 'testpaths = ["tests"]\nminversion')
    settings.write_text(text, encoding="utf-8")
    return probes


def test_the_whole_suite_has_two_workers_under_the_same_net_and_a_closing_line(suite):
    ran = run_pytest(suite, "-rA", keeps=True)
    names = set(re.findall(r"def (test_\w+)", PROBES + WORKER_PROBES))
    found = outcomes(ran.stdout)
    assert found["FAILED"] == {name for name in names if name.startswith("test_fails")}, ran.stdout
    assert found["ERROR"] == {name for name in names if name.startswith("test_errs")}
    assert found["PASSED"] == names - found["FAILED"], ran.stdout
    *_, closing = ran.stdout.splitlines()
    assert re.fullmatch(r"=+ 4 failed, 7 passed, 1 error in \S+s( \(.+\))? =+", closing)
    again = run_pytest(suite, "-rA", keeps=True).stdout
    assert left_out(again) == 1
    assert "test_passes_in_a_worker_with_one_thread" not in outcomes(again)["PASSED"]


@pytest.mark.parametrize("arguments", [("tests/test_probe.py",), ("-n", "0")])
def test_a_few_files_have_none(suite, arguments):
    ran = run_pytest(suite, "-rA", "-k", "test_passes_in_a_worker or in_its_own_home", *arguments)
    assert "workers [" not in ran.stdout
    assert "test_passes_in_its_own_home" in outcomes(ran.stdout)["PASSED"]


@pytest.mark.parametrize(
    ("cores", "gigabytes", "expected"), [(1, 1, 2), (2, 24, 2), (4, 16, 4), (16, 16, 5)]
)
def test_a_core_has_a_worker_where_memory_allows(cores, gigabytes, expected):
    assert whole_suite.workers(cores, gigabytes * 2**30) == expected


def test_what_passed_is_left_out_until_it_changes(suite):
    (suite / "tests/test_workers.py").unlink()
    (suite / "tests/test_mine.py").write_text("def test_it(): ...", encoding="utf-8")

    def ran(*more):
        told = run_pytest(suite, "-n", "0", "-rA", *more, keeps=True).stdout
        return "test_it" in outcomes(told)["PASSED"], left_out(told)

    assert ran() == (True, None)
    assert ran() == (False, 1)
    assert ran("--all") == (True, None)
    (suite / "tests/test_mine.py").write_text("def test_it(): 1", encoding="utf-8")
    assert ran("-k", "test_fails_on_the_network or test_it") == (True, None)
    assert ran() == (True, None)


def left_out(told):
    """How many files were."""
    found = re.search(r"^left out: (\d+)", told, re.MULTILINE)
    return found and int(found[1])
