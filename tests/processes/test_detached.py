"""Processes that go on when the one that started them is gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.processes.own_processes import environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

STARTER = """
import pathlib, sys
from explorer.processes.detached import detached

folder = pathlib.Path(sys.argv[1])
with (folder / "log").open("wb") as log:
    asleep = ("-n", "1", "-r", "1", "import time; time.sleep(60)")
    process = detached("timeit", log, *asleep, folder=folder)
print(process.pid, flush=True)
{then}
"""


def started(folder: Path, then: str = "") -> subprocess.CompletedProcess[str]:
    """Another Python starts one that sleeps, and ends."""
    code = STARTER.replace("{then}", then)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(folder)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


# The last one goes when Python ends, after what its module imports.
LATE = "import explorer.processes.detached as module; module.kept = [process]; del process"


@pytest.mark.parametrize("then", ["", "del process", LATE], ids=["kept", "let go", "late"])
def test_it_outlives_who_started_it_without_a_warning(tmp_path, then):
    ended = started(tmp_path, then)
    try:
        os.kill(int(ended.stdout), 0)
    finally:
        os.kill(int(ended.stdout), signal.SIGKILL)
    assert ended.stderr == ""
