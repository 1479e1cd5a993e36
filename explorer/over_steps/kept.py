"""What was asked at a step stays asked: numbers of answers, by who answered and what was asked.

One SQLite file in the folder of what can be made again. A step that was answered is written before
the next one is asked, so a run that is stopped or killed goes on where it was.
"""

import contextlib
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from explorer import __version__
from explorer.api.question import MachineFault, ModelStamp
from explorer.files.private import make_file, make_folder
from explorer.over_steps.numbers import FrameNumbers
from explorer.serialise import from_json, to_json
from explorer.text import N_

FILE = "over_steps.db"
VERSION = 1
"""Another one where numbers are read off answers otherwise."""
MOST = 20_000
"""Answers that are kept; those that were given longest ago go first."""
BUSY = 10.0
"""Seconds to wait for another process that writes."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, used INTEGER NOT NULL, numbers BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON answers (used);
"""


def key_of(operation: str, request: str, models: Mapping[str, ModelStamp | tuple[str, str]]) -> str:
    """What an answer is kept by: 32 hexadecimal digits.

    Args:
        operation: The question's name.
        request: As JSON, whole.
        models: By role, who answered; or fingerprint and number type of who would.
    """
    who = {
        role: (one.fingerprint, one.dtype) if isinstance(one, ModelStamp) else one
        for role, one in models.items()
    }
    # Another version of the program may answer otherwise.
    asked = [VERSION, __version__, operation, request, who]
    written = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(written.encode("utf-8", "replace"), digest_size=16).hexdigest()


class KeptNumbers:
    """Answers that were given before; closed at the end of a `with`.

    Args:
        folder: Where the file is; made if it is not there.

    Raises:
        MachineFault: It can't be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with self._told():
            make_folder(folder)
            make_file(folder / FILE)
            self._database = sqlite3.connect(folder / FILE, timeout=BUSY, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_SCHEMA)

    def get(self, key: str) -> FrameNumbers | None:
        """What was kept; None for nothing, or what can't be read any more."""
        with self._told():
            found = self._database.execute("SELECT numbers FROM answers WHERE key = ?", (key,))
            row = found.fetchone()
        if row is None:
            return None
        try:
            return from_json(FrameNumbers, zlib.decompress(row[0]))
        except (ValueError, zlib.error):
            return None

    def put(self, key: str, numbers: FrameNumbers) -> None:
        """Keep an answer; it is safe when this returns."""
        packed = zlib.compress(to_json(numbers).encode("utf-8"))
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._put(key, packed)
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def _put(self, key: str, packed: bytes) -> None:
        used = self._database.execute("SELECT coalesce(max(used), 0) + 1 FROM answers").fetchone()
        self._database.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, used[0], packed)
        )
        count = self._database.execute("SELECT count(*) FROM answers").fetchone()[0]
        if count > MOST:
            self._database.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used LIMIT ?)",
                (count - MOST,),
            )

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise MachineFault(
                N_("What was asked at every step can't be kept in {folder} ({error})."),
                N_("Look whether the disk is full, or whether you may write there."),
                folder=self._folder,
                error=error,
            ) from error
