"""Sorts and filters results on a thread of its own, so that the window never waits."""

import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject

from explorer.api.question import Optioned, Pool
from explorer.files_of_sentences.compared import parted
from explorer.files_of_sentences.rows import (
    FAILURE,
    NUMBER,
    PAIR,
    TEXT,
    ColumnSpread,
    ResultsReader,
    RowGroup,
)
from explorer.questions.many.file_of_sentences.options import (
    FAILED,
    FALLS,
    GROUP,
    HOLDS,
    SORT,
)
from explorer.ui.blocks import LatestWork

LOOKED_AT = 20
"""Rows by which a column is known for one of words or of numbers."""


@dataclass(frozen=True)
class Order:
    """Which rows, and in which order.

    Attributes:
        column: Sorted by it.
        descending: The greatest first.
        holds: Only sentences that hold this.
        failed: Only sentences that failed.
        by: The column whose equal rows are told of together; "" for none.
    """

    column: str = NUMBER
    descending: bool = False
    holds: str = ""
    failed: bool = False
    by: str = ""

    @staticmethod
    def of(document: Optioned, worst: str = "") -> "Order":
        """What a document sets.

        Args:
            document: With the options.
            worst: The column whose greatest come first where nothing is sorted by; "" for none.
        """
        column, falls = SORT.of(document), FALLS.of(document)
        if not column and worst:
            column, falls = worst, True
        holds = HOLDS.of(document).strip()
        return Order(column or NUMBER, falls, holds, FAILED.of(document), GROUP.of(document))

    def among(self, columns: Sequence[str]) -> "Order":
        """The same of a file that may lack the column: its rows are as they were written."""
        if self.column in columns:
            return self
        return replace(self, column=NUMBER, descending=False)

    @property
    def is_plain(self) -> bool:
        """All rows as they were written: new ones come at the end."""
        return replace(self, by="") == Order()

    def positions(self, reader: ResultsReader) -> "array.array[int]":
        """Of the rows in a file."""
        return reader.order(
            self.column, descending=self.descending, holds=self.holds, failed=self.failed
        )


@dataclass(frozen=True, eq=False)
class FileSnapshot:
    """What a file held when it was looked at; no two looks are the same.

    Attributes:
        reader: Reads the results.
        order: What was asked for.
        columns: Names of a row's cells.
        texts: Those of words.
        positions: The rows, in order.
        done: All rows there were.
        failed: How many of them failed.
        spreads: Of the columns of numbers.
        pooled: What all rows of each model say together, where the question has a pool.
        not_counted: How many rows are left out of both.
        groups: The rows that have the same in the column they are grouped by.
        lacking: Columns that stand for a model whose answers have none such.
    """

    reader: ResultsReader
    order: Order
    columns: tuple[str, ...]
    texts: frozenset[str]
    positions: "array.array[int]"
    done: int
    failed: int
    spreads: tuple[ColumnSpread, ...]
    pooled: tuple[Any, ...] = ()
    not_counted: int = 0
    lacking: frozenset[str] = frozenset()
    groups: tuple[RowGroup, ...] = ()

    def goes_on(self, before: "FileSnapshot") -> bool:
        """Whether it holds the rows that an earlier look found, and maybe more after them."""
        return (
            self.order.is_plain
            and (before.reader, before.columns, before.order)
            == (self.reader, self.columns, self.order)
            and len(self.positions) >= len(before.positions)
        )


class Ordering(LatestWork):
    """Looks at a results file, one question at a time; only the last one asked is told.

    `done` tells a FileSnapshot.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("results", parent)
        self._spreads: dict[tuple[ResultsReader, int], tuple[ColumnSpread, ...]] = {}
        self._pooled: dict[tuple[ResultsReader, int], tuple[Any, ...]] = {}

    def look(self, reader: ResultsReader, order: Order, pool: Pool | None = None) -> None:
        """Look at results; a signal tells what was found.

        Args:
            reader: Reads those that belong to the answer.
            order: Which rows, and in which order.
            pool: How all of them are pooled; None where they are not.
        """
        self.ask(lambda: self._found(reader, order, pool))

    def _found(self, reader: ResultsReader, order: Order, pool: Pool | None) -> FileSnapshot:
        done, _failed = reader.counts()
        pooled = () if pool is None else self._pooled_of(reader, done, pool)
        return found_in(reader, order, self._spreads_of(reader, done), pooled)

    def _spreads_of(self, reader: ResultsReader, done: int) -> tuple[ColumnSpread, ...]:
        """Another order has the same numbers: they change with new rows only."""
        key = reader, done
        if key not in self._spreads:
            self._spreads = {key: reader.spreads()}
        return self._spreads.get(key, ())

    def _pooled_of(self, reader: ResultsReader, done: int, pool: Pool) -> tuple[Any, ...]:
        key = reader, done
        if key not in self._pooled:
            self._pooled = {key: pooled_of(reader, pool)}
        return self._pooled.get(key, ())


def found_in(
    reader: ResultsReader,
    order: Order,
    spreads: tuple[ColumnSpread, ...],
    pooled: tuple[Any, ...] = (),
) -> FileSnapshot:
    """What a results file holds, its numbers apart."""
    done, failed = reader.counts()
    columns = reader.columns
    order = order.among(columns)
    positions = order.positions(reader)
    texts = {
        name
        for row in reader.rows(positions[:LOOKED_AT])
        for name, cell in zip(columns, row, strict=True)
        if isinstance(cell, str)
    }
    return FileSnapshot(
        reader,
        order,
        columns,
        frozenset({TEXT, PAIR, FAILURE, *texts}),
        positions,
        done,
        failed,
        spreads,
        pooled,
        reader.not_counted(),
        frozenset(_lacking(reader)),
        reader.groups(order.by) if order.by in columns else (),
    )


def _lacking(reader: ResultsReader) -> Iterator[str]:
    own = {whose: frozenset(one.own_columns) for whose, one in reader.each}
    for name in reader.own_columns:
        column, whose = parted(name)
        if whose in own and column not in own[whose]:
            yield name


def pooled_of(reader: ResultsReader, pool: Pool) -> tuple[Any, ...]:
    """What all rows of each model say together."""
    return tuple(pool.gather(one.cells(pool.columns)) for _name, one in reader.each)
