"""Numbers of rows by columns as coloured cells: layers by layers, layers by tokens."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table, column
from explorer.api.tokens import Token
from explorer.text import N_


@dataclass(frozen=True)
class Side:
    """The rows of a grid, or its columns.

    Attributes:
        title: What they are, a Phrase or marked for translation: "layer".
        labels: A name each, Phrases or marked.
        named: Those that keep their names where there is not room for all.
        tokens: The tokens that they are, as far as they are; () for none.
        turned: Columns without room for all names have them turned rather than left out.
    """

    title: str
    labels: tuple[str, ...]
    named: frozenset[int] = frozenset()
    tokens: tuple[Token, ...] = ()
    turned: bool = False


@dataclass(frozen=True)
class Colours:
    """Which colour a number has.

    Attributes:
        high: The number with the strongest colour.
        low: The number with the weakest.
        diverging: Two hues, from -high to high, with the neutral colour at zero.
        with_bar: Below the cells stands which colour is which number.
    """

    high: float = 1.0
    low: float = 0.0
    diverging: bool = False
    with_bar: bool = True


SHARES = Colours()
"""From 0 to 1."""


@dataclass(frozen=True)
class CellRow:
    """A cell."""

    row: str = column(N_("row"), key=True)
    across: str = column(N_("column"), key=True, name="column")
    value: float | None = column(N_("value"))


@dataclass(frozen=True)
class Grid(Part):
    """Cells that are read one by one, or a map that is zoomed into where there are many.

    Attributes:
        name: Of its numbers, by which its cells are told from those of other grids.
        values: Rows x columns; what is not there is no number.
        rows: What the rows are.
        columns: What the columns are.
        caption: Above it, a Phrase or marked for translation.
        colours: Of the cells.
        said: What is said of a cell, by its row and its column, in the reader's language.
        written: A number in a few characters, for its cell; None for the usual.
        missing: Why a cell has no number, marked for translation; "" draws such cells blank.
        framed: Rows and columns of the cells that stand out.
        gesture: From a row and a column to what choosing the cell does; None for nothing.
        rises: The first row stands below the others, as layers do.
        small: It stands beside a larger one, and its cells are not read.
    """

    name: str
    values: NDArray[np.floating[Any]]
    rows: Side
    columns: Side
    caption: str
    said: Callable[[int, int], str]
    written: Callable[[float], str] | None = None
    colours: Colours = SHARES
    missing: str = ""
    framed: Collection[tuple[int, int]] = ()
    gesture: Callable[[int, int], Gesture | None] | None = None
    rises: bool = False
    small: bool = False

    def table(self) -> Table:
        """A row a cell."""
        return Table.of(CellRow, self._cells())

    def _cells(self) -> Iterator[CellRow]:
        for row, name in enumerate(self.rows.labels):
            for at, other in enumerate(self.columns.labels):
                value = float(self.values[row, at])
                yield CellRow(name, other, value if np.isfinite(value) else None)
