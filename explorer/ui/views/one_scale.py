"""Two pages of one question beside each other: what both measure alike is drawn on one scale."""

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarAxis
from explorer.ui.charts.description import Axis, Chart
from explorer.ui.charts.limits import Limits, limits_of, number_at
from explorer.ui.matrices.barred_tokens import BarredTokens
from explorer.ui.matrices.scale import Scale
from explorer.ui.matrices.scored_tokens import ScoredTokens, ShadeBar


def on_one_scale(blocks: Sequence[Block], others: Sequence[Block]) -> list[Block]:
    """Blocks whose axes, bars and colours reach as far as those of another page.

    Blocks belong together by their kind, in their order. What has the same ends already stays the
    very object that it is.

    Args:
        blocks: Of a page.
        others: Of the page that it is compared with.
    """
    return list(_each(blocks, others))


def _each(own: Sequence[Any], others: Iterable[Any]) -> Sequence[Any]:
    """Those of a sequence, each beside the other of its kind."""
    of_kind: Mapping[type, list[Any]] = defaultdict(list)
    for one in others:
        of_kind[type(one)].append(one)
    seen: Counter[type] = Counter()
    found = []
    for one in own:
        kind, number = type(one), seen[type(one)]
        seen[kind] += 1
        fits = number < len(of_kind[kind])
        found.append(_together(one, of_kind[kind][number]) if fits else one)
    if all(one is before for one, before in zip(found, own, strict=True)):
        return own
    return type(own)(found) if isinstance(own, tuple) else found


def _together(own: Any, other: Any) -> Any:
    """A value with the other one's ends; itself where nothing changes."""
    rule = _RULES.get(type(own))
    if rule is not None:
        return rule(own, other)
    if not is_drawn(own):
        return own
    changed = {}
    for field in dataclasses.fields(own):
        one, its = getattr(own, field.name), getattr(other, field.name)
        if type(one) is type(its):
            new = one
            if type(one) in _RULES or is_drawn(one):
                new = _together(one, its)
            elif isinstance(one, list | tuple) and one and is_drawn(one[0]):
                new = _each(one, its)
            if new is not one:
                changed[field.name] = new
    return dataclasses.replace(own, **changed) if changed else own


def is_drawn(value: Any) -> bool:
    """Whether it is a part of a page, which may hold what has a scale."""
    kind = type(value)
    return dataclasses.is_dataclass(kind) and kind.__module__.startswith("explorer.ui.")


def _scale(own: Scale, other: Scale) -> Scale:
    kinds = ((one.diverging, one.logarithmic, one.in_percent) for one in (own, other))
    high, low = max(own.high, other.high), min(own.low, other.low)
    if len(set(kinds)) > 1 or (high, low) == (own.high, own.low):
        return own
    return dataclasses.replace(own, high=high, low=low)


def _bar_axis(own: BarAxis, other: BarAxis) -> BarAxis:
    if own.powers != other.powers:
        return own
    if other.top > own.top:
        own = dataclasses.replace(own, top=other.top, top_said=other.top_said)
    if other.low < own.low:
        own = dataclasses.replace(own, low=other.low, low_said=other.low_said)
    return own


def _table(own: BarTable, other: BarTable) -> BarTable:
    """Of its rows nothing has a scale."""
    axis = _bar_axis(own.axis, other.axis)
    return own if axis is own.axis else dataclasses.replace(own, axis=axis)


def _barred(own: BarredTokens, other: BarredTokens) -> BarredTokens:
    least = max([other.least, *(one.longest for one in other.tokens)])
    return own if least <= own.least else dataclasses.replace(own, least=least)


def _scored(own: ScoredTokens, other: ScoredTokens) -> ScoredTokens:
    if not 0 < own.high < other.high:
        return own
    less = own.high / other.high
    tokens = [
        one if one.share is None else dataclasses.replace(one, share=one.share * less)
        for one in own.tokens
    ]
    return dataclasses.replace(own, tokens=tokens, high=other.high)


def _shades(own: ShadeBar, other: ShadeBar) -> ShadeBar:
    if own.is_signed != other.is_signed or own.high >= other.high:
        return own
    return dataclasses.replace(own, high=other.high)


def _chart(own: Chart, other: Chart) -> Chart:
    changed = {}
    for name, its, others in zip("xy", limits_of(own), limits_of(other), strict=True):
        axis = _axis(getattr(own, name), its, getattr(other, name), others)
        if axis is not getattr(own, name):
            changed[name] = axis
    return dataclasses.replace(own, **changed) if changed else own  # type: ignore[arg-type]


def _axis(own: Axis, its: Limits, other: Axis, others: Limits) -> Axis:
    """An axis with the other one's ends, where both measure the same in numbers."""
    if (own.title, own.logarithmic) != (other.title, other.logarithmic) or own.words or other.words:
        return own
    low, high = min(its[0], others[0]), max(its[1], others[1])
    if (low, high) == its:
        return own
    return dataclasses.replace(own, low=number_at(low, own), high=number_at(high, own))


_RULES: Mapping[type, Callable[[Any, Any], Any]] = {
    Scale: _scale,
    BarAxis: _bar_axis,
    BarTable: _table,
    BarredTokens: _barred,
    ScoredTokens: _scored,
    ShadeBar: _shades,
    Chart: _chart,
}
