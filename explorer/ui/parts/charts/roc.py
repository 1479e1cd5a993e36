"""The ROC: the curve over the diagonal of chance, and a point at the threshold of now."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import Roc
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Line, Points, shares_chart
from explorer.ui.parts.looking import Looking

SIDE = 180.0


def blocks(part: Roc, _looking: Looking) -> Iterator[Block]:
    """One square chart, both rates from 0 to 1."""
    alarms = np.array([one.false_alarm_rate for one in part.curve])
    hits = np.array([one.hit_rate for one in part.curve])
    series: list[Line | Points] = [Line("", alarms, hits, "bar", filled=True, marked=False)]
    if part.now is not None:
        at = np.array([part.now.false_alarm_rate]), np.array([part.now.hit_rate])
        series.append(Points(*at, ("",), (said(part.now_said),), ("text",)))
    chart = shares_chart(
        said(part.words),
        tuple(series),
        said(part.alarms),
        said(part.hits),
        height=SIDE,
        spoken=_("area under the curve {area}", area=decimal(part.area, 3)),
    )
    yield ChartBlock((chart,))
