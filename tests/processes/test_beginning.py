"""A process of the program's own code ends with the one that started it."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from explorer.processes.own_processes import search_path

BUSY = """
import sys, time
print("here", flush=True)
# As the trainers of a library do, it neither reads nor writes meanwhile.
time.sleep(600)
"""
STARTS = """
import sys, time
from explorer.processes.piped import piped
process = piped("busy", None, PYTHONPATH=sys.argv[1])
process.stdout.readline()
print(process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the pipes tell it")
def test_it_ends_with_a_parent_that_was_killed(tmp_path):
    (tmp_path / "busy.py").write_text(BUSY, "utf-8")
    starts = tmp_path / "starts.py"
    starts.write_text(textwrap.dedent(STARTS), "utf-8")
    found = os.pathsep.join([search_path(), str(tmp_path)])
    with subprocess.Popen(
        [sys.executable, str(starts), found],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": found},
    ) as parent:
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
    until = time.monotonic() + 5
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_running(child)


def is_running(process: int) -> bool:
    """Whether it is there, and no zombie that somebody has yet to ask for."""
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
