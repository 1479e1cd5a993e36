"""The numbers of an answer, each with a name that it has at every step of a model's training.

They follow from what a question says of its answers: the cells of its summary, and the rows of its
tables, whose keys (a position and a word, a layer and a head) say which number is which.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Cell, Question, Table, TableColumn
from explorer.api.question.rows.column_titles import titled
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.language import for_programs
from explorer.text.phrase import NOTHING

Floats = NDArray[np.float64]

MOST = 4000
"""Numbers that are kept of a table at a step; those of the rows after them are left out."""
OF_ROW = N_("{measured}: {row}")
OF_KEY = N_("{key} {cell}")
BOTH = N_("{first}, {second}")
NUMBERED = re.compile(r"-?[\d.]+(e[+-]?\d+)?")


@dataclass(frozen=True)
class NumberColumn:
    """What is measured.

    Attributes:
        name: In files: "probability".
        title: What people read.
        unit: What it is counted in; "" for nothing.
        least: What it comes to where there is nothing left to learn; None where nobody knows.
    """

    name: str
    title: Phrase
    unit: Phrase = NOTHING
    least: float | None = None


@dataclass(frozen=True)
class NumberKey:
    """What says which row a number is of.

    Attributes:
        name: In files: "layer".
        title: What people read.
    """

    name: str
    title: Phrase


@dataclass(frozen=True)
class NumberTable:
    """Numbers whose rows have the same keys.

    Attributes:
        keys: Of each row; none of a summary, which is one row.
        columns: What is measured.
        rows: The keys' cells of each row, as programs have them; each row stands there once.
        values: Rows x columns of one answer, steps x rows x columns of many; not a number where
            there is none.
        left_out: Numbers that were too many.
        phrases: Cells that have words in other languages, by what programs have.
    """

    keys: tuple[NumberKey, ...]
    columns: tuple[NumberColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    values: Floats
    left_out: int = 0
    phrases: Mapping[str, Phrase] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What tables of several answers have in common."""
        return self.keys, self.columns


@dataclass(frozen=True)
class FrameNumbers:
    """All numbers of one answer."""

    tables: tuple[NumberTable, ...]


@dataclass(frozen=True)
class FollowedNumber:
    """A number over the steps.

    Attributes:
        name: By which it is chosen, typed and kept: "probability mask=3 word=soup".
        column: What is measured.
        row: Which of them, in the field's terms; "" for the only one.
        values: One a step; not a number where there is none.
    """

    name: str
    column: NumberColumn
    row: Phrase
    values: Floats = field(repr=False)

    @property
    def title(self) -> Phrase:
        """What people read."""
        if not self.row:
            return self.column.title
        return Phrase(OF_ROW, measured=self.column.title, row=self.row)

    def has(self, words: str) -> bool:
        """Whether each of some words is in its name, as programs or as people read it."""
        sought = f"{said(self.title)} {self.title} {self.name}".casefold()
        return all(word in sought for word in words.casefold().split())


def numbers_of(question: Question[Any, Any], result: Any) -> FrameNumbers:
    """The numbers of an answer.

    Args:
        question: That was asked.
        result: Its answer.
    """
    with for_programs():
        found = [*_of_summary(question, result)]
        shapes = set()
        for table in _tables(question, result):
            read = _of_table(table)
            if read is not None and read.shape not in shapes:
                shapes.add(read.shape)
                found.append(read)
    return FrameNumbers(tuple(found))


def _of_summary(question: Question[Any, Any], result: Any) -> Iterator[NumberTable]:
    cells = {} if question.summary is None else question.summary(result)
    read = {name: _number(one) for name, one in cells.items()}
    numbers = {name: one for name, one in read.items() if math.isfinite(one)}
    if numbers:
        columns = tuple(NumberColumn(name, titled(name, question.titles)) for name in numbers)
        yield NumberTable((), columns, ((),), np.array([[*numbers.values()]], np.float64))


def _tables(question: Question[Any, Any], result: Any) -> Iterator[Table]:
    yield question.table(result)
    if question.has_parts:
        for part in question.parts_of(result):
            for _title, one in part.parts_with_rows():
                yield one.table()


