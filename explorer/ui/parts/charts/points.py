"""Points in two dimensions, picture beside picture."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import Plane, Points
from explorer.api.question.parts.charts.points import Floats
from explorer.text import Phrase, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.charts import description
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.parts.looking import Looking

MARGIN = 0.12
"""Of the picture, free on either side of the outermost points."""


def blocks(part: Points, _looking: Looking) -> Iterator[Block]:
    """A chart a picture."""
    yield _drawn(part)


@remembered()
def _drawn(part: Points) -> ChartBlock:
    width = CardWidth.MEDIUM if part.equal else CardWidth.NARROW
    return ChartBlock(tuple(_chart(part, one) for one in part.planes), narrowest=width)


def _chart(part: Points, plane: Plane) -> Chart:
    own = set(part.strong)
    # What stands out comes first, so that its names have a place.
    order = [*sorted(own), *(n for n in range(len(part.names)) if n not in own)]
    x, y = (np.asarray(one[order], dtype=np.float64) for one in (plane.x, plane.y))
    usual = "bar" if part.equal else "muted"
    points = description.Points(
        x,
        y,
        # A plain name is a word of somebody's text, and no code of a message.
        tuple(
            one.said if isinstance(one, Phrase) else one
            for one in map(part.names.__getitem__, order)
        ),
        tuple(part.said(n) for n in order),
        tuple("mask" if n in own else usual for n in order),
        tuple(n == part.chosen for n in order),
        radius=3.0 if part.equal else 4.5,
    )
    title = said(plane.title)
    whole = title[:1].upper() + title[1:]
    titles = said(plane.x_title), said(plane.y_title)
    words, remark = said(plane.words), said(plane.remark)
    if part.equal:
        ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
        line = Line(said(part.equal), ends, ends, "muted", "dash", width=1.0, marked=False)
        axes = Axis(titles[0]), Axis(titles[1], grid=True)
        return Chart(whole, words, (line, points), *axes, remark=remark)
    across, up = (_axis(*one) for one in zip(titles, (x, y), strict=True))
    return Chart(whole, words, (points,), across, up, remark=remark, height=250.0, frame=True)


def _axis(title: str, values: Floats) -> Axis:
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low) or 1.0
    return Axis(title, low - room, high + room)
