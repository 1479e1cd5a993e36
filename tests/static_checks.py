"""Ruff, mypy and import-linter: beside the tests where those have workers.

    python -m tests.static_checks FOLDER

runs them all and leaves what each said in the folder.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 600.0
"""Seconds one check gets; minutes are for a machine that does other things as well."""

_CONTRACTS = (
    "import sys; from importlinter.cli import lint_imports_command as main;"
    "sys.exit(main(['--no-cache']))"
)
CHECKS = {
    "style": ("-m", "ruff", "check", "--quiet", "."),
    "layout": ("-m", "ruff", "format", "--check", "--quiet", "."),
    "types": ("-m", "mypy"),
    "imports": ("-c", _CONTRACTS),
}


def run(check: str) -> tuple[int, str]:
    """Its exit status and all that it printed."""
    ran = subprocess.run(
        [sys.executable, *CHECKS[check]], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    return ran.returncode, ran.stdout + ran.stderr


def result(check: str, folder: str | None) -> tuple[int, str]:
    """What a check said: waited for if it runs beside the tests, else run now."""
    if folder is None:
        return run(check)
    path = _path(Path(folder), check)
    deadline = time.monotonic() + PATIENCE
    while not path.exists():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the check of {check} said nothing for {PATIENCE:.0f} s")
        time.sleep(0.05)
    status, said = json.loads(path.read_text("utf-8"))
    return status, said


def start(folder: Path) -> "subprocess.Popen[bytes]":
    """Begin all of them in a process of their own."""
    folder.mkdir(parents=True)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.static_checks", str(folder)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def stop(running: "subprocess.Popen[bytes]") -> None:
    """End them, and the tool that just runs."""
    if running.poll() is None:
        if os.name == "nt":
            running.kill()
        else:
            os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _path(folder: Path, check: str) -> Path:
    return folder / f"{check}.json"


def main() -> None:
    """Run one after the other, each file whole or not there."""
    folder = Path(sys.argv[1])
    if hasattr(os, "nice"):
        # Workers wait now and then: for a timer, for a process. That is time enough for checks.
        os.nice(10)
    for check in CHECKS:
        try:
            told = run(check)
        except subprocess.TimeoutExpired as error:
            told = (1, str(error))
        unfinished = folder / "unfinished"
        unfinished.write_text(json.dumps(told), encoding="utf-8")
        unfinished.replace(_path(folder, check))


if __name__ == "__main__":
    main()
