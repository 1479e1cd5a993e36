"""Numbers of pairs of tokens, as a head's attention from each to each: one matrix or several."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Cell, Table, TableColumn
from explorer.api.tokens import Token
from explorer.text import N_

MOST_ROWS = 20_000
"""Of a table: of more pairs than these, those with the largest last number are kept."""


@dataclass(frozen=True)
class TokenSide:
    """The tokens that stand in the rows, or those in the columns.

    Attributes:
        name: In files: "query" is the position of a token, "query_token" the token.
        title: What people read, marked for translation.
        place: What its position is called, marked for translation.
        tokens: In order.
        positions: Of each in the text or the input; () for counted from 0.
    """

    name: str
    title: str
    place: str
    tokens: tuple[Token, ...]
    positions: tuple[int, ...] = ()

    def position(self, number: int) -> int:
        """Where one of its tokens stands."""
        return self.positions[number] if self.positions else number


@dataclass(frozen=True)
class PairNumbers:
    """One number of every pair.

    Attributes:
        name: In files.
        title: What people read, marked for translation.
        values: Rows x columns.
        about: Below the title where several stand side by side, marked for translation.
        is_signed: Coloured about zero, and written with its sign; else from zero on.
        drawn: It has a matrix; else it stands in files alone.
    """

    name: str
    title: str
    values: NDArray[np.floating[Any]]
    about: str = ""
    is_signed: bool = False
    drawn: bool = True


@dataclass(frozen=True)
class TokenPairs(Part):
    """Matrices of the same tokens; those with a sign share one scale, those without another.

    A question with the option "<question>.pair" lets a pair be chosen, which then stays marked.

    Attributes:
        rows: Who stands in the rows.
        columns: Who stands in the columns.
        numbers: In reading order.
        hidden: Rows x columns, true for pairs that there are not; None for none. Files have no
            row for them.
        why_hidden: Why there are not, marked for translation: "comes later, and can't be seen".
        marked: The pair that stands out while none was chosen; None for none.
        logarithmic: Colours go by powers of ten.
        written: A number in a few characters for its cell; None for the usual.
        more: What else is said of a pair, by its row and column; None for nothing.
        is_spans: A pair is the span of the text from the first token to the second.
        tallest: Height of the matrix at most, in pixels, where it has very many cells.
    """

    rows: TokenSide
    columns: TokenSide
    numbers: tuple[PairNumbers, ...]
    hidden: NDArray[np.bool_] | None = None
    why_hidden: str = ""
    marked: tuple[int, int] | None = None
    logarithmic: bool = False
    written: Callable[[float], str] | None = None
    more: Callable[[int, int], str] | None = None
    is_spans: bool = False
    tallest: float = 480.0

    @property
    def drawn(self) -> tuple[PairNumbers, ...]:
        """Those that have a matrix."""
        return tuple(one for one in self.numbers if one.drawn)

    def is_hidden(self, row: int, column: int) -> bool:
        """Whether there is no such pair."""
        return self.hidden is not None and bool(self.hidden[row, column])

    def table(self) -> Table:
        """One row a pair that there is."""
        sides = (self.rows, self.columns)
        about = [
            one
            for side in sides
            for one in (
                TableColumn(side.name, side.place, compared=False),
                TableColumn(f"{side.name}_token", side.title, key=True, is_number=False),
            )
        ]
        about += [TableColumn(one.name, one.title, digits=3) for one in self.numbers]
        return Table(
            tuple(one.name for one in about), tuple(self._cells()), {one.name: one for one in about}
        )

    def _cells(self) -> Iterator[tuple[Cell, ...]]:
        last = self.numbers[-1].values
        pairs = np.arange(last.size)
        if last.size > MOST_ROWS:
            pairs = np.sort(np.argsort(-last, axis=None, kind="stable")[:MOST_ROWS])
        if self.hidden is not None:
            pairs = pairs[~self.hidden.reshape(-1)[pairs]]
        cells = np.stack([one.values.reshape(-1)[pairs] for one in self.numbers], axis=1)
        for pair, values in zip(pairs.tolist(), cells.tolist(), strict=True):
            row, column = divmod(pair, last.shape[1])
            yield (
                self.rows.position(row),
                self.rows.tokens[row].text,
                self.columns.position(column),
                self.columns.tokens[column].text,
                *values,
            )


QUERY, KEY = N_("query"), N_("key")


def queries_of(tokens: tuple[Token, ...]) -> TokenSide:
    """Tokens that look at others, as rows."""
    return TokenSide("query", QUERY, N_("position of the query"), tokens)


def keys_of(tokens: tuple[Token, ...]) -> TokenSide:
    """Tokens that are looked at, as columns."""
    return TokenSide("key", KEY, N_("position of the key"), tokens)
