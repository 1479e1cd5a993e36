"""A process that is started anywhere runs the program's own code."""

import subprocess
import sys
from pathlib import Path

import explorer
from explorer.own_processes import environment, search_path

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
