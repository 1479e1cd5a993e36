"""Reads the results of two models side by side: a row a sentence, columns of each, differences."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from explorer.files_of_sentences.rows import NOT_COUNTED, ResultsReader

BY = " · "
"""Between a column's name and whose it is."""
DIFFERENCE = "difference"
"""Whose the second model's number less the first one's is."""


def column_of(name: str, whose: str) -> str:
    """What a column is called in rows of two models.

    Args:
        name: In the results of one model.
        whose: The model's name, or DIFFERENCE.
    """
    return f"{name}{BY}{whose}"


def parted(column: str) -> tuple[str, str]:
    """A column's name in the results of one model, and whose it is, "" for both or for one."""
    name, by, whose = column.rpartition(BY)
    return (name, whose) if by else (column, "")


class ComparedReader(ResultsReader):
    """The sentences that both models have answered, or failed at.

    Nothing is written: both files are read together, and may grow meanwhile. Each column of words
    or numbers is there for each model; of numbers, the second one's less the first one's as well.
    A sentence is set apart where it is so for one of the models.

    Args:
        path: The first model's results.
        other: The second model's, of the same sentences.
        names: What the two are called.
        most: How many rows are read, the first ones; None for all.
    """

    def __init__(
        self, path: Path, other: Path, names: tuple[str, str], most: int | None = None
    ) -> None:
        super().__init__(path, most)
        self.other, self.names = other, names if names[0] != names[1] else ("A", "B")

    @property
    def each(self) -> tuple[tuple[str, ResultsReader], ...]:
        """Both by their names, each alone."""
        paths = self.path, self.other
        return tuple(
            (name, ResultsReader(path, self._most))
            for name, path in zip(self.names, paths, strict=True)
        )

    @property
    def _is_of(self) -> tuple[object, ...]:
        return (*super()._is_of, self.other, self.names)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        with super()._open() as database:
            if database is None or not self.other.exists():
                yield None
                return
            place = f"file:{quote(str(self.other))}?mode=ro"
            try:
                database.execute("ATTACH ? AS other", (place,))
                made = database.execute("PRAGMA other.table_info(rows)").fetchall()
                if made:
                    self._join(database)
                yield database if made else None
            except sqlite3.Error as error:
                raise self._unreadable(self.other, error) from error

    def _join(self, database: sqlite3.Connection) -> None:
        """Put the rows and columns of both into the place of the first one's."""
        own = [_columns(database, schema) for schema in ("main", "other")]
        found: list[tuple[str, str]] = []
        for name in dict.fromkeys((*own[0], *own[1])):
            first, second = (
                f"{table}.c{columns.index(name)}" if name in columns else "NULL"
                for table, columns in zip(("one", "two"), own, strict=True)
            )
            if name == NOT_COUNTED:
                found.append((name, f"coalesce({first}, {second})"))
                continue
            found.append((column_of(name, self.names[0]), first))
            found.append((column_of(name, self.names[1]), second))
            if name in own[0] and name in own[1] and _has_numbers(database, own[0].index(name)):
                numbers = f"typeof({first}) != 'text' AND typeof({second}) != 'text'"
                less = f"CASE WHEN {numbers} THEN {second} - {first} END"
                found.append((column_of(name, DIFFERENCE), less))
        each = [f"{cell} AS c{place}" for place, (_name, cell) in enumerate(found)]
        each += [f"one.k{place} AS k{place}" for place, _name in enumerate(self._kept(database))]
        cells = ", ".join(each)
        most = "" if self._most is None else f" WHERE one.position <= {int(self._most)}"
        database.execute("DROP VIEW IF EXISTS temp.rows")
        database.execute(
            "CREATE TEMP VIEW rows AS SELECT one.position, one.number, one.text, one.pair,"  # noqa: S608 - own names
            f" coalesce(one.failure, two.failure) AS failure{', ' if cells else ''}{cells}"
            f" FROM main.rows AS one JOIN other.rows AS two USING (position){most}"
        )
        database.execute("CREATE TEMP TABLE columns (place INTEGER PRIMARY KEY, name TEXT)")
        names = [(place, name) for place, (name, _cell) in enumerate(found)]
        database.executemany("INSERT INTO temp.columns VALUES (?, ?)", names)


def _columns(database: sqlite3.Connection, schema: str) -> Sequence[str]:
    found = database.execute(f"SELECT name FROM {schema}.columns ORDER BY place")  # noqa: S608
    return [str(name) for (name,) in found]


def _has_numbers(database: sqlite3.Connection, place: int) -> bool:
    """Whether a column of the first model has any."""
    asked = f"SELECT 1 FROM main.rows WHERE typeof(c{place}) IN ('integer', 'real') LIMIT 1"  # noqa: S608
    return database.execute(asked).fetchone() is not None
