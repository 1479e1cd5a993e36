"""Reads results files: a page at a time, so that a hundred thousand rows cost what is seen."""

import array
import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from explorer.api.question import Cell, MachineFault
from explorer.api.question import column as a_column
from explorer.files.foreign import json_of
from explorer.text import N_

NUMBER, TEXT, PAIR, FAILURE = "line", "text", "pair", "failure"
"""Names of the columns that every results file has; the question's own stand between, and behind
those the columns of the file of sentences that rows keep."""

OF_FILE = " (file)"
"""Behind the name of a column of the file that a column of the question has too."""

UNKNOWN = "unknown tokens"
"""The column that says how many of a sentence's tokens its answer knows nothing of."""

NOT_COUNTED, MOSTLY_UNKNOWN = "not in the means", N_("most tokens are unknown")
"""The column that sets a sentence apart, there where a file has one, and why it does."""

_FIXED = {NUMBER: "number", TEXT: "text", PAIR: "pair", FAILURE: "failure"}
_AT_ONCE = 500
"""Rows a query asks for by their positions."""


@dataclass(frozen=True)
class ColumnSpread:
    """A column of numbers in a few, counted over the rows that have a number there."""

    column: str = a_column(N_("column"), key=True)
    count: int = a_column(N_("count"))
    mean: float = a_column(N_("mean"))
    minimum: float = a_column(N_("minimum"))
    maximum: float = a_column(N_("maximum"))


@dataclass(frozen=True)
class RowGroup:
    """Rows that have the same in a column.

    Attributes:
        value: What they have.
        count: How many there are.
        failed: How many of them have no answer.
        means: Of the columns of numbers, by their names; None where no row of it has a number.
    """

    value: str
    count: int
    failed: int
    means: Mapping[str, float | None]


