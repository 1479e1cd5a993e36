"""A process that is started anywhere runs the program's own code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import explorer
from explorer.processes.own_processes import (
    command_line,
    environment,
    give_back_system_libraries,
    run_asked,
    search_path,
)

OWN = str(Path(explorer.__file__).parents[1])


def test_a_process_elsewhere_finds_the_program(tmp_path):
    code = "import explorer, os; print(explorer.__file__); print(os.environ['MORE'])"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(MORE="more"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.splitlines() == [explorer.__file__, "more"]


def test_what_the_user_told_python_to_look_at_comes_behind(monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert search_path() == OWN
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert search_path().startswith(OWN)
    assert search_path().endswith("/elsewhere")


def test_python_runs_a_module_of_the_program():
    command = command_line("explorer.system_libraries", "--web")
    assert command[:2] == [sys.executable, "-P"]
    assert command[-3:] == ["explorer.processes.beginning", "explorer.system_libraries", "--web"]


def test_a_bundle_starts_itself_and_is_then_that_module(monkeypatch, tmp_path, capsys):
    """The first argument leads back to the module, as its main program, with its arguments."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/somewhere/plm-explorer")
    started = command_line("explorer.system_libraries", "--packages", "--screen")
    assert started[0] == "/somewhere/plm-explorer"
    monkeypatch.delitem(sys.modules, "explorer.system_libraries", raising=False)
    monkeypatch.setattr(sys, "argv", list(started))
    monkeypatch.setattr("shutil.which", lambda tool: tool == "apk" and tool)
    monkeypatch.setattr("ctypes.CDLL", raise_missing)
    # Other tests of this worker may have imported it.
    monkeypatch.delitem(sys.modules, started[2], raising=False)
    with pytest.raises(SystemExit) as ended:
        run_asked(started[1:])
    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith("apk add mesa-gl ")


def raise_missing(file):
    raise OSError(file)


@pytest.mark.parametrize(
    "arguments",
    [[], ["fill", "A [MASK]."], ["--own-process"], ["--own-process", "json.tool"], ["--offline"]],
)
def test_what_people_type_is_no_process_of_its_own(arguments):
    assert not run_asked(arguments)


def test_no_file_starts_python_by_itself():
    """In a bundle `sys.executable -m` would open a second window."""
    program = Path(explorer.__file__).parent
    apart = {"installers", "pretraining", "bootstrap"}
    asking = {
        file.relative_to(program).as_posix()
        for file in program.rglob("*.py")
        if file.relative_to(program).parts[0] not in apart
        and "sys.executable" in file.read_text("utf-8")
    }
    assert asking == {"processes/own_processes.py"}


def test_programs_of_the_system_get_their_own_libraries_back(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/bundle/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/opt/mine")
    monkeypatch.setenv("PYINSTALLER_RESET_ENVIRONMENT", "")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    give_back_system_libraries()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/mine"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    # The bundle's own processes need its libraries, and are started as if by a person.
    assert os.environ["PYINSTALLER_RESET_ENVIRONMENT"] == "1"


def test_a_path_of_the_bundle_alone_is_taken_away(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/bundle/_internal")
    give_back_system_libraries()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/bundle/_internal", "not of a bundle: the user's"
    monkeypatch.setenv("PYINSTALLER_RESET_ENVIRONMENT", "")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    give_back_system_libraries()
    assert "LD_LIBRARY_PATH" not in os.environ
