"""From the published texts of a knowledge graph's entities to files that are opened in no time.

Everything is made in a folder of another name that is renamed at the end: what is cut off,
malformed or stopped leaves nothing behind.
"""

import contextlib
import hashlib
import json
import re
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from explorer.api.family import CheckpointFault, Context
from explorer.text import N_

from .place import VECTORS

NUMBERS, NAMES = "entity2id.txt", "entity_map.txt"
TABLE, INDEX, FACTS = "vectors.npy", "names.sqlite", "facts.json"

CHUNK = 8 * 2**20
ROWS = 20_000
"""Rows of names that are written at once."""

AGAIN = N_("Copy or download kg_embed again.")

TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE ids (number INTEGER PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE names (number INTEGER, name TEXT NOT NULL, called TEXT NOT NULL, folded TEXT NOT NULL);
CREATE TABLE longest (words INTEGER);
"""
APART = re.compile(r" \([^()]*\)$")
"""What tells namesakes apart in titles, as in "Mercury (planet)": no text writes it."""

INSERT_NAME = "INSERT INTO names SELECT number, ?, ?, ? FROM ids WHERE id = ?"


@dataclass(frozen=True)
class GraphReading:
    """How the files of a graph are read.

    Attributes:
        context: Is told how far it is, and cancels.
        feed: Takes everything that was read, to tell this graph from others.
    """

    context: Context
    feed: Callable[[bytes], object]

    def lines(self, path: Path, stage: str) -> Iterator[tuple[int, str]]:
        """Lines that are not empty, with their numbers from 1."""
        size, done = float(path.stat().st_size), 0
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                done += len(raw)
                if number % ROWS == 1:
                    self.context.check()
                    self.context.progress(stage, float(done), size)
                self.feed(raw)
                try:
                    line = raw.decode("utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    raise _malformed(N_("Line {line} of {name} is not UTF-8."), path, number) from (
                        error
                    )
                if line.strip():
                    yield number, line


def convert(source: Path, width: int, kept: Path, context: Context) -> None:
    """Make the files of a graph.

    Args:
        source: The folder with the published texts.
        width: Numbers in a vector.
        kept: The folder that is made.
        context: Is told how far it is, and cancels.

    Raises:
        CheckpointFault: A file is malformed or cut off.
        OSError: There is no room.
        Cancelled: It was stopped.
    """
    kept.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=f"{kept.name}.half-", dir=kept.parent))
    digest = hashlib.blake2b(digest_size=16)
    reading = GraphReading(context, digest.update)
    try:
        with contextlib.closing(sqlite3.connect(half / INDEX)) as database:
            database.executescript(TABLES)
            count = _write_numbers(reading, source / NUMBERS, database)
            _write_names(reading, source / NAMES, database)
            database.commit()
        _write_vectors(reading, source / VECTORS, half / TABLE, (count, width))
        facts = {"digest": digest.hexdigest(), "count": count, "width": width}
        (half / FACTS).write_text(json.dumps(facts), "utf-8")
        try:
            half.rename(kept)
        except OSError:
            if not (kept / FACTS).is_file():  # else another process was quicker
                raise
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _write_numbers(reading: GraphReading, path: Path, database: sqlite3.Connection) -> int:
    """Ids and their numbers; returns how many."""
    lines = reading.lines(path, N_("reading ids of entities"))
    _, first = next(lines, (1, ""))
    if not first.strip().isdecimal():
        raise _malformed(
            N_("Line {line} of {name} does not say how many entities there are."), path, 1
        )
    count, seen = int(first), 0
    rows: list[tuple[int, str]] = []
    try:
        for place, line in lines:
            name, _, number = (cell.strip() for cell in line.partition("\t"))
            if not name or not number.isdecimal() or int(number) >= count:
                raise _malformed(
                    N_("Line {line} of {name} is no id with a number below the count."), path, place
                )
            rows.append((int(number), name))
            seen += 1
            if len(rows) == ROWS:
                database.executemany("INSERT INTO ids VALUES (?, ?)", rows)
                rows.clear()
        database.executemany("INSERT INTO ids VALUES (?, ?)", rows)
        if seen != count:
            raise _cut_off(path, seen, count)
        reading.context.progress(N_("sorting ids of entities"), 0.0, 0.0)
        database.execute("CREATE UNIQUE INDEX by_id ON ids (id)")
    except sqlite3.IntegrityError as error:
        raise CheckpointFault(
            N_("{name} names an entity or a number twice."), AGAIN, name=path.name
        ) from error
    return count


def _write_names(reading: GraphReading, path: Path, database: sqlite3.Connection) -> None:
    """Names of entities that have a vector; others are passed over."""
    rows: list[tuple[str, str, str, str]] = []
    longest = 1
    for place, line in reading.lines(path, N_("reading names of entities")):
        name, _tab, number = (cell.strip() for cell in line.rpartition("\t"))
        if not name or not number:
            raise _malformed(N_("Line {line} of {name} is no name with an id."), path, place)
        called = APART.sub("", name) or name
        rows.append((name, called, name.casefold(), number))
        longest = max(longest, called.count(" ") + 1)
        if len(rows) == ROWS:
            database.executemany(INSERT_NAME, rows)
            rows.clear()
    database.executemany(INSERT_NAME, rows)
    reading.context.progress(N_("sorting names of entities"), 0.0, 0.0)
    for column in ("called", "folded", "number"):
        reading.context.check()
        database.execute(f"CREATE INDEX by_{column} ON names ({column})")
    database.execute("INSERT INTO longest VALUES (?)", (longest,))


def _write_vectors(reading: GraphReading, path: Path, target: Path, shape: tuple[int, int]) -> None:
    """Numbers of a text to an array on disk, without ever holding all of them."""
    count, width = shape
    table = np.lib.format.open_memmap(target, mode="w+", dtype=np.float32, shape=shape)
    size, done, at = float(path.stat().st_size), 0, 0
    with path.open("rb") as file:
        for chunk in _whole_lines(file):
            reading.context.check()
            reading.context.progress(N_("converting vectors of entities"), float(done), size)
            done += len(chunk)
            rows = _numbers(path, chunk, at, width, cut=done >= size)
            if at + len(rows) > count:
                raise CheckpointFault(
                    N_("{name} has more vectors than the {count} entities of {numbers}."),
                    AGAIN,
                    name=path.name,
                    count=count,
                    numbers=NUMBERS,
                )
            table[at : at + len(rows)] = rows
            reading.feed(rows.tobytes())
            at += len(rows)
    if at != count:
        raise _cut_off(path, at, count)
    table.flush()


def _whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """A file in pieces of some megabytes that end with a line."""
    rest = b""
    while read := file.read(CHUNK):
        chunk = rest + read
        cut = chunk.rfind(b"\n") + 1
        rest = chunk[cut:]
        if cut:
            yield chunk[:cut]
    if rest.strip():
        yield rest + b"\n"


def _numbers(
    path: Path, chunk: bytes, before: int, width: int, *, cut: bool
) -> NDArray[np.float32]:
    """The vectors of some whole lines.

    Args:
        path: Of which file.
        chunk: The lines.
        before: Lines before them.
        width: Numbers in each.
        cut: The file ends with them, so that the last one may be half a line.

    Raises:
        CheckpointFault: A line has another number of numbers, or what is none.
    """
    lines = chunk.count(b"\n")
    # Tabs are counted on the bytes: two wrong lines could hold as many numbers as two right ones.
    octets = np.frombuffer(chunk, dtype=np.uint8)
    ends = np.flatnonzero(octets == ord("\n"))
    tabs = np.cumsum(octets == ord("\t"), dtype=np.int64)[ends]
    if bool((np.diff(tabs, prepend=0) == width - 1).all()):
        # What is no number raises here, or only warns in some versions: it is told below.
        with contextlib.suppress(ValueError), warnings.catch_warnings(action="ignore"):
            rows = np.fromstring(chunk, dtype=np.float32, sep="\t")
            if rows.size == lines * width and bool(np.isfinite(rows).all()):
                return rows.reshape(lines, width)
    return _one_by_one(path, chunk.splitlines(), before, width, cut=cut)


def _one_by_one(
    path: Path, lines: list[bytes], before: int, width: int, *, cut: bool
) -> NDArray[np.float32]:
    """The same for lines that are not all right, or that are parted by spaces."""
    read = []
    for number, line in enumerate(lines, start=1):
        try:
            vector = np.array(line.split(), dtype=np.float32)
        except ValueError:
            vector = np.array([np.nan], dtype=np.float32)
        if len(vector) != width or not np.isfinite(vector).all():
            if cut and number == len(lines):
                break  # half a line: what is missing is told with the count
            raise _malformed(
                N_("Line {line} of {name} is not {width} numbers."), path, before + number, width
            )
        read.append(vector)
    return np.array(read, dtype=np.float32).reshape(-1, width)


def _malformed(sentence: str, path: Path, line: int, width: int = 0) -> CheckpointFault:
    return CheckpointFault(sentence, AGAIN, name=path.name, line=line, width=width)


def _cut_off(path: Path, found: int, count: int) -> CheckpointFault:
    return CheckpointFault(
        N_("{name} is cut off: it has {found} of {count} entities."),
        AGAIN,
        name=path.name,
        found=found,
        count=count,
    )
