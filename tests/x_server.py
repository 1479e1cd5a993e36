"""The program on a screen of a test's own: under an X server, with a window manager or without."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import warm_engine

ROOT = Path(__file__).parents[1]
BORROWS = "from tests import warm_engine\nwarm_engine.borrow()\n"


@contextmanager
def x_server(*, managed: bool = False) -> Iterator[str]:
    """A display nobody else uses; skips the test where there is none to be had.

    Args:
        managed: With frames around its windows.
    """
    for program in ("Xvfb", "openbox") if managed else ("Xvfb",):
        if shutil.which(program) is None:
            pytest.skip(f"There is no {program} here.")
    reading, writing = os.pipe()
    # Whatever is wrong from here on, on the display too, they end: the last one first.
    with ExitStack() as started, os.fdopen(reading) as told:
        try:
            size = ["-screen", "0", "1600x1000x24"]
            _start(
                started,
                ["Xvfb", "-displayfd", str(writing), *size, "-nolisten", "tcp"],
                pass_fds=[writing],
            )
        finally:
            os.close(writing)
        number = told.readline().strip()
        if not number:
            pytest.skip("Xvfb doesn't start here.")
        display = f":{number}"
        if managed:
            _start(started, ["openbox"], env={**os.environ, "DISPLAY": display})
        yield display


def _start(started: ExitStack, command: list[str], **how: Any) -> None:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, **how)
    started.callback(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_under(display: str, script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script on a display, with a folder for its profile as its argument.

    Its engine is forked from what is imported already.
    """
    path = folder / "script.py"
    path.write_text(BORROWS + script, encoding="utf-8")
    settings = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
    environment = {k: v for k, v in os.environ.items() if k != "QT_QUICK_BACKEND"}
    ran = subprocess.run(
        [sys.executable, str(path), str(folder / "profile")],
        env={**environment, **settings, **warm_engine.lent()},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    if "could not connect to display" in ran.stderr or "platform plugin" in ran.stderr:
        pytest.skip("Qt can't use an X server here.")
    assert ran.returncode == 0, ran.stderr
    return ran
