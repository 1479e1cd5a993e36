"""How far something is: on a line of the terminal that is written over, or in lines elsewhere."""

import sys
import time

from explorer.printing.streams import terminal
from explorer.text.printable import on_a_line

REPORT_EVERY = 0.5
"""Seconds between two reports of progress."""
LINE_EVERY = 60.0
"""Seconds between two lines where standard error is no terminal, as in a file that a cluster or
nohup keeps."""


class TerminalProgress:
    """Says on standard error how far it is; where that is no terminal, what is quick says nothing.

    Attributes:
        who: What each report begins with.
    """

    def __init__(self) -> None:
        self.who = ""
        self._last = 0.0
        self._width = 0
        self._last_line: float | None = None

    def __call__(self, stage: str, _done: float, _total: float) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if not sys.stderr.isatty():
            if self._last_line is None:
                self._last_line = now
            elif now - self._last_line >= LINE_EVERY:
                self._last_line = now
                line = on_a_line(f"{self.who}{stage}")
                sys.stderr.write(f"{line}\n")
                sys.stderr.flush()
            return
        if now - self._last >= REPORT_EVERY:
            self._last = now
            said = f"{self.who}{stage}"
            terminal().write(f"\r{on_a_line(said):<{self._width}}")
            terminal().flush()
            self._width = len(said)

    def end(self) -> None:
        """Leave the line as it was found."""
        if self._width:
            terminal().write(f"\r{'':<{self._width}}\r")
            self._width = 0
