"""main.py as a person starts it: real processes, a real pip, a tiny project, no network."""

import ast
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests import users_python

ROOT = Path(__file__).resolve().parents[2]
BASE = getattr(sys, "_base_executable", sys.executable)
posix_only = pytest.mark.skipif(os.name == "nt", reason="signals and locks as POSIX has them")


@pytest.fixture
def surroundings(tiny_wheels, monkeypatch):
    """pip finds the tiny package and nothing else, whatever this machine's pip is told."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    variables |= {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tiny_wheels),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        variables.pop(name, None)
    return variables


@pytest.fixture
def launch():
    """Starts the program; what still runs at the end is killed, with its pip."""
    launched = []

    def start(root, variables, *arguments, python=BASE):
        process = subprocess.Popen(
            [str(python), str(root / "main.py"), *arguments],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        launched.append(process)
        return process

    yield start
    for process in launched:
        with process, suppress(ProcessLookupError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)


def finish(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def wait_for(condition, process):
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@posix_only
def test_two_first_starts_at_once_then_instant_ones(tmp_path, make_project, surroundings, launch):
    root = make_project(tmp_path / "check out")
    both = [launch(root, surroundings, "fill", "a [MASK]", str(code)) for code in (3, 4)]
    ends = [finish(process) for process in both]
    assert [status for status, _, _ in ends] == [3, 4], ends
    said = [err for _, _, err in ends]
    assert sum("Ready after" in err for err in said) == 1, said
    assert (root / ".venv/setup.log").read_text().count("-m pip install") == 1
    for _, out, _ in ends:
        told = json.loads(out)
        assert told["arguments"][:2] == ["fill", "a [MASK]"]
        assert Path(told["prefix"]) == root / ".venv"

    # From now on: silent, with nothing but what starts a process, and without an index.
    offline = surroundings | {"PIP_FIND_LINKS": str(tmp_path / "gone")}
    status, out, err = finish(launch(root, offline, "--top", "0"))
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "arguments": ["--top", "0"],
        "prefix": str(root / ".venv"),
        "heavy": [],
    }
    inside = root / ".venv/bin/python"
    status, out, err = finish(launch(root, offline, "7", python=inside))
    assert (status, err) == (7, "")
    assert json.loads(out)["heavy"] == []

    # `test` adds its extra, runs pytest (played by the tiny package) and passes on its status.
    status, out, err = finish(launch(root, surroundings, "test", "-q", "a b"))
    assert status == 5, err
    assert json.loads(out) == {"arguments": ["-q", "a b"], "cwd": str(root)}


@posix_only
def test_interrupted_and_killed_setups_are_taken_up_again(
    tmp_path, make_project, surroundings, launch
):
    root = make_project(tmp_path / "checkout")
    marker = tmp_path / "pip is busy"
    hanging = surroundings | {"TINY_HANG": str(marker)}

    process = launch(root, hanging)
    wait_for(marker.exists, process)
    os.killpg(process.pid, signal.SIGINT)
    status, out, err = finish(process)
    assert (status, out) == (130, "")
    assert "The next start goes on from here" in err
    assert "Traceback" not in err
    assert not (root / ".venv/plm-explorer.stamp").exists()

    # Killed outright, its pip goes on; the next start waits for that, and does not run beside it.
    marker.unlink()
    process = launch(root, hanging)
    wait_for(lambda: marker.exists() and marker.read_text(), process)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    following = launch(root, surroundings)
    line = following.stderr.readline()
    assert "waiting for it" in line
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    status, out, err = finish(following)
    assert status == 0, err
    assert "The environment is there" in err, "what was made is used"
    assert json.loads(out)["prefix"] == str(root / ".venv")


@posix_only
def test_what_the_user_told_another_python_is_not_the_environments(
    tmp_path, make_project, surroundings, launch
):
    root = make_project(tmp_path / "checkout")
    told = {
        "PYTHONHOME": os.pathsep.join((sys.base_prefix, sys.base_exec_prefix)),
        "PYTHONPATH": str(users_python.folder_of_scripts(tmp_path / "scripts")),
    }
    for name in ("queue", "random"):  # the Python that makes the environment would not start
        (tmp_path / f"scripts/{name}.py").unlink()
    status, out, err = finish(launch(root, surroundings | told, "0"))
    assert status == 0, err
    assert json.loads(out)["prefix"] == str(root / ".venv")


@pytest.mark.parametrize("argument", ["--help", "-h", "--version"])
def test_help_is_answered_without_setting_anything_up(
    tmp_path, make_project, surroundings, launch, argument
):
    root = make_project(tmp_path / "checkout")
    status, out, _ = finish(launch(root, surroundings, "--offline", argument))
    assert (status, json.loads(out)["arguments"]) == (0, ["--offline", argument])
    assert not (root / ".venv").exists()


@pytest.mark.parametrize("argument", ["--help", "-h"])
def test_help_of_a_command_needs_the_environment_that_its_plugins_need(
    tmp_path, make_project, surroundings, launch, argument
):
    root = make_project(tmp_path / "checkout")
    (root / ".venv").write_text("nothing can be set up here")
    status, out, err = finish(launch(root, surroundings, "fill", argument))
    assert (status, out) == (1, "")
    assert "What to do: move it away" in err


def test_a_python_that_has_everything_is_used_as_it_is(
    tmp_path, make_project, surroundings, launch, tiny_wheels
):
    root = make_project(tmp_path / "checkout")
    wheel = next(tiny_wheels.iterdir())
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, tmp_path / "own"], check=True)
    variables = surroundings | {"PYTHONPATH": str(tmp_path / "own")}
    status, out, err = finish(launch(root, variables))
    assert (status, err) == (0, "")
    assert Path(json.loads(out)["prefix"]) != root / ".venv"
    assert not (root / ".venv").exists()


def test_failure_is_an_exit_status_and_a_hint(tmp_path, make_project, surroundings, launch):
    root = make_project(tmp_path / "checkout")
    (root / ".venv").write_text("not a folder")
    status, out, err = finish(launch(root, surroundings))
    assert (status, out) == (1, "")
    assert "What to do: move it away" in err
    assert "Traceback" not in err


def test_old_python_gets_one_clear_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 6, 15, "final", 0))
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "main.py"), run_name="__main__")
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "needs Python 3.11 or newer" in said
    assert said.count("\n") == 1


def test_old_pythons_can_read_main():
    ast.parse((ROOT / "main.py").read_text("utf-8"), feature_version=(3, 0))


def test_importing_main_does_nothing(capsys):
    # Spawned processes import it under the name __mp_main__.
    runpy.run_path(str(ROOT / "main.py"), run_name="__mp_main__")
    assert capsys.readouterr() == ("", "")


def test_starting_stands_on_the_standard_library():
    files = [*(ROOT / "explorer/bootstrap").glob("*.py"), ROOT / "explorer/system_libraries.py"]
    assert len(files) > 5
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module]
            for name in names:
                allowed = name.partition(".")[0] in sys.stdlib_module_names or name.startswith(
                    ("explorer.bootstrap.", "explorer.cli")
                )
                assert allowed, f"{path.name} imports {name}"
