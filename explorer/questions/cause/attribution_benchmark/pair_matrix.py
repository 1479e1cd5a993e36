"""The p of every pair of methods, as a matrix."""

import numpy as np

from explorer.api.question import Colours, Grid
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.cause.attribution_benchmark.pairs import all_compared, pairs
from explorer.questions.cause.attribution_benchmark.tested import AttributionBenchmarkResult
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, significant

LEAST = 0.01
"""The least p that a cell tells from 0."""


def matrix_of_pairs(result: AttributionBenchmarkResult) -> Grid:
    """A row and a column each: how surely one is right more often than the other.

    A cell's number is 1 - p, below nought where the column is right more often.
    """
    every = all_compared(result)
    names = [one.way.name for one in every]
    count, short = len(every), tuple(one.way.short for one in every)
    values = np.full((count, count), np.nan)
    told = {}
    for one in pairs(result):
        row, at = names.index(one.first), names.index(one.second)
        more = float(np.sign(one.first_alone - one.second_alone))
        values[row, at], values[at, row] = more * (1.0 - one.p), -more * (1.0 - one.p)
        told[row, at] = one
    framed = [place for row, at in told if told[row, at].better for place in ((row, at), (at, row))]

    def said(row: int, at: int) -> str:
        one = told.get((min(row, at), max(row, at)))
        if one is None:
            return every[row].way.title.said
        alone = one.first_alone, one.second_alone
        here, there = alone if row < at else alone[::-1]
        lines = (
            _(
                "{method} against {other}",
                method=every[row].way.title.said,
                other=every[at].way.title.said,
            ),
            _(
                "Right where the other is wrong: at {first} places and {second}",
                first=here,
                second=there,
            ),
            _(
                "p = {p}; with Holm's correction over all pairs {corrected}",
                p=significant(one.p, 2),
                corrected=significant(one.corrected, 2),
            ),
        )
        return "\n".join(lines)

    return Grid(
        "pairs",
        values,
        Side(N_("method"), short),
        Side(N_("other method"), short, turned=True),
        N_(
            "p of McNemar's exact test, from the method that is right most often down; coloured by "
            "who of both is right more often, framed where it holds with Holm's correction"
        ),
        said,
        _written,
        Colours(diverging=True, with_bar=False),
        framed=framed,
        title=N_("Every pair of methods"),
    )


def _written(value: float) -> str:
    """A p in few characters, as there are many cells: ".03", "1", and "<.01" for what is less."""
    p = 1.0 - abs(value)
    if p < LEAST / 2:
        return f"<{decimal(LEAST, 2).lstrip('0')}"
    return decimal(p, 2).lstrip("0").removesuffix(decimal(0.0, 2)[1:])
