"""`python main.py ...` in a process of its own that has imported torch when it begins.

It is forked from the process that tests/warm_engine.py keeps, and what it says, its status, its
environment and the signals that it gets are those of a program started by hand. Tests of the start
itself start one by hand.
"""

import atexit
import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.warm_engine import warm_forks

ROOT = Path(__file__).resolve().parents[1]
MAIN = ROOT / "main.py"
PATIENCE = 240.0
"""Seconds until a program that does not end is killed."""


@dataclass(frozen=True)
class Surroundings:
    """What a process begins with.

    Attributes:
        environment: All of it.
        folder: Where it works.
        typed: What it reads.
        umask: None for the tests' own.
        first: What it does before anything else, such as to set itself a limit.
    """

    environment: Mapping[str, str]
    folder: Path
    typed: str = ""
    umask: int | None = None
    first: Callable[[], object] | None = None


class Running:
    """A program that runs; what it says is read when it has ended."""

    def __init__(self, arguments: tuple[str, ...], around: Surroundings) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="plm-explorer-tests-warm-")
        place = Path(self._place.name)
        (place / "in").write_text(around.typed, encoding="utf-8")
        self.arguments = arguments
        self.process = warm_forks().Process(target=_be, args=(arguments, around, place))
        self.process.start()

    def poll(self) -> int | None:
        """The status; None while it runs."""
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()

    def ended(self, timeout: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        """Wait for its end, and read what it said.

        Raises:
            TimeoutExpired: It did not end, and was killed.
        """
        self.process.join(timeout)
        status = self.process.exitcode
        if status is None:
            self.kill()
            self.process.join()
        out, err = (
            (Path(self._place.name) / name).read_text("utf-8", "backslashreplace")
            for name in ("out", "err")
        )
        self._place.cleanup()
        self.process.close()
        if status is None:
            raise subprocess.TimeoutExpired(list(self.arguments), timeout, out, err)
        return subprocess.CompletedProcess(list(self.arguments), status, out, err)


def start(
    *arguments: object,
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
    **others: Any,
) -> Running:
    """Start the program.

    Args:
        arguments: Words of its command line; bytes where they are no text.
        environment: What is added to the tests' own.
        folder: Where it works.
        others: As in `Surroundings`.
    """
    words = tuple(os.fsdecode(one) if isinstance(one, bytes) else str(one) for one in arguments)
    return Running(words, Surroundings({**os.environ, **(environment or {})}, folder, **others))


def run(*arguments: object, **around: Any) -> subprocess.CompletedProcess[str]:
    """Run the program to its end; the arguments of `start`."""
    return start(*arguments, **around).ended()


def _be(arguments: tuple[str, ...], around: Surroundings, place: Path) -> None:
    os.environ.clear()
    os.environ.update(around.environment)
    tempfile.tempdir = None  # it was found in another environment
    os.chdir(around.folder)
    _speak_through(place)
    if around.umask is not None:
        os.umask(around.umask)
    if around.first is not None:
        around.first()
    sys.argv = [str(MAIN), *arguments]
    try:
        runpy.run_path(str(MAIN), run_name="__main__")
    finally:
        # Who is forked ends without a word to those who wait for the end of the interpreter.
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()


def _speak_through(place: Path) -> None:
    reading, writing = os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for number, (name, flags) in enumerate((("in", reading), ("out", writing), ("err", writing))):
        opened = os.open(place / name, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
