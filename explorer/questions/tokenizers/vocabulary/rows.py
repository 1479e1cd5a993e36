"""A row for every piece of a vocabulary in a file, which is searched and read a page at a time.

A quarter of a million rows are too many for an answer and for a log. The engine writes the file
once for a vocabulary and a text; the window reads what is seen of it.
"""

import array
import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import regex

from explorer.api.question import MachineFault, UserMistake
from explorer.questions.tokenizers.vocabulary.options import SearchMode, Sort, Which
from explorer.questions.tokenizers.vocabulary.question import VocabularyRow
from explorer.text import N_

SCHEMA = 1
"""Another one for files with other columns, or cells that mean something else."""
MOST_FILES = 24
"""Files that are kept; the oldest go."""
LONGEST_PATTERN = 200
SLOWEST_PIECE = 0.25
"""Seconds that a pattern may take for one piece: one that takes longer never ends."""
SLOWEST = 10.0
"""Seconds for all pieces."""
LOOKS_AFTER = 2_000
"""Pieces between two looks whether to go on."""
_AT_ONCE = 500

_COLUMNS = ("id", "piece", "text", "place", "script", "characters", "size", "uses", "shared")
_CELLS = ", ".join(_COLUMNS)
_WHICH = {
    Which.ALL: "1",
    Which.WORDS: "place = 'word'",
    Which.PARTS: "place IN ('continues', 'begins', 'bytes')",
    Which.SPECIAL: "place IN ('special', 'added')",
    Which.UNUSED: "place = 'unused'",
    Which.USED: "uses > 0",
    Which.NEVER: "uses = 0 AND place IN ('word', 'continues', 'begins', 'bytes')",
    Which.SHARED: "shared = 1",
    Which.ONLY_HERE: "shared = 0",
}
_LOOKED_AT = ("folded", "folded_piece")
_SORTED_BY = {
    "id": "id",
    "text": "folded",
    "length": "coalesce(characters, 0)",
    "script": "script",
    "uses": "uses",
}


@dataclass(frozen=True)
class WantedPieces:
    """Which pieces, and in which order.

    Attributes:
        search: What is looked for; "" for all.
        by: How it is meant.
        which: Which pieces are looked through.
        sort: The order.
    """

    search: str = ""
    by: SearchMode = SearchMode.CONTAINS
    which: Which = Which.ALL
    sort: Sort = Sort.ID


def write_rows(
    folder: Path, key: str, rows: Callable[[], Iterable[tuple[VocabularyRow, str]]]
) -> Path:
    """Put a row for every piece into a file, unless it is there already.

    Args:
        folder: Of such files; made where it is not there.
        key: What the rows follow from.
        rows: Makes them, each with what it stands for.

    Raises:
        MachineFault: The file can't be written.
    """
    digest = hashlib.blake2b(f"{SCHEMA}\0{key}".encode(), digest_size=12).hexdigest()
    place = folder / f"vocabulary-{digest}.db"
    if place.is_file():
        with contextlib.suppress(OSError):
            place.touch()
        return place
    begun = folder / f".{place.name}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        begun.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(begun)) as database:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute(
                "CREATE TABLE pieces (id INTEGER PRIMARY KEY, piece TEXT, text TEXT, place TEXT,"
                " script TEXT, characters INTEGER, size INTEGER, uses INTEGER, shared INTEGER,"
                " plain TEXT, folded TEXT, folded_piece TEXT)"
            )
            database.executemany(
                f"INSERT INTO pieces VALUES ({', '.join('?' * 12)})",  # noqa: S608 - marks
                (_written(row, plain) for row, plain in rows()),
            )
            database.commit()
        begun.replace(place)
        _forget_oldest(folder)
    except (OSError, sqlite3.Error) as error:
        raise MachineFault(
            N_("The table of the vocabulary can't be written ({error})."),
            N_("Make room on the disk."),
            error=error,
        ) from error
    finally:
        with contextlib.suppress(OSError):
            begun.unlink(missing_ok=True)
    return place


def _written(row: VocabularyRow, plain: str) -> tuple[object, ...]:
    return (
        *(row.id, row.piece, row.text, row.place, row.script, row.characters, row.size),
        *(row.uses, row.shared, plain, plain.casefold() or row.text, row.piece.casefold()),
    )


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob("vocabulary-*.db"), key=lambda one: one.stat().st_mtime)
    for one in files[:-MOST_FILES]:
        with contextlib.suppress(OSError):
            one.unlink()


