"""Rows as a person reads them: what all have in common stands once above them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from explorer.api.question import Cell, Part, Table
from explorer.api.question.parts.charts.amounts import Amounts
from explorer.api.question.parts.ranked import Ranked
from explorer.api.question.parts.rows import Rows
from explorer.api.question.rows.rows import TableColumn
from explorer.printing.tables import bar, lines_of
from explorer.text import ngettext, said

Written = tuple[str, ...]
MOST = 100
"""Rows of a table that are printed."""
BELOW = " "
"""The column of what stands in a second line of a row on its page: it has no title."""
FEWEST = 3
"""Rows of a group of which what they have in common is told above them."""


def rows_in_lines(part: Part) -> Iterator[str]:
    """Print the rows of a part, those that its page draws, with the bars that they have there."""
    if isinstance(part, Amounts):
        yield from amounts_in_lines(part)
    elif isinstance(part, Rows):
        drawn = [one for one in part.rows if part.drawn is None or part.drawn(one)]
        kept = drawn[: part.most]
        table = Table.of(part.kind, kept, seen=True)
        below = [_below(part, one) for one in kept]
        if any(below):
            about = (TableColumn(BELOW, is_number=False),)
            table = table.widened((BELOW,), [(one,) for one in below], about)
        yield from table_in_lines(table, part.bar, part.hidden)
    else:
        yield from table_in_lines(part.table())


def _below(part: Rows, row: Any) -> str:
    """What stands beside the label of a row on its page, or below it; "" for nothing."""
    if isinstance(part, Ranked) and part.look is not None:
        look = part.look(row)
        return ", ".join(said(one) for one in (look.tag, look.below) if one)
    return said(part.below(row)) if part.below is not None else ""


def amounts_in_lines(part: Amounts) -> Iterator[str]:
    """Print numbers, each with its name."""
    rows = [(said(one.title), one.said) for one in part.known if one.shown]
    yield from lines_of(rows, (False, True))


def table_in_lines(table: Table, bar_of: str = "", hidden: Sequence[str] = ()) -> Iterator[str]:
    """Print a table: groups of rows below what they have in common.

    Args:
        table: What to print; cells as its columns say they are read.
        bar_of: The column whose numbers have bars, by its name; "" for none.
        hidden: Columns that are left out.
    """
    if not table.columns or not table.rows:
        return
    about = table.described()
    kept = [n for n, one in enumerate(about) if one.shown and one.name not in hidden]
    columns = [about[n] for n in kept]
    rows = [tuple(row[n] for n in kept) for row in table.rows[:MOST]]
    yield from _groups(columns, rows, _bars(columns, rows, bar_of))
    if left := len(table.rows) - len(rows):
        yield ngettext(
            "… and {count} more row: --csv FILE writes all",
            "… and {count} more rows: --csv FILE writes all",
            left,
        )


def _bars(
    columns: Sequence[TableColumn], rows: Sequence[tuple[Cell, ...]], name: str
) -> Callable[[tuple[Cell, ...]], str] | None:
    """What draws the bar of a row, all on one scale from nothing."""
    at = next((n for n, one in enumerate(columns) if one.name == name), None)
    if at is None:
        return None
    sizes = (abs(one) for row in rows if isinstance(one := row[at], int | float))
    top = max(sizes, default=0.0) or 1.0

    def drawn(row: tuple[Cell, ...]) -> str:
        value = row[at]
        return bar(abs(value) / top, 20) if isinstance(value, int | float) else ""

    return drawn


def _groups(
    columns: Sequence[TableColumn],
    rows: Sequence[tuple[Cell, ...]],
    bars: Callable[[tuple[Cell, ...]], str] | None,
) -> Iterator[str]:
    """Print rows, by the first column where several that follow each other share its cell."""
    groups = [list(group) for _cell, group in groupby(rows, key=lambda row: row[0])]
    if len(groups) > 1 and len(groups) * FEWEST <= len(rows):
        for number, group in enumerate(groups):
            if number:
                yield ""
            yield from _group(columns, group, bars)
    else:
        yield from _group(columns, rows, bars)


def _group(
    columns: Sequence[TableColumn],
    rows: Sequence[tuple[Cell, ...]],
    bars: Callable[[tuple[Cell, ...]], str] | None,
) -> Iterator[str]:
    written = [
        tuple(one.said(cell) for one, cell in zip(columns, row, strict=True)) for row in rows
    ]
    same = [len({row[n] for row in written}) < 2 for n in range(len(columns))]
    if len(rows) < FEWEST or all(same):
        same = [not any(row[n] for row in written) for n in range(len(columns))]
    common = [
        f"{one.heading}: {written[0][n]}"
        for n, one in enumerate(columns)
        if same[n] and written[0][n]
    ]
    if common:
        yield ", ".join(common)
    left = [n for n, alike in enumerate(same) if not alike]
    right = tuple(columns[n].is_number or columns[n].ends_right for n in left)
    lines: list[Written] = [tuple(row[n] for n in left) for row in written]
    headings = tuple(columns[n].heading for n in left)
    if bars is not None:
        headings, right = (*headings, ""), (*right, False)
        lines = [(*line, bars(row)) for line, row in zip(lines, rows, strict=True)]
    yield from lines_of(lines, right, headings)
