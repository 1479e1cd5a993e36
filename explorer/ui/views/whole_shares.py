"""Axes, bars and colours of shares that go from nothing to all."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarAxis
from explorer.ui.matrices.scale import Scale
from explorer.ui.views.one_scale import is_drawn


def with_whole_shares(blocks: Sequence[Block]) -> list[Block]:
    """Blocks whose shares reach to 1, as far as they are told to be shares.

    What is no share, or has the whole range already, stays the very object that it is.
    """
    return [_whole(one) for one in blocks]


def _whole(value: Any) -> Any:
    if isinstance(value, BarTable):
        # Of its rows nothing has a scale.
        axis = _whole_axis(value.axis)
        return value if axis is value.axis else dataclasses.replace(value, axis=axis)
    if isinstance(value, BarAxis):
        return _whole_axis(value)
    if isinstance(value, Scale):
        return _whole_scale(value)
    if type(value) in {list, tuple}:
        if not value or not is_drawn(value[0]):
            return value
        new = [_whole(one) for one in value]
        is_same = all(one is before for one, before in zip(new, value, strict=True))
        return value if is_same else type(value)(new)
    if not is_drawn(value):
        return value
    changed = {}
    for field in dataclasses.fields(value):
        before = getattr(value, field.name)
        if (new := _whole(before)) is not before:
            changed[field.name] = new
    return dataclasses.replace(value, **changed) if changed else value


def _whole_axis(axis: BarAxis) -> BarAxis:
    """One whose ends are written has bars of shares."""
    is_of_shares = axis.titled and not (axis.powers or axis.low or axis.top_said)
    return dataclasses.replace(axis, top=1.0) if is_of_shares and axis.top < 1 else axis


def _whole_scale(scale: Scale) -> Scale:
    if scale.in_percent and not scale.diverging and 0 <= scale.low < scale.high < 1:
        return dataclasses.replace(scale, low=0.0, high=1.0)
    return scale
