"""The rows of an answer on the screen: the columns of its file, with their titles and units."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.question import Cell, Option, Rows, Table, TableColumn
from explorer.api.question.parts.gestures import Gesture
from explorer.text import N_, _, said
from explorer.text.formatting.probabilities import scale_for
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import NOT_THERE, PLAIN, BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.document.gestures import Edit

SORTED: Option[dict[str, Any]] = Option(
    N_("Tables sorted by"), {}, redraws=True, in_bar=False, key="rows.sorted"
)
"""By a table's name the column that its rows are sorted by, with "-" before it where they fall."""

SHARES = (0.0, 1.0)
"""Ends of an axis on which a bar says by itself how much of all it is."""
FALLS = "-"
BARS = ("bar", "bar_original")
"""Colours of the first and the second bar of a row."""
LETTERS = {"bar_original": "mask"}
"""The colour of a title over bars whose own is too pale to be read."""


def rows_block(
    table: Table,
    shown: Shown,
    name: str,
    title: str,
    part: Rows | None = None,
    *,
    act: Callable[[Gesture | None], Any] = lambda _gesture: None,
    key: Callable[[int], Any] | None = None,
    mark: Callable[[int], float | None] | None = None,
) -> BarTable:
    """A table that is sorted by choosing a title; the first column is what a row is about.

    Args:
        table: What stands in the file, too.
        shown: What the page is made from.
        name: Under which the document keeps what it is sorted by: "token_labels.tokens".
        title: What a screen reader calls it.
        part: Its rows, as many as the table has, and how they look; None for rows that do nothing.
        act: From what choosing a row does to the gesture here.
        key: From the number of a row in the table to what tells it from others; None for its keys.
        mark: From that number to where the pinned answer's bar ends; None for no marks.
    """
    of = Rows(object, table.rows) if part is None else part
    about = table.described()
    by = str(SORTED.of(shown.now).get(name, ""))
    order = [n for n in in_order(table, by) if of.drawn is None or of.drawn(of.rows[n])]
    told = [table.rows[n] for n in order[: of.most]]
    seen = [n for n, one in enumerate(about) if one.shown and _says(told, n, one)]
    keys = [n for n, one in enumerate(about) if one.key]
    columns = [_column(about[n], shown, name, by) for n in seen]
    coloured = of.bars or dict(zip(filter(None, (of.bar, of.second_bar)), BARS, strict=False))
    barred = {table.columns.index(one): colour for one, colour in coloured.items()}
    if _are_told_by_colour(coloured, [about[n] for n in seen]):
        titled = {name: LETTERS.get(colour, colour) for name, colour in coloured.items()}
        columns = [
            replace(one, title_colour=titled.get(about[n].name, one.title_colour))
            for n, one in zip(seen, columns, strict=True)
        ]
    grouped = (
        table.columns.index(of.group)
        if of.group and by.removeprefix(FALLS) not in table.columns
        else None
    )
    rows: list[BarRow] = []
    above_it: Cell = None
    for number in order[: of.most]:
        cells, row = table.rows[number], of.rows[number]
        own = tuple(cells[n] for n in keys) or (number,)
        label, *rest = (_said(about[n], cells[n]) for n in seen)
        of_group = None if grouped is None else cells[grouped]
        its = [_bar(cells[n], colour) for n, colour in barred.items()]
        rows.append(
            BarRow(
                label,
                tuple(rest),
                tuple(its) if any(its) else (),
                ground="selection" if of.chosen is not None and of.chosen(row) else "",
                mark=None if mark is None else mark(number),
                shades=() if of.shades is None else tuple(of.shades(row)),
                apart=_said(about[grouped], of_group)
                if grouped is not None and of_group != above_it
                else "",
                words="" if of.words is None else said(of.words(row)),
                below="" if of.below is None else said(of.below(row)),
                inks=tuple(_ink(about[n], cells[n]) for n in seen[1:]),
                key=key(number) if key is not None else (name, *own),
                act=None if of.gesture is None else act(of.gesture(row)),
            )
        )
        above_it = of_group
    axis = PLAIN
    if barred:
        ends = [*_marks(order, mark), *(table.rows[n][at] for n in order for at in barred)]
        axis = axis_of(ends, of.scale)
        if not any(n in seen for n in barred):
            axis = replace(axis, titled=False)
        if axis.low < 0:
            says = about[next(iter(barred))].said
            axis = replace(axis, top_said=says(axis.top), low_said=says(axis.low))
    words_first = (n for n, one in enumerate(columns[1:]) if not one.left)
    return BarTable(
        rows,
        tuple(columns[1:]),
        axis,
        title,
        next(words_first, len(columns) - 1),
        bold=False,
        label=columns[0],
    )


def _are_told_by_colour(barred: Mapping[str, str], seen: Sequence[TableColumn]) -> bool:
    """Whether a title says whose the bars are: several, or one away from its numbers."""
    numbers = [one.name for one in seen[1:] if one.is_number]
    return len(barred) > 1 or (bool(barred) and not {*barred} & {*numbers[:1]})


def _says(rows: Sequence[Sequence[Cell]], number: int, about: TableColumn) -> bool:
    """Whether a column is drawn: one that can be done without has to hold anything at all."""
    return not about.dispensable or any(row[number] is not None for row in rows)


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


def _column(about: TableColumn, shown: Shown, name: str, by: str) -> BarColumn:
    arrow = "" if by.removeprefix(FALLS) != about.name else "down" if by != about.name else "up"
    return BarColumn(
        about.heading,
        left=not (about.is_number or about.ends_right),
        dispensable=about.dispensable,
        wraps=about.wraps,
        words=_(about.tip) if about.tip else "",
        act=None if shown.alone else sort_by(shown, name, about, by),
        sorted=arrow,
        key=("sort", name, about.name),
    )


def _said(about: TableColumn, cell: Cell) -> str:
    return NOT_THERE if cell is None else about.said(cell)


def _marks(
    order: Sequence[int], mark: Callable[[int], float | None] | None
) -> Iterator[float | None]:
    return map(mark, order) if mark is not None else iter(())


def _bar(cell: Cell, colour: str) -> Bar | None:
    return Bar(float(cell), colour) if isinstance(cell, int | float) and cell else None


def _ink(about: TableColumn, cell: Cell) -> str:
    return "" if about.ink is None or cell is None else about.ink(cell)


def axis_of(cells: Sequence[Cell], scale: tuple[float, float] | None = None) -> BarAxis:
    """One that holds all bars: from nothing, or as far to both sides of it.

    Its ends are written where bars are shares: other numbers stand beside their bars.

    Args:
        cells: What has bars.
        scale: Both ends, where they are known.
    """
    if scale is not None:
        return BarAxis(scale[1], titled=scale == SHARES, low=scale[0])
    values = [float(cell) for cell in cells if isinstance(cell, int | float)]
    low, top = min(values, default=0.0), max(values, default=1.0)
    if low < 0:
        far = max(top, -low)
        return BarAxis(far, titled=far <= 1, low=-far)
    return BarAxis(scale_for(top)) if top <= 1 else BarAxis(top, titled=False)
