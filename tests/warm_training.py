"""Processes that train which begin with torch imported, forked as tests/warm_engine.py does.

What is tried of a run lies behind its process's imports, which take longer than all its steps.
tests/learning/runs/test_killed.py begins some of its own as well, which nothing is forked for.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from explorer.learning.runs import trainings
from explorer.processes.detached import detached
from explorer.processes.own_processes import environment
from tests.warm_engine import HAS_FORKS, warm_forks

if TYPE_CHECKING:
    import pytest


def use(patch: "pytest.MonkeyPatch") -> None:
    """Let what this process has trained be trained so, where the system can."""
    if HAS_FORKS:
        patch.setattr(trainings, "detached", begin)


def begin(module: str, errors: IO[bytes], *arguments: str, folder: Path, **variables: str) -> Any:
    """As `detached`; of other modules than the one that trains it is that."""
    if module != trainings.WORKER:
        return detached(module, errors, *arguments, folder=folder, **variables)
    return ForkedTraining(errors.name, arguments, folder, environment(**variables))


class ForkedTraining:
    """What is asked of a process that was begun: as `subprocess.Popen` tells it."""

    def __init__(
        self, log: str, arguments: Sequence[str], folder: Path, around: Mapping[str, str]
    ) -> None:
        self._forked = warm_forks().Process(target=_be, args=(log, arguments, folder, around))
        self._forked.start()

    @property
    def returncode(self) -> int | None:
        """Its exit status, as far as it is known."""
        code: int | None = self._forked.exitcode
        return code

    def poll(self) -> int | None:
        """Its exit status; None while it is there."""
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        self._forked.kill()

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for its end, as long as is told.

        Raises:
            TimeoutExpired: It goes on.
        """
        self._forked.join(timeout)
        if timeout is not None and self.returncode is None:
            raise subprocess.TimeoutExpired("what trains", timeout)
        return self.returncode


def _be(log: str, arguments: Sequence[str], folder: Path, around: Mapping[str, str]) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(around)
    os.chdir(folder)
    written = os.open(log, os.O_WRONLY | os.O_APPEND)
    for number in (1, 2):
        os.dup2(written, number)
    from explorer.learning.runs.worker import main

    sys.exit(main(arguments))
