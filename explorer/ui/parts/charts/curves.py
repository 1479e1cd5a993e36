"""Curves over one axis as charts side by side, with the number of now marked in all of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.api.question import Curve, Curves, Number, Panel, Whole
from explorer.api.question.parts.charts.curves import Over
from explorer.document import matched, places_of
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line, Marker, Reference
from explorer.ui.charts.limits import Limits, limits_of
from explorer.ui.parts.cards import WIDTHS
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part

USUAL = 118.0
"""Of a plot, in pixels."""


def blocks(part: Curves, looking: Looking) -> Iterator[Block]:
    """A chart a panel."""
    charts = on_one_scale(charts_of(part))
    then = pinned_part(part, looking) if _has_pins(part) else None
    if then is not None and _same_place(part, then, looking.shown):
        charts = [
            replace(chart, series=(*chart.series, *_pinned(old, panel)))
            for chart, old, panel in zip(charts, charts_of(then), part.panels, strict=True)
        ]
    yield marked(charts, part.over, looking, WIDTHS[part.width])


def on_one_scale(charts: Sequence[Chart]) -> list[Chart]:
    """Charts side by side that measure the same upwards have the same axis: heights compare."""
    ends = defaultdict[tuple[str, bool], list[Limits]](list)
    for chart in charts:
        ends[_measure(chart)].append(limits_of(chart)[1])
    return [_reaching(chart, ends[_measure(chart)]) for chart in charts]


def _reaching(chart: Chart, ends: Sequence[Limits]) -> Chart:
    if not chart.y.title or chart.y.logarithmic or len(ends) < 2:
        return chart
    low, high = min(one[0] for one in ends), max(one[1] for one in ends)
    return replace(chart, y=replace(chart.y, low=low, high=high))


def _measure(chart: Chart) -> tuple[str, bool]:
    return chart.y.title, chart.y.logarithmic


def _has_pins(part: Curves) -> bool:
    return any(one.pins for panel in part.panels for one in panel.curves)


def _pinned(chart: Chart, panel: Panel) -> Iterator[Line]:
    for one, line in zip(panel.curves, chart.lines, strict=True):
        if one.pins:
            yield replace(line, name=_("{name}, pinned", name=line.name), colour="muted")


def _same_place(now: Curves, then: Curves, shown: Shown) -> bool:
    """Whether two answers' curves are of one place of the text."""
    if shown.pinned is None or len(now.panels) != len(then.panels):
        return False
    if now.about is None or then.about is None:
        return now.about is then.about
    here, there = (places_of(tokens, [at]) for tokens, at in (now.about, then.about))
    return matched(here, shown.asked, there, shown.pinned.document) == (0,)


def charts_of(part: Curves) -> list[Chart]:
    """Without a mark."""
    over = part.over
    x = Axis(
        said(over.title),
        float(over.values[0]),
        # Of a single number, as of a model's only layer, an axis has no length.
        max(float(over.values[-1]), float(over.values[0]) + 1.0 if over.words else 0.0),
        logarithmic=over.logarithmic,
        ticks=over.ticks,
        words=tuple(map(said, over.words)),
        whole=over.whole,
    )
    return [
        Chart(
            said(panel.title),
            said(panel.words),
            tuple(_line(one, over) for one in panel.curves),
            x,
            Axis(
                said(panel.unit),
                panel.low,
                panel.high,
                logarithmic=panel.logarithmic,
                grid=True,
                strong=(0.0,) if (panel.low or 0.0) < 0.0 else (),
                switched=panel.switched or (not over.words and (panel.low or 0.0) >= 0.0),
            ),
            at=over.sign,
            references=tuple(
                Reference((x.low or 0.0, one), (x.high or 1.0, one), dash="dot")
                for one in panel.floors
            ),
            height=panel.height or USUAL,
            remark=said(panel.remark),
        )
        for panel in part.panels
    ]


def _line(one: Curve, over: Over) -> Line:
    at = over.values if one.at is None else one.at
    line = Line(said(one.name), at, one.values, one.colour, one.dash, one.thick, band=one.band)
    return replace(line, after=said(one.after)) if one.after else line


def marked(
    charts: Sequence[Chart],
    over: Over,
    looking: Looking,
    narrowest: CardWidth = CardWidth.NARROW,
) -> ChartBlock:
    """Charts over an axis, with the number that its option is set to.

    Args:
        charts: Without a mark.
        over: Their axis.
        looking: At the part.
        narrowest: How wide each is at least.
    """
    option = next((one for one in looking.of.options if one.key == over.option), None)
    if not isinstance(option, Number | Whole):
        return ChartBlock(tuple(charts), narrowest=narrowest)
    now = looking.shown.value(option) if over.now is None else over.now
    marker = Marker(now, _(over.title), key=option.key, least=option.low, most=option.high)
    shown = tuple(replace(chart, marker=marker) for chart in charts)
    return ChartBlock(shown, narrowest=narrowest)
