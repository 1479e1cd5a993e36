"""Tables that are made by hand, sorted by choosing a title: the frame gives it to every page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from explorer.text import _
from explorer.text.formatting.reading import number_said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import inside
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import BarColumn, BarRow
from explorer.ui.blocks.tables.rows_block import FALLS, SORTED, ranked
from explorer.ui.document.gestures import Edit

LABELS = 0
"""The number of the column of labels; the others follow."""


def with_sorting(blocks: Iterable[Block], shown: Shown, name: str) -> list[Block]:
    """Blocks whose tables can be sorted, those in cards among them.

    A table whose page gives any of its titles a meaning is left as it is, and so is one that has
    groups. By what can't be compared, as amounts in several units, nothing is sorted.

    Args:
        blocks: Of the page.
        shown: What it is made from.
        name: The question's.
    """

    def sorting(block: Block) -> Iterator[Block]:
        yield _sorted(block, shown, f"{name}.{block.title}") if _can(block) else block

    return inside(blocks, sorting)


def _can(block: Block) -> TypeGuard[BarTable]:
    if not isinstance(block, BarTable) or len(block.rows) < 2 or not block.title:
        return False
    columns = (block.label, *block.columns)
    own = any(column.act is not None for column in columns)
    return not own and not any(row.apart for row in block.rows)


def _sorted(table: BarTable, shown: Shown, name: str) -> BarTable:
    by = str(SORTED.of(shown.now).get(name, ""))
    columns = list(enumerate((table.label, *table.columns)))
    ranks = {n: _ranks([_cell(row, n) for row in table.rows]) for n, one in columns if one.title}
    label, *others = (
        _titled(one, n, ranks.get(n), by, None if shown.alone else (shown, name))
        for n, one in columns
    )
    chosen = next((found for n, found in ranks.items() if by.removeprefix(FALLS) == str(n)), None)
    rows = table.rows
    if chosen is not None:
        rows = [table.rows[n] for n in ranked(chosen, falls=by.startswith(FALLS))]
    return replace(table, rows=rows, columns=tuple(others), label=label)


def _cell(row: BarRow, number: int) -> str:
    if number == LABELS:
        return row.label
    return row.cells[number - 1] if number <= len(row.cells) else ""


def _ranks(cells: Sequence[str]) -> list[Any] | None:
    """What rows are sorted by, None for what is not there; None where they can't be compared."""
    there = [cell for cell in cells if cell not in ("", NOT_THERE)]
    if len(set(there)) < 2:
        return None
    read = {cell: number_said(cell) for cell in there}
    numbers = [one for one in read.values() if one is not None]
    if not numbers:
        return [cell.casefold() if cell in read else None for cell in cells]
    if len(numbers) < len(read) or len({unit for _number, _side, unit in numbers}) > 1:
        return None
    return [None if (one := read.get(cell)) is None else one[:2] for cell in cells]


def _titled(
    column: BarColumn,
    number: int,
    ranks: Sequence[Any] | None,
    by: str,
    at: tuple[Shown, str] | None,
) -> BarColumn:
    if ranks is None:
        return column
    falls = by.startswith(FALLS)
    is_chosen = by.removeprefix(FALLS) == str(number)
    arrow = ("down" if falls else "up") if is_chosen else ""
    if at is None:
        return replace(column, sorted=arrow)
    shown, name = at
    act = _sort_by(shown, name, column, number, ranks, by)
    return replace(column, act=act, sorted=arrow, key=("sort", name, number))


def _sort_by(
    shown: Shown, name: str, column: BarColumn, number: int, ranks: Sequence[Any], by: str
) -> Edit:
    """Numbers from the greatest and words from the first, then the other way, then as before."""
    ways = [f"{FALLS}{number}", str(number)]
    if any(isinstance(rank, str) for rank in ranks):
        ways.reverse()
    after = ways[0] if by not in ways else ways[1] if by == ways[0] else ""
    known = {key: value for key, value in SORTED.of(shown.now).items() if key != name}
    step = _("sort by {column}", column=column.title.lower())
    return shown.setting(SORTED, {**known, name: after} if after else known, step)
