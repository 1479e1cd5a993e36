"""How often each method is right: a chart with intervals."""

import numpy as np

from explorer.questions.cause.attribution_benchmark.tested import AttributionBenchmarkResult
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import Axis, Chart, Line, Points, Reference

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
    words = tuple(one.said.said for one in rows)
    shares = np.array([one.share for one in rows])
    series.append(Points(shares, places, ("",) * len(rows), words, ("bar",) * len(rows)))
    top = len(rows) - 0.4
    return Chart(
        _("How often each method is right"),
        _("Share of the places, with the 95 % interval (Wilson). The line: by chance."),
        tuple(series),
        Axis(_("share of the places"), 0.0, 1.0, grid=True, written=percent),
        Axis("", -0.6, top, ticks=tuple(places), words=tuple(one.way.title.said for one in rows)),
        references=(Reference((result.chance, -0.6), (result.chance, top), "warning", "dash"),),
        height=ROW * len(rows) + 14,
        spoken=". ".join(words),
        readout=lambda _share: "",
    )
