"""How far something is, on one line of the terminal that is written over."""

import sys
import time

from explorer.printing.streams import terminal
from explorer.text.printable import on_a_line

REPORT_EVERY = 0.5
"""Seconds between two reports of progress."""


class TerminalProgress:
    """Says on a terminal's standard error how far it is.

    Attributes:
        who: What each report begins with.
    """

    def __init__(self) -> None:
        self.who = ""
        self._last = 0.0
        self._width = 0

    def __call__(self, stage: str, _done: float, _total: float) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._last >= REPORT_EVERY and sys.stderr.isatty():
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
