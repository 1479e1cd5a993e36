"""A program that ends while it still imports behind the window's back ends in good order."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SLOW = """
import threading, time
print("{name}", flush=True)
while {name!r} == "first" and threading.main_thread().is_alive():
    time.sleep(0.01)
time.sleep(0.1)
print("{name} done", flush=True)
"""
PLOTTING = """
from explorer.ui.charts import library
library.PLOTTING = ("first", "second")
library.import_in_background()
"""
PAGES = """
import importlib
from dataclasses import dataclass
from explorer.ui import views

@dataclass
class Page:
    folder: str

    @property
    def view(self):
        return importlib.import_module(self.folder)

views.listed = lambda: (Page("first"), Page("second"))
views.import_in_background()
"""


@pytest.mark.parametrize("program", [PLOTTING, PAGES], ids=["plotting", "pages"])
def test_what_is_being_imported_is_waited_for_and_the_rest_is_left(tmp_path, program):
    """A thread that Python's end stops inside Qt's bindings would abort the program."""
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(SLOW.format(name=name), encoding="utf-8")
    waits = "import time, sys\nwhile 'first' not in sys.modules: time.sleep(0.01)\n"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.path.append({str(tmp_path)!r})\n{program}{waits}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == ["first", "first done", ""]
