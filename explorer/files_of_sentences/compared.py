"""Reads results of several models side by side: a row a sentence, columns of each, differences."""

import contextlib
import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from explorer.files_of_sentences.rows import NOT_COUNTED, ResultsReader

BY = " · "
"""Between a column's name and whose it is."""
DIFFERENCE = "difference"
"""Whose the second model's number less the first one's is."""
OF_FURTHER = f"{DIFFERENCE} of "
"""The same of more than two, before the name of the model that is compared with the first."""
MOST_MODELS = 8
"""Models side by side: SQLite reads eleven files together, and a screen has room for fewer."""


def column_of(name: str, whose: str) -> str:
    """What a column is called in rows of several models.

    Args:
        name: In the results of one model.
        whose: The model's name, or that of a difference.
    """
    return f"{name}{BY}{whose}"


def compared_with_first(whose: str) -> str:
    """The model of a difference, where there are more than two; "" of anything else."""
    return whose.removeprefix(OF_FURTHER) if whose.startswith(OF_FURTHER) else ""


def parted(column: str) -> tuple[str, str]:
    """A column's name in the results of one model, and whose it is, "" for all or for one."""
    name, by, whose = column.rpartition(BY)
    return (name, whose) if by else (column, "")


class ComparedReader(ResultsReader):
    """The sentences that all models have answered, or failed at.

    Nothing is written: the files are read together, and may grow meanwhile. Each column of words
    or numbers is there for each model; of numbers, each one's less the first one's as well.
    A sentence is set apart where it is so for one of the models.

    Args:
        path: The first model's results.
        others: The other models', of the same sentences.
        names: What they are called, the first one's first.
        most: How many rows are read, the first ones; None for all.
    """

    def __init__(
        self, path: Path, others: Sequence[Path], names: Sequence[str], most: int | None = None
    ) -> None:
        super().__init__(path, most)
        self.others = tuple(others)
        alike = len({*names}) < len(names)
        self.names = (
            tuple(chr(ord("A") + place) for place in range(len(names))) if alike else (*names,)
        )

    @property
    def each(self) -> tuple[tuple[str, ResultsReader], ...]:
        """All by their names, each alone."""
        paths = self.path, *self.others
        return tuple(
            (name, ResultsReader(path, self._most))
            for name, path in zip(self.names, paths, strict=True)
        )

    @property
    def _is_of(self) -> tuple[object, ...]:
        return (*super()._is_of, self.others, self.names)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        with super()._open() as database:
            if database is None or not all(other.exists() for other in self.others):
                yield None
                return
            reading = self.path
            try:
                for number, reading in enumerate(self.others, 1):
                    place = f"file:{quote(str(reading))}?mode=ro"
                    database.execute(f"ATTACH ? AS m{number}", (place,))
                    if not database.execute(f"PRAGMA m{number}.table_info(rows)").fetchall():
                        yield None
                        return
                self._join(database)
            except sqlite3.Error as error:
                raise self._unreadable(reading, error) from error
            yield database

    def _join(self, database: sqlite3.Connection) -> None:
        """Put the rows and columns of all into the place of the first one's."""
        schemas = ("main", *(f"m{number}" for number, _ in enumerate(self.others, 1)))
        rows = tuple(f"r{number}" for number, _ in enumerate(schemas))
        own = [_columns(database, schema) for schema in schemas]
        found: list[tuple[str, str]] = []
        for name in dict.fromkeys(itertools.chain(*own)):
            cells = [
                f"{table}.c{columns.index(name)}" if name in columns else "NULL"
                for table, columns in zip(rows, own, strict=True)
            ]
            if name == NOT_COUNTED:
                found.append((name, f"coalesce({', '.join(cells)})"))
                continue
            found += [
                (column_of(name, whose), cell)
                for whose, cell in zip(self.names, cells, strict=True)
            ]
            if name in own[0] and _has_numbers(database, own[0].index(name)):
                found += [
                    (column_of(name, self._difference_of(number)), _less(cells[number], cells[0]))
                    for number in range(1, len(rows))
                    if name in own[number]
                ]
        cells = [f", {cell} AS c{place}" for place, (_name, cell) in enumerate(found)]
        cells += [f", r0.k{place} AS k{place}" for place, _name in enumerate(self._kept(database))]
        failures = ", ".join(f"{table}.failure" for table in rows)
        joined = "".join(
            f" JOIN {schema}.rows AS {table} USING (position)"
            for schema, table in zip(schemas[1:], rows[1:], strict=True)
        )
        most = "" if self._most is None else f" WHERE r0.position <= {int(self._most)}"
        database.execute("DROP VIEW IF EXISTS temp.rows")
        database.execute(
            "CREATE TEMP VIEW rows AS SELECT r0.position, r0.number, r0.text, r0.pair,"  # noqa: S608 - own names
            f" coalesce({failures}) AS failure{''.join(cells)} FROM main.rows AS r0{joined}{most}"
        )
        database.execute("CREATE TEMP TABLE columns (place INTEGER PRIMARY KEY, name TEXT)")
        names = [(place, name) for place, (name, _cell) in enumerate(found)]
        database.executemany("INSERT INTO temp.columns VALUES (?, ?)", names)

    def _difference_of(self, number: int) -> str:
        """Whose a model's number less the first one's is."""
        return DIFFERENCE if len(self.names) == 2 else f"{OF_FURTHER}{self.names[number]}"


def _less(one: str, first: str) -> str:
    """A number less the first model's; nothing where one of them is none."""
    numbers = f"typeof({one}) != 'text' AND typeof({first}) != 'text'"
    return f"CASE WHEN {numbers} THEN {one} - {first} END"


def _columns(database: sqlite3.Connection, schema: str) -> Sequence[str]:
    found = database.execute(f"SELECT name FROM {schema}.columns ORDER BY place")  # noqa: S608
    return [str(name) for (name,) in found]


def _has_numbers(database: sqlite3.Connection, place: int) -> bool:
    """Whether a column of the first model has any."""
    asked = f"SELECT 1 FROM main.rows WHERE typeof(c{place}) IN ('integer', 'real') LIMIT 1"  # noqa: S608
    return database.execute(asked).fetchone() is not None
