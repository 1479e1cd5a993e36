"""States of a corpus on disk: written in blocks, continued where it was stopped, never trusted.

A folder holds the states (float16, each of length 1), where in which text each is, the texts with
their labels, and a record for every block that is whole: how far each file reaches then, and
checksums of what was added. Only what whole blocks hold is read. What a block's record does not
fit is cut off from there on, and made again.
"""

import errno
import shutil
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import MachineFault
from explorer.questions.layers.contexts.corpus import CorpusText
from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely

Halves = NDArray[np.float16]

HEAD = struct.Struct("<8s40sI")
"""What it is, a digest of whose states they are, their width; zeros follow up to a record."""
RECORD = struct.Struct("<qqqIII4x")
"""Texts, tokens and bytes of texts so far; checksums of the block's states, places and texts."""
MAGIC = b"plmctx1\n"
PLACE = np.dtype([("text", "<i8"), ("bytes", "<i4"), ("start", "<i4"), ("end", "<i4")])
"""Where a token is: first byte and bytes of its text in the file of texts, and its characters."""
TEXT_END, FIELD_END = "\x1f", "\x1e"
"""Between a text and its labels, and between two labels: no text of a line has them."""
SPARE = 200_000_000
"""Bytes that stay free on the disk."""
MOST_BYTES = 6_000_000_000
"""Of all indexes together: the oldest go first."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

assert HEAD.size <= 64


@dataclass(frozen=True)
class IndexBlock:
    """How far an index reaches at the end of a block."""

    texts: int
    tokens: int
    text_bytes: int
    states_sum: int = 0
    places_sum: int = 0
    texts_sum: int = 0


NOTHING = IndexBlock(0, 0, 0)


class StatesIndex:
    """An index on disk.

    Args:
        folder: Its own; made when something is written.
        whose: What the states are of: model, number type, corpus and layer. An index of anything
            else that lies there is thrown away.
        width: Of a state.
        read: Find out now how much of it there is; else whoever makes it says so.
    """

    def __init__(self, folder: Path, whose: str, width: int, *, read: bool = True) -> None:
        self.folder, self.width = folder, width
        self._head = HEAD.pack(MAGIC, whose.encode()[:40], width).ljust(64, b"\0")
        self._files = {name: folder / name for name in ("blocks", "states", "places", "texts")}
        self.blocks: tuple[IndexBlock, ...] = self.whole_blocks() if read else ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """Its files."""
        return tuple(self._files.values())

    @property
    def end(self) -> IndexBlock:
        """The last block that is whole."""
        return self.blocks[-1] if self.blocks else NOTHING

    def reaching(self, tokens: int) -> IndexBlock | None:
        """The first block up to which there are so many tokens; None while there are fewer.

        Of a corpus that has no more the last one, which is empty.
        """
        found = next((one for one in self.blocks if one.tokens >= tokens), None)
        ended = len(self.blocks) > 1 and self.blocks[-2].texts == self.end.texts
        return found or (self.end if ended else None)

    def bytes_for(self, tokens: int) -> int:
        """About how many bytes so many tokens take, with their texts."""
        return tokens * (2 * self.width + PLACE.itemsize + 24)

    def make_room(self, tokens: int) -> None:
        """Refuse where the disk has no room for so many tokens; let older indexes go.

        Raises:
            MachineFault: There is less than it takes.
        """
        needed = max(0, self.bytes_for(tokens) - self.bytes_for(self.end.tokens))
        there = next((one for one in self.folder.parents if one.is_dir()), None)
        free = shutil.disk_usage(there).free if there is not None else needed + SPARE
        if free < needed + SPARE:
            raise MachineFault(
                N_("The index takes about {needed}, and the disk has {free} left."),
                N_("Make room, or search fewer tokens."),
                needed=bytes_precisely(needed),
                free=bytes_precisely(free),
            )
        _let_older_go(self.folder, needed)

    def add(self, texts: Sequence[CorpusText], places: Any, states: Halves) -> None:
        """Write a block: its parts first, and its record once they are there.

        Args:
            texts: Its texts.
            places: For each token its text among them, and its characters: [tokens, 3].
            states: Shape [tokens, width].

        Raises:
            MachineFault: The disk is full.
        """
        written = [_written(one) for one in texts]
        begins = np.cumsum([self.end.text_bytes, *map(len, written)])
        rows = np.zeros(len(places), PLACE)
        numbers = np.asarray(places, np.int64).reshape(-1, 3)
        rows["text"] = begins[numbers[:, 0]]
        rows["bytes"] = np.array([len(one) for one in written] or [0])[numbers[:, 0]]
        rows["start"], rows["end"] = numbers[:, 1], numbers[:, 2]
        parts = {
            "states": np.ascontiguousarray(states, "<f2").tobytes(),
            "places": rows.tobytes(),
            "texts": b"".join(written),
        }
        end = IndexBlock(
            self.end.texts + len(texts),
            self.end.tokens + len(rows),
            int(begins[-1]),
            *(zlib.crc32(part) for part in parts.values()),
        )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name, part in parts.items():
                _put(self._files[name], self._size(name, self.end), part)
            at = len(self._head) + len(self.blocks) * RECORD.size
            if not self.blocks:
                _put(self._files["blocks"], 0, self._head)
            _put(self._files["blocks"], at, RECORD.pack(*vars(end).values()))
        except OSError as error:
            if error.errno not in _FULL:
                raise
            raise MachineFault(
                N_("The disk is full: the index has {tokens} tokens, and goes on from there."),
                N_("Make room, and press Run again."),
                tokens=self.end.tokens,
            ) from error
        self.blocks = (*self.blocks, end)

    def states(self, end: IndexBlock) -> Halves:
        """The states up to a block, read where they are used: shape [tokens, width]."""
        shape = (end.tokens, self.width)
        if not end.tokens:
            return np.zeros(shape, np.float16)
        return np.memmap(self._files["states"], "<f2", "r", shape=shape)

    def place(self, token: int) -> tuple[CorpusText, int, int]:
        """The text that a token is in, and its characters."""
        with self._files["places"].open("rb") as file:
            file.seek(token * PLACE.itemsize)
            (row,) = np.frombuffer(file.read(PLACE.itemsize), PLACE)
        with self._files["texts"].open("rb") as file:
            file.seek(int(row["text"]))
            text = _read(file.read(int(row["bytes"])))
        return text, int(row["start"]), int(row["end"])

    def _size(self, name: str, end: IndexBlock) -> int:
        """Bytes of a file at the end of a block."""
        each = {"states": 2 * self.width, "places": PLACE.itemsize}
        return end.tokens * each[name] if name in each else end.text_bytes

    def whole_blocks(self) -> tuple[IndexBlock, ...]:
        """Those whose parts are there as they were written; the first that is not ends them."""
        try:
            written = self._files["blocks"].read_bytes()
        except OSError:
            return ()
        if written[: len(self._head)] != self._head:
            return ()
        found: list[IndexBlock] = []
        before = NOTHING
        for at in range(len(self._head), len(written) - RECORD.size + 1, RECORD.size):
            block = IndexBlock(*RECORD.unpack_from(written, at))
            if not self._is_whole(before, block):
                break
            found.append(block)
            before = block
        return tuple(found)

    def _is_whole(self, before: IndexBlock, block: IndexBlock) -> bool:
        if block.tokens < before.tokens or block.text_bytes < before.text_bytes:
            return False
        for name, total in (
            ("states", block.states_sum),
            ("places", block.places_sum),
            ("texts", block.texts_sum),
        ):
            start, stop = self._size(name, before), self._size(name, block)
            try:
                if self._files[name].stat().st_size < stop:
                    return False
                with self._files[name].open("rb") as file:
                    file.seek(start)
                    part = file.read(stop - start)
            except OSError:
                return False
            if len(part) != stop - start or zlib.crc32(part) != total:
                return False
        return True


def _put(path: Path, at: int, content: bytes) -> None:
    """Write to a place of a file, and cut off what an interrupted run left there."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.seek(at)
        file.write(content)
        file.truncate()


def _written(one: CorpusText) -> bytes:
    labels = FIELD_END.join(" ".join(map(str, label)) for label in one.labels)
    return f"{one.text}{TEXT_END}{labels}\n".encode()


def _read(line: bytes) -> CorpusText:
    text, _end, labels = line.decode().rstrip("\n").partition(TEXT_END)
    return CorpusText(text, tuple(_labels(labels)))


def _labels(written: str) -> Iterator[tuple[int, int, str, str]]:
    for one in filter(None, written.split(FIELD_END)):
        start, end, kind, label = one.split(" ", 3)
        yield int(start), int(end), kind, label


def _let_older_go(folder: Path, needed: int) -> None:
    """Delete the indexes that were written longest ago while all take more than they may."""
    others = [one for one in folder.parent.glob("*") if one.is_dir() and one != folder]
    sizes = {one: sum(file.stat().st_size for file in one.iterdir()) for one in others}
    for one in sorted(others, key=lambda one: one.stat().st_mtime):
        if sum(sizes.values()) + needed <= MOST_BYTES:
            return
        shutil.rmtree(one, ignore_errors=True)
        del sizes[one]
