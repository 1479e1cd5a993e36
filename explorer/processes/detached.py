"""A process of the program's own code that goes on when the one that started it is gone."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from explorer.processes import beginning
from explorer.processes.own_processes import command_line, environment
from explorer.processes.piped import NO_WINDOW

NICE = 10
"""How far others go before it, from 0 to 19, as `nice` has it."""


class DetachedProcess(subprocess.Popen[bytes]):
    """A process that goes on when who started it is gone, which is no mistake to warn of."""

    def __del__(self) -> None:
        """As of any process, without the warning that it was not waited for."""
        # What modules hold may be gone by then, `contextlib` too.
        try:  # noqa: SIM105
            super().__del__(_warn=lambda *_what, **_how: None)  # type: ignore[call-arg]
        except AttributeError:  # it was never begun
            pass


def detached(
    module: str, errors: IO[bytes], *arguments: str, folder: Path, **variables: str
) -> DetachedProcess:
    """Start a process that nobody has to wait for; neither Ctrl+C nor a closed terminal ends it.

    Args:
        module: What it runs.
        errors: A file for what it writes.
        *arguments: Of its command line.
        folder: Where it stands.
        **variables: Of its environment, beside this process's.

    Raises:
        OSError: The system starts no further process.
    """
    around = environment(**variables)
    del around[beginning.PARENT]
    lower = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return DetachedProcess(
        command_line(module, *arguments),
        stdin=subprocess.DEVNULL,
        stdout=errors,
        stderr=errors,
        cwd=folder,
        env=around,
        start_new_session=True,
        creationflags=NO_WINDOW | lower | group,
    )


def give_way(nice: int) -> None:
    """Let other processes go before this one; on Windows it was started so."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        os.nice(nice)
    # Linux shares its time among sessions first, and this process has one of its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(nice), "ascii")
