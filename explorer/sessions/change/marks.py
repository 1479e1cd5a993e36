"""What a user adds to the log afterwards: stars, notes, names; and what is let go."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from explorer.sessions.log.identity import iso_time, now_milliseconds
from explorer.sessions.read.searching import first_id

Change = Callable[[sqlite3.Connection], None]
"""Changes the database inside a transaction that the caller holds."""

_INSERT_MARK = (
    "INSERT OR IGNORE INTO marks (run_id, starred, note, changed_at) VALUES (?, 0, '', ?)"
)
DAY_MILLISECONDS = 86_400_000


@dataclass(frozen=True)
class Star:
    """Put a star on a run, or take it away."""

    run_id: str
    starred: bool

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Change the run's mark."""
        now = iso_time(now_milliseconds())
        connection.execute(_INSERT_MARK, (self.run_id, now))
        connection.execute(
            "UPDATE marks SET starred = ?, changed_at = ? WHERE run_id = ?",
            (int(self.starred), now, self.run_id),
        )


@dataclass(frozen=True)
class Note:
    """Write a note on a run; "" takes it away."""

    run_id: str
    text: str

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Change the run's mark, and what the search finds."""
        now = iso_time(now_milliseconds())
        connection.execute(_INSERT_MARK, (self.run_id, now))
        connection.execute(
            "UPDATE marks SET note = ?, changed_at = ? WHERE run_id = ?",
            (self.text, now, self.run_id),
        )
        connection.execute(
            "UPDATE run_search SET note = ? WHERE rowid ="
            " (SELECT number FROM run_numbers WHERE run_id = ?)",
            (self.text, self.run_id),
        )


@dataclass(frozen=True)
class Rename:
    """Give a session a name."""

    session_id: str
    name: str

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Change the session's row."""
        connection.execute(
            "UPDATE sessions SET name = ? WHERE id = ?", (self.name, self.session_id)
        )


_NO_DOCUMENT_ALONE = (
    "DELETE FROM documents WHERE NOT EXISTS"
    " (SELECT 1 FROM runs WHERE runs.document_id = documents.id)"
)


@dataclass(frozen=True)
class Drop:
    """Let one run go, unless it has a star or a note."""

    run_id: str

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Delete it, and its document where no other run is of it."""
        connection.execute(
            "DELETE FROM runs WHERE id = ? AND id NOT IN"
            " (SELECT run_id FROM marks WHERE starred = 1 OR note <> '')",
            (self.run_id,),
        )
        connection.execute(_NO_DOCUMENT_ALONE)


@dataclass(frozen=True)
class Forget:
    """Let runs go that are older than so many days; starred and noted ones stay.

    Attributes:
        days: From 1 on.
        now: Milliseconds since 1970.
    """

    days: int
    now: int

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Delete the runs, and the documents and sessions nothing refers to any more."""
        oldest = first_id(max(0, self.now - self.days * DAY_MILLISECONDS))
        connection.execute(
            "DELETE FROM runs WHERE id < ? AND id NOT IN"
            " (SELECT run_id FROM marks WHERE starred = 1 OR note <> '')",
            (oldest,),
        )
        connection.execute(_NO_DOCUMENT_ALONE)
        connection.execute(
            "DELETE FROM sessions WHERE id < ? AND NOT EXISTS"
            " (SELECT 1 FROM runs WHERE runs.session_id = sessions.id)",
            (oldest,),
        )
