"""A process of the program's own code that is told something and answers, through pipes."""

import subprocess
from typing import IO

from explorer.processes.own_processes import command_line, environment

NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Of the system's on Windows, which would show one for every process."""


def piped(module: str, errors: IO[bytes], **variables: str) -> "subprocess.Popen[bytes]":
    """Start a process that reads what it is told and writes what it answers.

    Args:
        module: What it runs.
        errors: A file for what it writes beside that, such as the reason of its end.
        **variables: Of its environment, beside this process's.

    Raises:
        OSError: The system starts no further process.
    """
    return subprocess.Popen(
        command_line(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment(**variables),
        creationflags=NO_WINDOW,
    )


def last_line(errors: IO[bytes]) -> str:
    """The last line of what a process wrote, where the reason of its end stands; "" for none."""
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
