"""A run, or a change of what is there, on its way to the disk."""

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from explorer.sessions.change.marks import Change
from explorer.sessions.log.rows import RunRows
from explorer.sessions.records import LoggedRun

_logger = logging.getLogger(__name__)


@dataclass
class Waiting:
    """A run, or a change of what is there, on its way to the disk.

    Attributes:
        id: The run's, or a new one for a change.
        created_at: When it was handed over.
        run: The run, until it is turned into rows; None for a change.
        on_written: Called once.
        rows: What the run takes as rows.
        change: The change.
    """

    id: str
    created_at: str
    run: LoggedRun | None
    on_written: Callable[[str | None], None] | None
    rows: RunRows | None = None
    change: Change | None = None

    def write(self, connection: sqlite3.Connection) -> None:
        """Bring it into the database."""
        if self.change is not None:
            self.change(connection)
        elif self.rows is not None:
            self.rows.insert(connection)

    def tell(self, sentence: str | None) -> None:
        """Call back once, and only once."""
        on_written, self.on_written = self.on_written, None
        if on_written is None:
            return
        try:
            on_written(sentence)
        except Exception:
            _logger.exception("A listener of the session log failed")
