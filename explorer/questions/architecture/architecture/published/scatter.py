"""Size against score: every published pair as a point."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.published.literature import scored
from explorer.questions.architecture.architecture.published.parts import measure_of
from explorer.questions.architecture.architecture.question import MEASURE
from explorer.text import _, said
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks import Axis, Block, Chart, ChartBlock, Points, Shown

HIGH = 284.0
COLOURS = ("bar", "bar_original", "positive", "mask")


@dataclass(frozen=True)
class Point:
    """One model.

    Attributes:
        words: Its name.
        size: Parameters.
        score: Of the measure that was chosen.
        group: The number of its table, for colour and shape.
        source: Where both stand.
    """

    words: str
    size: int
    score: float
    group: int
    source: str


def scatter_chart(points: Sequence[Point], measure: str) -> Chart:
    """The chart; a round place at both ends of the axes, so that names have room."""
    scores = [point.score for point in points] or [0.0, 1.0]
    sizes = [point.size for point in points] or [10**7, 10**9]
    pad = max(1.0, 0.12 * (max(scores) - min(scores)))
    return Chart(
        "",
        _("{measure} of published models against their sizes.", measure=measure),
        (
            Points(
                np.array([point.size for point in points], dtype=float),
                np.array([point.score for point in points], dtype=float),
                tuple(point.words for point in points),
                tuple(
                    f"{point.words}\n{in_words(point.size)}, {measure} {point.score:.1f}\n"
                    f"{point.source}"
                    for point in points
                ),
                tuple(COLOURS[point.group % len(COLOURS)] for point in points),
                tuple(bool(point.group % 2) for point in points),
            ),
        ),
        Axis(
            _("parameters"),
            min(sizes) / 1.5,
            max(sizes) * 1.8,
            logarithmic=True,
            written=lambda size: f"{size / 10**6:,.6g} M",
            grid=True,
        ),
        Axis(measure, min(scores) - pad, max(scores) + pad, grid=True),
        height=HIGH,
        frame=True,
        spoken=", ".join(
            f"{point.words}, {in_words(point.size)}, {point.score:g}" for point in points
        ),
    )


def scatter(shown: Shown) -> Iterator[Block]:
    """Size against the score that is chosen."""
    measure = measure_of(MEASURE.of(shown.now))
    yield ChartBlock((scatter_chart(points_of(measure), measure),))


def points_of(measure: str) -> list[Point]:
    """Every model with a score in a measure."""
    return [
        Point(said(row.model), row.parameters, score, number, table.source)
        for number, table, row, score in scored(measure)
    ]
