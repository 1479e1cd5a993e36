"""A SQLite file read page by page, without SQLite, for what is left of a damaged one.

SQLite finds a row by way of the pages above it, so one bad page hides every row below. The rows
themselves lie in pages that say by themselves what they hold (https://sqlite.org/fileformat2.html):
here each of those is read, whatever became of the others.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

Record = tuple[str | int | float | bytes | None, ...]

TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 13, 10, 2
_HEADER = b"SQLite format 3\0"
_HEADER_LENGTH = 100
_USUAL_PAGE = 4096
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer, by its serial type."""


class DatabasePages:
    """The pages of a file that may be cut short or overwritten, and of the log beside it.

    Args:
        path: The database; it is only read.
    """

    def __init__(self, path: Path) -> None:
        self._open = ExitStack()
        self._file = self._open.enter_context(path.open("rb"))
        self._size, self._reserved = self._layout()
        self._newer: dict[int, int] = {}
        self._log: IO[bytes] | None = None
        beside = path.with_name(path.name + "-wal")
        if beside.is_file():
            self._log = self._open.enter_context(beside.open("rb"))
            self._newer = self._committed(self._log)
        whole = os.fstat(self._file.fileno()).st_size // self._size
        self.count = max(whole, max(self._newer, default=0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def records(self) -> Iterator[tuple[bool, Record]]:
        """Every row that can be read: whether it is of a table with row numbers, and its cells.

        The rows of a table WITHOUT ROWID, and the entries of indexes, are the others.
        """
        free = self._free_pages()
        for number in range(1, self.count + 1):
            if number in free:
                continue  # what was deleted stays so
            page = self._page(number)
            start = _HEADER_LENGTH if number == 1 else 0
            if len(page) < self._size or page[start] not in (
                TABLE_LEAF,
                INDEX_LEAF,
                INDEX_INTERIOR,
            ):
                continue
            kind = page[start]
            cells = int.from_bytes(page[start + 3 : start + 5], "big")
            pointers = start + (12 if kind == INDEX_INTERIOR else 8)
            for pointer in range(pointers, min(pointers + 2 * cells, self._size - 1), 2):
                place = int.from_bytes(page[pointer : pointer + 2], "big")
                try:
                    yield kind == TABLE_LEAF, _record(self._payload(page, place, kind))
                except (IndexError, ValueError, struct.error):
                    continue

    def _layout(self) -> tuple[int, int]:
        """Bytes of a page, and how many of them at its end are not SQLite's."""
        begin = self._file.read(_HEADER_LENGTH)
        if not begin.startswith(_HEADER):
            return _USUAL_PAGE, 0
        size = int.from_bytes(begin[16:18], "big")
        size = 65536 if size == 1 else size
        is_size = 512 <= size <= 65536 and size & (size - 1) == 0
        return (size, begin[20]) if is_size else (_USUAL_PAGE, 0)

    def _committed(self, log: IO[bytes]) -> dict[int, int]:
        """Where in the write-ahead log the newest content of a page is."""
        header = log.read(_WAL_HEADER)
        if len(header) < _WAL_HEADER or int.from_bytes(header[:4], "big") not in _WAL_MAGIC:
            return {}
        if int.from_bytes(header[8:12], "big") != self._size:
            return {}
        found: dict[int, int] = {}
        begun: dict[int, int] = {}
        place = _WAL_HEADER
        while len(frame := log.read(_FRAME_HEADER)) == _FRAME_HEADER:
            number, commits = struct.unpack(">II", frame[:8])
            # A frame of an earlier round of the log: the newest ends here.
            if frame[8:16] != header[16:24] or len(log.read(self._size)) < self._size:
                break
            begun[number] = place + _FRAME_HEADER
            place += _FRAME_HEADER + self._size
            if commits:
                found |= begun
                begun = {}
        return found

    def _page(self, number: int) -> bytes:
        if self._log is not None and number in self._newer:
            self._log.seek(self._newer[number])
            return self._log.read(self._size)
        self._file.seek((number - 1) * self._size)
        return self._file.read(self._size)

    def _free_pages(self) -> set[int]:
        """Pages that hold nothing any more, as far as the list of them can be read."""
        free: set[int] = set()
        trunk = int.from_bytes(self._page(1)[32:36], "big")
        while 0 < trunk <= self.count and trunk not in free:
            page = self._page(trunk)
            free.add(trunk)
            many = min(int.from_bytes(page[4:8], "big"), self._size // 4 - 2)
            free.update(
                int.from_bytes(page[at : at + 4], "big") for at in range(8, 8 + 4 * many, 4)
            )
            trunk = int.from_bytes(page[:4], "big")
        return free

    def _payload(self, page: bytes, place: int, kind: int) -> bytes:
        """The bytes of a cell, with those that did not fit into its page.

        Raises:
            ValueError: Some of them are lost.
        """
        if kind == INDEX_INTERIOR:
            place += 4  # the page below
        length, place = _varint(page, place)
        if kind == TABLE_LEAF:
            _, place = _varint(page, place)  # the row's number
        usable = self._size - self._reserved
        local = _local_length(length, usable, is_table=kind == TABLE_LEAF)
        parts = [page[place : place + local]]
        missing = length - local
        if missing > self.count * self._size or len(parts[0]) < local:
            raise ValueError("the cell is longer than its file")
        following = page[place + local : place + local + 4]
        while missing > 0:
            number = int.from_bytes(following, "big")
            if not 0 < number <= self.count:
                raise ValueError("the rest of the cell is lost")
            more = self._page(number)
            if len(more) < self._size:
                raise ValueError("the rest of the cell is lost")
            parts.append(more[4 : 4 + min(missing, usable - 4)])
            missing -= len(parts[-1])
            following = more[:4]
        return b"".join(parts)


def _local_length(length: int, usable: int, *, is_table: bool) -> int:
    """How many bytes of a cell are in its own page."""
    most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return length
    least = (usable - 12) * 32 // 255 - 23
    kept = least + (length - least) % (usable - 4)
    return kept if kept <= most else least


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next thing begins."""
    value = 0
    for count in range(8):
        byte = content[place + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    return value << 8 | content[place + 8], place + 9


def _record(payload: bytes) -> Record:
    """The cells of a row.

    Raises:
        IndexError: It ends too early.
        ValueError: It is none.
    """
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != end:
        raise ValueError("not a row")
    cells: list[str | int | float | bytes | None] = []
    for kind in kinds:
        length = _length(kind)
        content = payload[place : place + length]
        if len(content) < length:
            raise ValueError("the row ends too early")
        place += length
        cells.append(_cell(kind, content))
    return tuple(cells)


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return 8 if kind == 7 else _INTEGERS.get(kind, 0)


def _cell(kind: int, content: bytes) -> str | int | float | bytes | None:
    if kind >= 12:
        return content.decode("utf-8") if kind % 2 else content
    if kind in _INTEGERS:
        return int.from_bytes(content, "big", signed=True)
    if kind == 7:
        return float(struct.unpack(">d", content)[0])
    if kind in (8, 9):
        return kind - 8
    if kind == 0:
        return None
    raise ValueError("no such type")
