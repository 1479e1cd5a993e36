"""Runs as dots: a way a line, its seeds, their mean and its interval."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from explorer.questions.learning.experiments.parts import DottedWay, WayDots
from explorer.text import _, said
from explorer.ui.blocks import Axis, Block, Chart, ChartBlock, Line, Looking, Points, RowName

HIGH: Final = 40.0
"""Of a way, in pixels."""
MARGIN: Final = 0.08
"""Of the widest distance, free on either side."""


def blocks(part: WayDots, _looking: Looking) -> Iterator[Block]:
    """One chart, from the first way at the top to the last."""
    yield ChartBlock((chart(part),))


def chart(part: WayDots) -> Chart:
    """The picture."""
    count = len(part.ways)
    rows = tuple(
        RowName(count - 1.0 - n, said(way.title), said(way.about))
        for n, way in enumerate(part.ways)
    )
    series: list[Line | Points] = []
    for way, row in zip(part.ways, rows, strict=True):
        series += _drawn(way, row.y)
    ends = [end for way in part.ways for end in (*way.values, way.low, way.high) if end is not None]
    low, high = min(ends), max(ends)
    room = MARGIN * (high - low) or 1.0
    title, unit = said(part.measure), said(part.unit)
    return Chart(
        _("{measure}, {unit}", measure=title, unit=unit) if unit else title,
        said(part.words),
        tuple(series),
        Axis("", low - room, high + room, ticks=round_numbers(low - room, high + room), grid=True),
        Axis("", -0.6, count - 0.4, ticks=(0.0,), words=("",)),
        rows=rows,
        height=HIGH * count,
        remark=said(part.remark),
        spoken="; ".join(f"{said(way.title)}: {said(way.about)}" for way in part.ways),
    )


def round_numbers(low: float, high: float) -> tuple[float, ...]:
    """Two to five round numbers of an interval, so that even a narrow chart has a scale."""
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    if first == last:
        step /= 2
        first, last = math.ceil(low / step), math.floor(high / step)
    return tuple(number * step for number in range(first, last + 1))


def _drawn(way: DottedWay, y: float) -> Iterator[Line | Points]:
    """The interval below, the mean as a square, and a dot a run."""
    if way.low is not None and way.high is not None:
        ends = np.array([way.low, way.high])
        yield Line("", ends, np.array([y, y]), "muted", width=5.0, opacity=0.45, marked=False)
    count = len(way.values)
    yield Points(
        np.array(way.values),
        np.full(count, y),
        ("",) * count,
        tuple(map(said, way.words)),
        ("bar",) * count,
        radius=3.5,
    )
    if count > 1:
        mean = np.array([way.mean]), np.array([y])
        yield Points(*mean, ("",), (_("mean"),), ("text",), (True,), radius=4.0)
