"""How often each method is right: a chart with intervals, and a table beside it."""

import numpy as np

from explorer.questions.cause.attribution_benchmark.question import (
    SHOWN,
    AttributionBenchmarkResult,
)
from explorer.questions.cause.attribution_benchmark.wording import title_of, way_said
from explorer.text import _
from explorer.text.formatting.numbers import decimal, percent
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import Axis as BarAxis
from explorer.ui.blocks.tables.rows import Bar, Column, Row
from explorer.ui.charts.description import Axis, Chart, Line, Points, Reference

ROW = 19.0
"""Pixels of a row of the chart."""


def chart(result: AttributionBenchmarkResult) -> Chart:
    """A row a method: its share with Wilson's interval, and a line where chance is."""
    rows = list(reversed(result.ranked))
    places = np.arange(len(rows), dtype=np.float64)
    series: list[Line | Points] = [
        Line("", np.array([one.low, one.high]), np.array([at, at]), "bar", marked=False)
        for at, one in zip(places, rows, strict=True)
    ]
    words = tuple(way_said(one) for one in rows)
    shares = np.array([one.share for one in rows])
    series.append(Points(shares, places, ("",) * len(rows), words, ("bar",) * len(rows)))
    top = len(rows) - 0.4
    return Chart(
        _("How often each method is right"),
        _("Share of the places, with the 95 % interval (Wilson). The line: by chance."),
        tuple(series),
        Axis(_("share of the places"), 0.0, 1.0, grid=True, written=percent),
        Axis("", -0.6, top, ticks=tuple(places), words=tuple(title_of(one.way) for one in rows)),
        references=(Reference((result.chance, -0.6), (result.chance, top), "warning", "dash"),),
        height=ROW * len(rows) + 14,
        spoken=". ".join(words),
        readout=lambda _share: "",
    )


def shares_before(shown: Shown) -> dict[str, tuple[str]]:
    """How often each method was right in the pinned answer; nothing where none is pinned."""
    if shown.pinned is None:
        return {}
    then: AttributionBenchmarkResult = shown.pinned.result
    known = {one.way.name: percent(one.share, 1) for one in then.ways}
    return {one.way.name: (known.get(one.way.name, NOT_THERE),) for one in shown.result.ways}


def methods_table(shown: Shown) -> BarTable:
    """The numbers of each method; choosing one lists its mistakes."""
    result: AttributionBenchmarkResult = shown.result
    before = shares_before(shown)
    rows = []
    for one in result.ranked:
        name = one.way.name
        is_shown = SHOWN.of(shown.now) == name
        rows.append(
            Row(
                title_of(one.way),
                (
                    percent(one.share, 1),
                    *before.get(name, ()),
                    _("{low} to {high}", low=decimal(100 * one.low, 1), high=percent(one.high, 1)),
                    percent(one.captured, 1),
                ),
                (Bar(one.share),),
                mark=result.chance,
                strong=is_shown,
                ground="selection" if is_shown else "",
                words="\n".join(
                    (
                        way_said(one),
                        _(one.method.about.does),
                        _(one.method.about.citation),
                        _("Click to list where it is wrong."),
                    )
                ),
                key=("way", name),
                act=shown.setting(SHOWN, name, _("choose a method's mistakes")),
            )
        )
    return BarTable(
        rows,
        (
            Column(_("right")),
            *([Column(_("pinned"), words=_("The same in the pinned answer."))] if before else ()),
            Column(_("interval"), "muted", dispensable=True),
            Column(
                _("worth found"),
                words=_("What the picked words are worth, of what the best ones are; the mean."),
            ),
        ),
        BarAxis(titled=False),
        _("Method by method"),
        bold=False,
        track=True,
        label=Column(_("method")),
    )
