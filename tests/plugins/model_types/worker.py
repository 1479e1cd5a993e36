"""A process of its own in which types are tried: what ends it, or takes too long, ends no other.

It serves one type after the other, for the program's questions take seconds to import; it begins
anew after one that ended it.
"""

import resource
import tempfile
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from tests.plugins.model_types.trying import TriedType, try_type

FORKED = get_context("fork")
MOST_BYTES = 8 << 30
"""Address space of a process that tries types: what is made small asks for far less."""
MOST_SECONDS = 300


class TryingWorker:
    """Tries types, one at a time."""

    def __init__(self) -> None:
        self._process: FORKED.Process | None = None
        self._pipe: Connection | None = None

    def tried(self, kind: str) -> TriedType:
        """What came of a type, whatever became of the process."""
        if self._process is None:
            self._pipe, there = FORKED.Pipe()
            self._process = FORKED.Process(target=_serve, args=(there, self._pipe), daemon=True)
            self._process.start()
            there.close()
        self._pipe.send(kind)
        try:
            if self._pipe.poll(MOST_SECONDS):
                found: TriedType = self._pipe.recv()
                return found
            what = f"it took more than {MOST_SECONDS} seconds"
        except (EOFError, OSError):
            self._process.join()
            what = f"it ended its process, status {self._process.exitcode}"
        self.close()
        return TriedType(kind, faults=(what,))

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


def _serve(there: Connection, here: Connection) -> None:
    here.close()  # so that it ends with the process that asks it
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    while True:
        try:
            kind = there.recv()
        except EOFError:
            return
        with tempfile.TemporaryDirectory() as place:
            there.send(try_type(kind, Path(place)))
