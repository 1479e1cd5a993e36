"""The notebooks of the gallery run from top to bottom, offline, and none keeps what it showed.

Jupyter's own executor runs them, as a reader does, one after the other in one kernel, which imports
torch once. Each begins with no names, no models, and a profile of its own.
"""

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from explorer.questions import all_questions

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 1_000_000
SECONDS = 150
"""That a cell may take: the first one waits for torch."""
OF_THE_KERNEL = ("HOME", "USERPROFILE", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")
BEGIN = """\
%reset -f
import socket
import explorer

def refused(_socket, address):
    raise OSError(f"a notebook tried to connect to {address!r}")

socket.socket.connect = socket.socket.connect_ex = refused
explorer.use(profile=PROFILE, device="cpu", language="en", offline=True)
"""


def read(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def executor(tmp_path_factory):
    """Jupyter's, with a kernel in this interpreter and folders of its own."""
    home = str(tmp_path_factory.mktemp("home"))
    surroundings = os.environ | dict.fromkeys(OF_THE_KERNEL, home) | {"PYTHONPATH": str(ROOT)}
    specs = KernelSpecManager(kernel_dirs=[], ensure_native_kernel=True)
    kernel = KernelManager(kernel_name="python3", kernel_spec_manager=specs)
    assert kernel.format_kernel_cmd()[0] == sys.executable
    kernel.start_kernel(cwd=home, env=surroundings)
    executor = NotebookClient(new_notebook(), km=kernel, timeout=SECONDS)
    # Here, not with the first notebook: its threads are those of all.
    executor.start_new_kernel_client()
    yield executor
    executor.kc.stop_channels()
    kernel.shutdown_kernel(now=True)
    kernel.cleanup_resources()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, executor, tmp_path):
    notebook = read(path)
    begin = new_code_cell(BEGIN.replace("PROFILE", repr(str(tmp_path / "profile"))))
    notebook.cells.insert(0, begin)
    executor.nb = notebook
    executor.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    told = [output.text for output in shown if output.get("name") == "stderr"]
    assert [text for text in told if not text.startswith("\r")] == [], "more than bars"
    pages = [output.data["text/html"] for output in shown if "text/html" in output.get("data", {})]
    assert pages
    assert all("<picture>" in page for page in pages)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_keeps_nothing_that_it_showed(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    first, *_others, last = notebook.cells
    assert first.source.startswith("# ")
    assert last.cell_type == "code"
    assert "assert " in last.source
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    asked = set(re.findall(r"\w+", "\n".join(cell.source for cell in code)))
    assert asked & all_questions().keys()


def test_the_gallery_is_small_and_told_of():
    assert len(NOTEBOOKS) == 10
    assert sum(path.stat().st_size for path in NOTEBOOKS) < MOST_BYTES
    told = re.findall(r"\(notebooks/(.+?\.ipynb)\)", (ROOT / "docs/python.md").read_text("utf-8"))
    assert told == [path.name for path in NOTEBOOKS]
