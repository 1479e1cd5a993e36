"""Bars that each begin where the one before ended, up to the sum of all."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.api.question import Waterfall
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarRow
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.rows import made

RISES, FALLS, WHOLE = "bar", "bar_original", "bar_second"
"""Colours of what adds, of what takes away, and of the sum."""


def blocks(part: Waterfall, looking: Looking) -> Iterator[Block]:
    """A table whose rows keep their order."""
    plain = made(part, part.seen(), looking, key=lambda number: number)
    rows: list[BarRow] = []
    reached, low, top = 0.0, 0.0, 0.0
    for row in sorted(plain.rows, key=lambda one: one.key):
        own = part.rows[row.key]
        is_whole = part.is_whole is not None and part.is_whole(own)
        end = reached if part.ends is None else part.ends(own)
        begin = 0.0 if is_whole else reached
        colour = WHOLE if is_whole else RISES if end >= begin else FALLS
        bar = Bar(end, colour, begin=begin)
        rows.append(replace(row, bars=(bar,), mark=None, strong=is_whole, key=(part.kind, row.key)))
        reached, low, top = end, min(low, end), max(top, end)
    columns = tuple(replace(one, act=None, sorted="") for one in plain.columns)
    label = replace(plain.label, act=None, sorted="")
    axis = BarAxis(top if top > low else low + 1.0, titled=False, low=low)
    yield replace(plain, rows=rows, columns=columns, label=label, axis=axis)
