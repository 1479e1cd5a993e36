"""The rows of an answer on the screen: the columns of its file, with their titles and units."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api import Cell, Option, Table, TableColumn
from explorer.text import N_, _
from explorer.text.formatting.probabilities import scale_for
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import NOT_THERE, PLAIN, BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.document.gestures import Edit

SORTED: Option[dict[str, Any]] = Option(
    N_("Tables sorted by"), {}, redraws=True, in_bar=False, key="rows.sorted"
)
"""By a table's name the column that its rows are sorted by, with "-" before it where they fall."""

FALLS = "-"


def rows_block(
    table: Table,
    shown: Shown,
    name: str,
    title: str,
    *,
    bar: str = "",
    act: Callable[[int], Any] | None = None,
    key: Callable[[int], Any] | None = None,
    chosen: int | None = None,
    most: int | None = None,
    shades: Callable[[int], Sequence[float | None]] | None = None,
    above: Space = Space.NEAR,
) -> BarTable:
    """A table that is sorted by choosing a title; the first column is what a row is about.

    Args:
        table: What stands in the file, too.
        shown: What the page is made from.
        name: Under which the document keeps what it is sorted by: "token_labels.tokens".
        title: What a screen reader calls it.
        bar: The column whose numbers have bars; "" for none.
        act: From the number of a row in the table to the gesture of choosing it.
        key: From that number to what tells the row from others; None for its keys.
        chosen: The number of the row that stands out; None for none.
        most: Rows that are drawn; None for all.
        shades: From the number of a row to how strongly its cells are coloured, -1 to 1.
        above: The room above it.
    """
    about = table.described()
    seen = [n for n, one in enumerate(about) if one.shown]
    by = str(SORTED.of(shown.now).get(name, ""))
    order = in_order(table, by)[:most]
    keys = [n for n, one in enumerate(about) if one.key]
    columns = [_column(about[n], shown, name, by) for n in seen]
    barred = table.columns.index(bar) if bar else None
    rows = []
    for number in order:
        cells = table.rows[number]
        own = tuple(cells[n] for n in keys) or (number,)
        label, *rest = (_said(about[n], cells[n]) for n in seen)
        value = cells[barred] if barred is not None else None
        rows.append(
            Row(
                label,
                tuple(rest),
                (Bar(float(value)),) if isinstance(value, int | float) else (),
                ground="selection" if number == chosen else "",
                shades=() if shades is None else tuple(shades(number)),
                key=key(number) if key is not None else (name, *own),
                act=act(number) if act is not None else None,
            )
        )
    return BarTable(
        rows,
        tuple(columns[1:]),
        PLAIN if barred is None else axis_of([row[barred] for row in table.rows]),
        title,
        bold=False,
        label=columns[0],
        above=above,
    )


def in_order(table: Table, by: str) -> list[int]:
    """The numbers of the rows as they are sorted; what has no value comes last.

    Args:
        table: The rows.
        by: The name of a column, with "-" before it where the greatest comes first; the table's
            own order for what is no column of it.
    """
    name, falls = by.removeprefix(FALLS), by.startswith(FALLS)
    numbers = list(range(len(table.rows)))
    if name not in table.columns:
        return numbers
    return ranked([None if one is None else _rank(one) for one in table.column(name)], falls=falls)


def ranked(ranks: Sequence[Any], *, falls: bool) -> list[int]:
    """The numbers of the rows by their ranks; what has none comes last."""
    there = [n for n, rank in enumerate(ranks) if rank is not None]
    there.sort(key=lambda n: ranks[n], reverse=falls)
    return [*there, *(n for n, rank in enumerate(ranks) if rank is None)]


def _rank(cell: Cell) -> tuple[float, str]:
    return (float(cell), "") if isinstance(cell, int | float) else (0.0, str(cell).casefold())


def sort_by(shown: Shown, name: str, column: TableColumn, by: str) -> Edit:
    """The gesture of sorting by a column: numbers from the greatest, then the other way round."""
    first = f"{FALLS}{column.name}" if column.is_number and not column.key else column.name
    other = column.name if first.startswith(FALLS) else f"{FALLS}{column.name}"
    after = other if by == first else first
    step = _("sort by {column}", column=column.heading.lower())
    return shown.setting(SORTED, {**SORTED.of(shown.now), name: after}, step)


def _column(about: TableColumn, shown: Shown, name: str, by: str) -> Column:
    arrow = "" if by.removeprefix(FALLS) != about.name else "down" if by != about.name else "up"
    return Column(
        about.heading,
        left=not about.is_number,
        words=_(about.tip) if about.tip else "",
        act=None if shown.alone else sort_by(shown, name, about, by),
        sorted=arrow,
        key=("sort", name, about.name),
    )


def _said(about: TableColumn, cell: Cell) -> str:
    return NOT_THERE if cell is None else about.said(cell)


def axis_of(cells: Sequence[Cell]) -> Axis:
    """One that holds all bars: from nothing, or as far to both sides of it."""
    values = [float(cell) for cell in cells if isinstance(cell, int | float)]
    low, top = min(values, default=0.0), max(values, default=1.0)
    if low < 0:
        far = max(top, -low)
        return Axis(far, low=-far)
    return Axis(scale_for(top) if top <= 1 else top)
