"""Tables of a film's frames with columns as wide in all: nothing moves but the bars."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarRow
from explorer.ui.views.one_scale import is_drawn

Fit = Callable[[Sequence[Block]], list[Block]]


def as_wide(frames: Sequence[Sequence[Block]], fit: Fit) -> Fit:
    """What lays a frame's blocks on scales, with columns as wide as in any frame besides.

    Args:
        frames: The blocks of all frames.
        fit: Lays blocks on the scales.
    """
    together: list[list[BarRow]] = []
    for blocks in frames:
        for number, table in enumerate(_tables(blocks)):
            if number == len(together):
                together.append([])
            together[number] += [*table.rows, *table.peers]

    def fitted(blocks: Sequence[Block]) -> list[Block]:
        rows = iter(together)
        return [_with_peers(one, rows) for one in fit(blocks)]

    return fitted


def _tables(value: Any) -> Iterator[BarTable]:
    """Those in a page or a part of one, in their order."""
    if isinstance(value, BarTable):
        yield value
    elif type(value) in {list, tuple}:
        for one in value:
            yield from _tables(one)
    elif is_drawn(value):
        for field in dataclasses.fields(value):
            yield from _tables(getattr(value, field.name))


def _with_peers(value: Any, rows: Iterator[list[BarRow]]) -> Any:
    if isinstance(value, BarTable):
        return dataclasses.replace(value, peers=next(rows, value.peers))
    if type(value) in {list, tuple}:
        return type(value)(_with_peers(one, rows) for one in value)
    if not is_drawn(value):
        return value
    changed = {
        field.name: _with_peers(getattr(value, field.name), rows)
        for field in dataclasses.fields(value)
        if next(_tables(getattr(value, field.name)), None) is not None
    }
    return dataclasses.replace(value, **changed) if changed else value