class ResultsReader:
    """One results file. Every method opens the file anew: it may grow meanwhile, in any process.

    Args:
        path: The file; one that is not there has no rows.
        most: How many of its rows are read, the first ones; None for all. A file may have more
            than the run asked for whose answer is read.
    """

    def __init__(self, path: Path, most: int | None = None) -> None:
        self.path = path
        self._most = most

    @property
    def each(self) -> "tuple[tuple[str, ResultsReader], ...]":
        """The results of single models that it reads, by their names; "" where it is one."""
        return (("", self),)

    @property
    def _is_of(self) -> tuple[object, ...]:
        return type(self), self.path, self._most

    def __eq__(self, other: object) -> bool:
        """Whether both read the same rows of the same files."""
        return isinstance(other, ResultsReader) and self._is_of == other._is_of

    def __hash__(self) -> int:
        """By what it reads."""
        return hash(self._is_of)

    @property
    def own_columns(self) -> tuple[str, ...]:
        """Names of the question's columns."""
        with self._open() as database:
            return self._own(database)

    @property
    def kept_columns(self) -> tuple[str, ...]:
        """Names of the columns of the file of sentences that its rows keep."""
        with self._open() as database:
            return self._kept(database)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns, in the order of a row's cells."""
        with self._open() as database:
            return (NUMBER, TEXT, PAIR, *self._own(database), *self._kept(database), FAILURE)

    def counts(self) -> tuple[int, int]:
        """How many rows there are, and how many of them failed."""
        with self._open() as database:
            if database is None:
                return 0, 0
            found = database.execute("SELECT count(*), count(failure) FROM rows").fetchone()
            return int(found[0]), int(found[1])

    def order(
        self,
        column: str = NUMBER,
        *,
        descending: bool = False,
        holds: str = "",
        failed: bool = False,
    ) -> "array.array[int]":
        """Positions of rows, sorted.

        Args:
            column: To sort by; rows without a value come last, equal ones as in the file.
            descending: The greatest first.
            holds: Only rows whose text or second text holds this, whatever the case of a to z.
            failed: Only rows that failed.
        """
        with self._open() as database:
            if database is None:
                return array.array("l")
            name = self._column(database, column)
            wanted, values = [], []
            if holds:
                pattern = "%" + "".join("\\" + c if c in "\\%_" else c for c in holds) + "%"
                wanted.append("(text LIKE ? ESCAPE '\\' OR pair LIKE ? ESCAPE '\\')")
                values += [pattern, pattern]
            if failed:
                wanted.append("failure IS NOT NULL")
            where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
            direction = "DESC" if descending else "ASC"
            fold = " COLLATE NOCASE" if name in {"text", "pair", "failure"} else ""
            found = database.execute(
                f"SELECT position FROM rows{where}"  # noqa: S608 - own names
                f" ORDER BY {name} IS NULL, {name}{fold} {direction}, position",
                values,
            )
            return array.array("l", (position for (position,) in found))

    def rows(self, positions: Sequence[int]) -> list[tuple[Cell, ...]]:
        """The cells of rows, in the order of their positions; each as long as `columns`."""
        with self._open() as database:
            if database is None:
                return []
            cells = self._cells(database)
            found: dict[int, tuple[Cell, ...]] = {}
            for start in range(0, len(positions), _AT_ONCE):
                some = positions[start : start + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                rows = database.execute(
                    f"SELECT position, {cells} FROM rows WHERE position IN ({marks})",  # noqa: S608
                    list(some),
                )
                found.update((row[0], row[1:]) for row in rows)
            return [found[position] for position in positions if position in found]

    def every(self) -> Iterator[tuple[Cell, ...]]:
        """The cells of all rows, in the order of the sentences."""
        with self._open() as database:
            if database is not None:
                cells = self._cells(database)
                yield from database.execute(
                    f"SELECT {cells} FROM rows ORDER BY position"  # noqa: S608 - own names
                )

    def cells(
        self, columns: Sequence[str], where: tuple[str, str] | None = None
    ) -> Iterator[tuple[Cell, ...]]:
        """Some cells of every row that has an answer and counts, in the order of the sentences.

        Args:
            columns: Their names; one that no row has is empty everywhere.
            where: A column and what is to be in it, as `groups` tells both; None for all rows.
        """
        with self._open() as database:
            if database is None:
                return
            own = self._own(database)
            names = (f"c{own.index(name)}" if name in own else "NULL" for name in columns)
            wanted, values = "", tuple[str, ...]()
            if where is not None:
                wanted = f" AND coalesce(CAST({self._column(database, where[0])} AS TEXT), '') = ?"
                values = (where[1],)
            yield from database.execute(
                f"SELECT {', '.join(names)} FROM rows WHERE failure IS NULL"  # noqa: S608
                f" AND {self._counted(own)}{wanted} ORDER BY position",
                values,
            )

    def spreads(self) -> tuple[ColumnSpread, ...]:
        """Count, mean and bounds of every column of numbers, over the rows that count."""
        found: list[ColumnSpread] = []
        with self._open() as database:
            if database is None:
                return ()
            own = self._own(database)
            for place, column in enumerate(own):
                name = f"c{place}"
                counted = "1" if column == UNKNOWN else self._counted(own)
                count, mean, low, high = database.execute(
                    f"SELECT count(*), avg({name}), min({name}), max({name}) FROM rows"  # noqa: S608
                    f" WHERE typeof({name}) IN ('integer', 'real') AND {counted}"
                ).fetchone()
                if count:
                    found.append(
                        ColumnSpread(column, int(count), float(mean), float(low), float(high))
                    )
        return tuple(found)

    def groups(self, by: str) -> tuple["RowGroup", ...]:
        """The rows that have the same in a column, in the order in which these first come.

        Args:
            by: The column's name.
        """
        with self._open() as database:
            if database is None:
                return ()
            own = self._own(database)
            named = self._column(database, by)
            numbers = [
                place
                for place, _name in enumerate(own)
                if database.execute(
                    f"SELECT 1 FROM rows WHERE typeof(c{place}) IN ('integer', 'real') LIMIT 1"  # noqa: S608
                ).fetchone()
            ]
            counts = f"failure IS NULL AND {self._counted(own)}"
            means = "".join(
                f", avg(CASE WHEN {counts} AND typeof(c{place}) != 'text' THEN c{place} END)"
                for place in numbers
            )
            found = database.execute(
                f"SELECT {named}, count(*), count(failure){means} FROM rows"  # noqa: S608
                f" GROUP BY {named} ORDER BY min(position)"
            )
            return tuple(
                RowGroup(
                    "" if value is None else str(value),
                    int(count),
                    int(failed),
                    {own[place]: mean for place, mean in zip(numbers, rest, strict=True)},
                )
                for value, count, failed, *rest in found
            )

    def not_counted(self) -> int:
        """How many rows are left out of the means."""
        with self._open() as database:
            own = self._own(database)
            if database is None or NOT_COUNTED not in own:
                return 0
            asked = f"SELECT count(*) FROM rows WHERE NOT ({self._counted(own)})"  # noqa: S608
            return int(database.execute(asked).fetchone()[0])

    def failures(self, most: int) -> tuple[tuple[int, str, str], ...]:
        """The first sentences that failed: line, text, and why."""
        with self._open() as database:
            if database is None:
                return ()
            found = database.execute(
                "SELECT number, text, failure FROM rows WHERE failure IS NOT NULL"
                " ORDER BY position LIMIT ?",
                (most,),
            )
            return tuple((int(number), str(text), str(why)) for number, text, why in found)

    def about(self, key: str) -> object:
        """What was kept of where the sentences came from, or None."""
        with self._open() as database:
            if database is None:
                return None
            found = database.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
            return None if found is None else json_of(found[0])

    # ---- the file ----------------------------------------------------------------------------

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        if not self.path.exists():
            yield None
            return
        try:
            place = f"file:{quote(str(self.path))}?mode=ro"
            with contextlib.closing(sqlite3.connect(place, uri=True)) as database:
                # Between the making of the file and that of its tables it holds none.
                made = database.execute("PRAGMA table_info(rows)").fetchall()
                if made and self._most is not None:
                    # In the place of the table, for whatever is asked of it.
                    first = f"SELECT * FROM main.rows WHERE position <= {int(self._most)}"  # noqa: S608
                    database.execute(f"CREATE TEMP VIEW rows AS {first}")
                yield database if made else None
        except sqlite3.Error as error:
            raise self._unreadable(self.path, error) from error

    @staticmethod
    def _unreadable(path: Path, error: sqlite3.Error) -> MachineFault:
        return MachineFault(
            N_("The results in {name} can't be read ({error})."),
            N_("Delete the file, then run again."),
            name=path.name,
            error=error,
        )

    @staticmethod
    def _own(database: sqlite3.Connection | None) -> tuple[str, ...]:
        if database is None:
            return ()
        found = database.execute("SELECT name FROM columns ORDER BY place")
        return tuple(str(name) for (name,) in found)

    @classmethod
    def _kept(cls, database: sqlite3.Connection | None) -> tuple[str, ...]:
        """As they are told apart from the question's."""
        if database is None or not database.execute("PRAGMA main.table_info(kept)").fetchall():
            return ()  # an older file
        found = database.execute("SELECT name FROM main.kept ORDER BY place")
        return names_apart((str(name) for (name,) in found), cls._own(database))

    @staticmethod
    def _counted(own: Sequence[str]) -> str:
        """What is so of the rows that count."""
        return f"c{own.index(NOT_COUNTED)} IS NULL" if NOT_COUNTED in own else "1"

    def _cells(self, database: sqlite3.Connection) -> str:
        own = (f"c{place}" for place, _ in enumerate(self._own(database)))
        kept = (f"k{place}" for place, _ in enumerate(self._kept(database)))
        return ", ".join(("number", "text", "pair", *own, *kept, "failure"))

    def _column(self, database: sqlite3.Connection, name: str) -> str:
        own, kept = self._own(database), self._kept(database)
        if name in own:
            return f"c{own.index(name)}"
        return f"k{kept.index(name)}" if name in kept else _FIXED.get(name, "number")


def names_apart(kept: Iterable[str], own: Collection[str]) -> tuple[str, ...]:
    """Names of the file's columns, each another one than those of the question and each other."""
    taken = {NUMBER, TEXT, PAIR, FAILURE, *own}
    found: list[str] = []
    for name in kept:
        while name in taken:
            name += OF_FILE  # noqa: PLW2901 - another name
        taken.add(name)
        found.append(name)
    return tuple(found)
