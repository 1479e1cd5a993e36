"""Runs a long command: its lines go to the log, the latest that matters to the screen."""

import os
import queue
import subprocess
import threading
import time
from pathlib import Path

from explorer.bootstrap.pip_output import live_line
from explorer.bootstrap.terminal import Terminal


class Output(list[str]):
    """What a command printed, line by line, and its exit status."""

    status = 0


def run_command(
    command: list[str], folder: Path, terminal: Terminal, lock: int | None = None
) -> Output:
    """Run a command to its end.

    Args:
        command: Program and arguments.
        folder: Where it runs.
        terminal: Gets the lines.
        lock: A file descriptor the command keeps open. If this process is killed, the command
            goes on for a while, and nobody else may begin the same until it ends.
    """
    terminal.note("$ " + " ".join(command))
    # A user's `user = true` for pip would fail inside any virtual environment.
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", "PIP_USER": "0"}
    variables.pop("__PYVENV_LAUNCHER__", None)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        cwd=folder,
        env=variables,
        pass_fds=() if os.name == "nt" or lock is None else (lock,),
    )
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read_lines, args=(process, lines), daemon=True)
    reader.start()
    try:
        output = _follow(lines, terminal)
        output.status = process.wait()
    except BaseException:
        # Ctrl-C reaches the child by itself; this is for every other way out.
        process.terminate()
        process.wait()
        raise
    finally:
        reader.join()
    return output


def _follow(lines: "queue.SimpleQueue[str | None]", terminal: Terminal) -> Output:
    output = Output()
    started, shown = time.monotonic(), ""
    while True:
        try:
            line = lines.get(timeout=1.0)
        except queue.Empty:
            line = ""  # nothing new, but the clock in the live line goes on
        if line is None:
            return output
        if line:
            shown = live_line(line, shown)
            if not line.startswith("Progress "):
                output.append(line)
                terminal.note(line)
        if shown:
            terminal.show(f"{shown}  ({duration_text(time.monotonic() - started)})")


def _read_lines(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str | None]") -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line.rstrip("\n"))
    lines.put(None)


def duration_text(seconds: float) -> str:
    """Seconds as people say them: "1 min 5 s"."""
    whole = int(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
