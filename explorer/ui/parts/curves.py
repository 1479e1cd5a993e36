"""Curves over one axis as charts side by side, with the number of now marked in all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.api import Number, Whole
from explorer.api.question.parts.curves import Curves, Over
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line, Marker
from explorer.ui.parts.looking import Looking


def blocks(part: Curves, looking: Looking) -> Iterator[Block]:
    """A chart a panel."""
    yield marked(charts_of(part), part.over, looking)


def charts_of(part: Curves) -> list[Chart]:
    """Without a mark."""
    over = part.over
    x = Axis(
        _(over.title),
        float(over.values[0]),
        float(over.values[-1]),
        logarithmic=over.logarithmic,
        ticks=over.ticks,
    )
    return [
        Chart(
            _(panel.title),
            _(panel.words),
            tuple(
                Line(_(one.name), over.values, one.values, one.colour, one.dash, band=one.band)
                for one in panel.curves
            ),
            x,
            Axis(
                high=panel.high,
                low=None if panel.logarithmic else 0.0,
                logarithmic=panel.logarithmic,
                grid=True,
                switched=True,
            ),
            at=over.sign,
        )
        for panel in part.panels
    ]


def marked(charts: Sequence[Chart], over: Over, looking: Looking) -> ChartBlock:
    """Charts over an axis, with the number that its option is set to.

    Args:
        charts: Without a mark.
        over: Their axis.
        looking: At the part.
    """
    option = next((one for one in looking.of.options if one.key == over.option), None)
    if not isinstance(option, Number | Whole):
        return ChartBlock(tuple(charts))
    now = looking.shown.value(option) if over.now is None else over.now
    marker = Marker(now, _(over.title), key=option.key, least=option.low, most=option.high)
    return ChartBlock(tuple(replace(chart, marker=marker) for chart in charts))