def _of_table(table: Table) -> NumberTable | None:
    about = table.described()
    keys = [n for n, one in enumerate(about) if one.key]
    columns = [n for n, one in enumerate(about) if not one.key and one.is_number and one.compared]
    if not columns or not table.rows or (not keys and len(table.rows) > 1):
        return None
    rows: dict[tuple[str, ...], list[float]] = {}
    phrases: dict[str, Phrase] = {}
    most = max(1, MOST // len(columns))
    left_out = 0
    for row in table.rows:
        key = tuple(_plain(row[n]) for n in keys)
        if key in rows:
            continue
        if len(rows) == most:
            left_out += len(columns)
            continue
        rows[key] = [_number(row[n]) for n in columns]
        phrases |= {_plain(one): one for n in keys if isinstance(one := row[n], Phrase)}
    values = np.array([*rows.values()], np.float64)
    there = [n for n in range(len(columns)) if np.isfinite(values[:, n]).any()]
    if not there:
        return None
    return NumberTable(
        tuple(NumberKey(about[n].name, _title(about[n])) for n in keys),
        tuple(_column(about[columns[n]]) for n in there),
        tuple(rows),
        values[:, there],
        left_out,
        phrases,
    )


def _plain(cell: Cell) -> str:
    return "" if cell is None else str.__str__(cell) if isinstance(cell, str) else str(cell)


def _column(about: TableColumn) -> NumberColumn:
    unit = Phrase(about.unit) if about.unit else NOTHING
    return NumberColumn(about.name, _title(about), unit, about.least)


def _title(about: TableColumn) -> Phrase:
    return Phrase(about.title) if about.title else verbatim(about.name)


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else math.nan


def merged(frames: Sequence[FrameNumbers | None]) -> tuple[NumberTable, ...]:
    """The numbers of several answers to one question, step by step.

    Args:
        frames: An answer each; None where there is none.

    Returns:
        Tables whose values are steps x rows x columns. Columns that one step alone has are there.
    """
    shapes: dict[tuple[Any, ...], dict[str, NumberColumn]] = {}
    for frame in frames:
        for table in () if frame is None else frame.tables:
            known = shapes.setdefault(table.keys, {})
            for column in table.columns:
                known.setdefault(column.name, column)
    return tuple(_merged(keys, [*columns.values()], frames) for keys, columns in shapes.items())


def _merged(
    keys: tuple[NumberKey, ...],
    columns: Sequence[NumberColumn],
    frames: Sequence[FrameNumbers | None],
) -> NumberTable:
    places = {one.name: n for n, one in enumerate(columns)}
    rows: dict[tuple[str, ...], int] = {}
    phrases: dict[str, Phrase] = {}
    found: list[tuple[int, NumberTable]] = []
    for step, frame in enumerate(frames):
        for table in () if frame is None else frame.tables:
            if table.keys == keys:
                found.append((step, table))
                phrases |= table.phrases
                for row in table.rows:
                    rows.setdefault(row, len(rows))
    values = np.full((len(frames), len(rows), len(columns)), np.nan)
    for step, table in found:
        at = [rows[row] for row in table.rows]
        for n, column in enumerate(table.columns):
            kept = values[step, at, places[column.name]]
            given = table.values[:, n]
            values[step, at, places[column.name]] = np.where(np.isfinite(kept), kept, given)
    left_out = max((table.left_out for _step, table in found), default=0)
    return NumberTable(keys, tuple(columns), tuple(rows), values, left_out, phrases)


def followed(tables: Iterable[NumberTable]) -> Iterator[FollowedNumber]:
    """Every number, by the name by which it is chosen.

    Args:
        tables: As `merged` has them.
    """
    for table in tables:
        told = _told_apart(table)
        for r, row in enumerate(table.rows):
            which = _row_said([(table.keys[n].title, row[n]) for n in told], table.phrases)
            keyed = "".join(
                f" {key.name}={_typed(cell)}" for key, cell in zip(table.keys, row, strict=True)
            )
            for c, column in enumerate(table.columns):
                yield FollowedNumber(f"{column.name}{keyed}", column, which, table.values[:, r, c])


def _told_apart(table: NumberTable) -> list[int]:
    """The keys that tell rows apart: the position is not said where there is only one."""
    return [n for n in range(len(table.keys)) if len({row[n] for row in table.rows}) > 1]


def _row_said(cells: Sequence[tuple[Phrase, str]], phrases: Mapping[str, Phrase]) -> Phrase:
    """Words first: they say more than where they are."""
    words = [phrases.get(cell) or verbatim(cell) for _title, cell in cells if is_word(cell)]
    numbers = [
        Phrase(OF_KEY, key=title, cell=cell) for title, cell in cells if cell and not is_word(cell)
    ]
    every = [*words, *numbers]
    found = every[0] if every else NOTHING
    for one in every[1:]:
        found = Phrase(BOTH, first=found, second=one)
    return found


def is_word(cell: str) -> bool:
    """Whether a row is told by a word, and not by where something is."""
    return bool(cell) and not cell.isdecimal() and not NUMBERED.fullmatch(cell)


def _typed(cell: str) -> str:
    """A cell as names have it, which stand in lists with commas between them."""
    return cell.replace("%", "%25").replace(",", "%2C").replace(" ", "%20")


def without_constant(numbers: Iterable[FollowedNumber]) -> Iterator[FollowedNumber]:
    """Those that differ from one step to another."""
    for one in numbers:
        known = one.values[np.isfinite(one.values)]
        if len(known) > 1 and known.max() > known.min():
            yield one


def named(numbers: Iterable[FollowedNumber]) -> Mapping[str, FollowedNumber]:
    """By their names; of equal ones the first."""
    found: dict[str, FollowedNumber] = {}
    for one in numbers:
        found.setdefault(one.name, one)
    return found


def at_steps(number: FollowedNumber, places: Sequence[int]) -> FollowedNumber:
    """The same at some of the steps."""
    return replace(number, values=number.values[[*places]])
