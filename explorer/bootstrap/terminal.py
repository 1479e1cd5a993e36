"""One line that tells what setting up is busy with, and the log that keeps everything."""

import shutil
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

QUIET_INTERVAL = 30.0
"""Seconds between two lines where the output is a file or a pipe and not a terminal."""


class Terminal:
    """Says what is going on: on stderr for a person, in a file in full.

    stdout stays untouched: a command's JSON goes there.
    """

    def __init__(self, log: Path, stream: IO[str] | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._shown = ""
        self._said_at = time.monotonic()
        self.log_path = log
        log.parent.mkdir(parents=True, exist_ok=True)
        self._log = log.open("a", encoding="utf-8", errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clear()
        self._log.close()

    def say(self, text: str) -> None:
        """A line that stays."""
        self._clear()
        self._stream.write(text + "\n")
        self._stream.flush()
        self._said_at = time.monotonic()
        self.note(text)

    def note(self, text: str) -> None:
        """A line for the log only."""
        self._log.write(text.rstrip("\n") + "\n")
        self._log.flush()

    def show(self, text: str) -> None:
        """The live line: replaces the one before it; on a pipe it comes out now and then."""
        if not self._live:
            if time.monotonic() - self._said_at >= QUIET_INTERVAL:
                self._stream.write(f"      {text}\n")
                self._stream.flush()
                self._said_at = time.monotonic()
            return
        width = max(20, shutil.get_terminal_size().columns - 1)
        line = f"      {text}"
        if len(line) > width:
            line = line[: width - 1] + "…"
        # Blanks rather than an escape sequence: old Windows consoles print those as they are.
        self._stream.write("\r" + line.ljust(len(self._shown)))
        self._stream.flush()
        self._shown = line

    def _clear(self) -> None:
        if self._shown:
            self._stream.write("\r" + " " * len(self._shown) + "\r")
            self._shown = ""
