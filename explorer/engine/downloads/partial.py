"""A file that is still arriving."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from explorer.api.family import Cancelled
from explorer.engine.downloads.hub import RemoteFile

_BLOCK = 1 << 20


class Partial:
    """The beginning of a file on disk, and the digest of what is there of it.

    Args:
        path: Where it grows; what an earlier download left there is gone on with.
        file: What it is to become.
        is_cancelled: Asked while what is there is read.

    Raises:
        Cancelled: It was.
        OSError: The disk refuses.
    """

    def __init__(self, path: Path, file: RemoteFile, is_cancelled: Callable[[], bool]) -> None:
        self._file = file
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: whatever ends the process, what was received is on the disk.
        self._stream = path.open("a+b", buffering=0)
        self.size = 0
        self._digest = self._new_digest()
        try:
            self._read_what_is_there(is_cancelled)
        except BaseException:
            self._stream.close()
            raise
        if self.size > file.size:
            self.restart()

    def _read_what_is_there(self, is_cancelled: Callable[[], bool]) -> None:
        self._stream.seek(0)
        while block := self._stream.read(_BLOCK):
            self._digest.update(block)
            self.size += len(block)
            if is_cancelled():
                raise Cancelled

    def write(self, chunk: bytes) -> None:
        """Append what arrived."""
        left = memoryview(chunk)
        while left:
            left = left[self._stream.write(left) :]
        self._digest.update(chunk)
        self.size += len(chunk)

    def restart(self) -> None:
        """Begin again with nothing."""
        self._stream.truncate(0)
        self.size = 0
        self._digest = self._new_digest()

    def matches(self) -> bool:
        """Whether the file is whole and what it should be."""
        return self.size == self._file.size and self._digest.hexdigest() == self._file.digest

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._stream.close()

    def _new_digest(self) -> "hashlib._Hash":
        if len(self._file.digest) == 64:
            return hashlib.sha256()
        # git's name of a blob: SHA-1 over a header and the content.
        digest = hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % self._file.size)
        return digest
