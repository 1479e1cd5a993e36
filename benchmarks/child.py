"""Runs a measurement in a process of its own, timed from before that process exists."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STARTED = "PLM_EXPLORER_BENCHMARK_STARTED"
PROFILE = "PLM_EXPLORER_BENCHMARK_PROFILE"
ROOT = Path(__file__).resolve().parent.parent


def median_from_start(module: str, kinds: tuple[str, ...], repeats: int) -> list[float]:
    """Median seconds from starting a process to what it calls done, for each kind.

    The kinds take turns, so that whatever else the machine does falls on all of them alike.
    """
    times: list[list[float]] = [[] for _ in kinds]
    for _ in range(repeats):
        for kind, taken in zip(kinds, times, strict=True):
            taken.append(_once(module, kind))
    return [statistics.median(taken) for taken in times]


def _once(module: str, kind: str) -> float:
    with tempfile.TemporaryDirectory() as profile:
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            PROFILE: profile,
            STARTED: repr(time.time()),
        }
        # Installed libraries have their bytecode; where this keeps the program's own from being
        # kept, as in containers, each of its modules would be compiled again at every start.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(  # noqa: PLW1510  its exit code is looked at below
            [sys.executable, "-m", module, kind],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=180,
        )
    if done.returncode:
        raise RuntimeError(f"{module} {kind} failed: {done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def say_done() -> None:
    """In the child: print the seconds since its start was ordered."""
    sys.stdout.write(f"{time.time() - float(os.environ[STARTED]):.6f}\n")
    sys.stdout.flush()


def profile() -> Path:
    """In the child: a fresh folder for what the program writes."""
    return Path(os.environ[PROFILE])
