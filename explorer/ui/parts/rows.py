"""Rows of any kind, sorted by their titles."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from explorer.api.question import Cell, Rows, Table
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part

READ_WHOLE = 0.88
"""Of the table's room, what first columns take at most that are to be read whole."""


def blocks(part: Rows, looking: Looking) -> Iterator[Block]:
    """The table."""
    yield made(part, part.seen(), looking)


def made(
    part: Rows,
    table: Table,
    looking: Looking,
    title: str = "",
    key: Callable[[int], Any] | None = None,
) -> BarTable:
    """The table of a part.

    Args:
        part: Its rows.
        table: The same rows with the columns that are drawn.
        looking: At the part.
        title: What a screen reader calls it; "" for the part's title, or the question's.
        key: From the number of a row to what tells it from others; None for its keys.
    """
    chosen = part.chosen
    stand_out = [n for n, row in enumerate(part.rows) if chosen is not None and chosen(row)]
    drawn = rows_block(
        table,
        looking.shown,
        f"{looking.of.name}.{part.kind.__name__}",
        said(title or part.title or looking.of.title),
        bar=part.bar,
        second_bar=part.second_bar,
        bars=part.bars,
        scale=part.scale,
        group=part.group,
        act=_by_number(part, part.gesture, looking.act),
        key=key,
        words=_by_number(part, part.words, said),
        below=_by_number(part, part.below, said),
        chosen=stand_out,
        mark=_before(part, looking),
        drawn=_by_number(part, part.drawn, bool),
        most=part.most,
        shades=_by_number(part, part.shades, tuple),
    )
    return replace(drawn, label_share=READ_WHOLE) if part.reads_whole else drawn


def _before(part: Rows, looking: Looking) -> Callable[[int], float | None] | None:
    """What the bar of the same row of the pinned answer comes to, from the number of a row."""
    pinned = pinned_part(part, looking) if part.bar else None
    if pinned is None or pinned.kind is not part.kind:
        return None
    then = dict(_bars(pinned, part.bar))
    now = [key for key, _value in _bars(part, part.bar)]
    return lambda number: then.get(now[number])


def _bars(part: Rows, bar: str) -> Iterator[tuple[tuple[Cell, ...], float | None]]:
    """The keys of every row, and what its bar comes to."""
    table = part.seen()
    keys = [n for n, one in enumerate(table.described()) if one.key]
    at = table.columns.index(bar)
    for row in table.rows:
        value = row[at]
        is_number = bool(keys) and isinstance(value, int | float)
        yield tuple(row[n] for n in keys), float(value) if is_number else None  # type: ignore[arg-type]


def _by_number(
    part: Rows, tell: Callable[[Any], Any] | None, then: Callable[[Any], Any]
) -> Callable[[int], Any] | None:
    """What is told of a row, from the number of the row."""
    return None if tell is None else lambda number: then(tell(part.rows[number]))