class VocabularyRows:
    """The rows of a file.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_there(self) -> bool:
        """The file was not cleared away."""
        return self.path.is_file()

    def ids(
        self, wanted: WantedPieces, check: Callable[[], None] = lambda: None
    ) -> "array.array[int]":
        """The pieces that are wanted, in order.

        Args:
            wanted: Which.
            check: Called now and then; may raise to stop.

        Raises:
            UserMistake: What is looked for can't be read, or takes too long.
            MachineFault: The file can't be read.
        """
        where, values = _searched(wanted)
        pattern = _pattern(wanted.search) if _is_pattern(wanted) else None
        direction = "DESC" if wanted.sort.falls else "ASC"
        with self._open() as database:
            found = database.execute(
                f"SELECT id, plain FROM pieces WHERE {_WHICH[wanted.which]} AND ({where})"  # noqa: S608
                f" ORDER BY {_SORTED_BY[wanted.sort.column]} {direction}, id",
                values,
            )
            if pattern is not None:
                return array.array("q", _matching(pattern, found, check))
            return array.array("q", (number for number, _plain in found))

    def rows(self, ids: Sequence[int]) -> list[VocabularyRow]:
        """Pieces by their numbers, in the order of these."""
        found: dict[int, VocabularyRow] = {}
        with self._open() as database:
            for start in range(0, len(ids), _AT_ONCE):
                some = list(ids[start : start + _AT_ONCE])
                marks = ", ".join("?" * len(some))
                for cells in database.execute(
                    f"SELECT {_CELLS} FROM pieces WHERE id IN ({marks})",  # noqa: S608 - own names
                    some,
                ):
                    found[cells[0]] = _read(cells)
        return [found[number] for number in ids if number in found]

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            place = f"file:{quote(str(self.path))}?mode=ro"
            with contextlib.closing(sqlite3.connect(place, uri=True)) as database:
                yield database
        except sqlite3.Error as error:
            raise MachineFault(
                N_("The table of the vocabulary can't be read ({error})."),
                N_("Ask again."),
                error=error,
            ) from error


def _read(cells: tuple[Any, ...]) -> VocabularyRow:
    number, piece, text, place, script, characters, size, uses, shared = cells
    is_shared = None if shared is None else bool(shared)
    return VocabularyRow(number, piece, text, place, script, characters, size, uses, is_shared)


def _is_pattern(wanted: WantedPieces) -> bool:
    return wanted.by is SearchMode.PATTERN and bool(wanted.search)


def _searched(wanted: WantedPieces) -> tuple[str, list[object]]:
    """A condition of SQL and its values."""
    looked_for = (wanted.search.strip() or wanted.search).casefold()
    if wanted.by is SearchMode.ID:
        looked_for = looked_for.strip()
    if not looked_for or _is_pattern(wanted):
        return "1", []
    if wanted.by is not SearchMode.ID:
        found = "instr({0}, ?)" if wanted.by is SearchMode.CONTAINS else "instr({0}, ?) = 1"
        return " OR ".join(found.format(name) for name in _LOOKED_AT), [looked_for, looked_for]
    ranges = list(_ranges(wanted.search))
    return (
        " OR ".join(["id BETWEEN ? AND ?"] * len(ranges)),
        [number for both in ranges for number in both],
    )


def _ranges(typed: str) -> Iterator[tuple[int, int]]:
    """First and last number of each range."""
    for part in typed.split(","):
        first, dash, last = (one.strip() for one in part.partition("-"))
        numbers = (first, last if dash else first)
        if not all(one.isascii() and one.isdecimal() and len(one) < 12 for one in numbers):
            raise UserMistake(
                N_("“{typed}” is no id."),
                N_("Type numbers and ranges, as in 7, 100-120."),
                typed=typed,
            )
        yield int(numbers[0]), int(numbers[1])


def _pattern(typed: str) -> "regex.Pattern[str]":
    """A regular expression.

    Raises:
        UserMistake: It is none, or too long.
    """
    if len(typed) > LONGEST_PATTERN:
        raise UserMistake(
            N_("A pattern of {count} characters is too long; {most} are the most."),
            N_("Write a shorter one."),
            count=len(typed),
            most=LONGEST_PATTERN,
        )
    try:
        return regex.compile(typed, regex.VERSION1)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise UserMistake(
            N_("“{typed}” is no regular expression ({error})."),
            N_("Put a backslash before signs that are meant as such, as in \\+."),
            typed=typed,
            error=error,
        ) from error


def _matching(
    pattern: "regex.Pattern[str]", rows: Iterable[tuple[int, str]], check: Callable[[], None]
) -> Iterator[int]:
    """The numbers of what a pattern is found in.

    Raises:
        UserMistake: It takes too long.
    """
    ends = time.monotonic() + SLOWEST
    for at, (number, plain) in enumerate(rows):
        if at % LOOKS_AFTER == 0:
            check()
        try:
            # Other threads go on meanwhile.
            is_in = pattern.search(plain, timeout=SLOWEST_PIECE, concurrent=True) is not None
        except TimeoutError:
            raise _too_slow(pattern) from None
        if time.monotonic() > ends:
            raise _too_slow(pattern)
        if is_in:
            yield number


def _too_slow(pattern: "regex.Pattern[str]") -> UserMistake:
    return UserMistake(
        N_("The pattern “{typed}” takes too long."),
        N_("Write it without a repetition inside a repetition, as in (a+)+."),
        typed=pattern.pattern,
    )
