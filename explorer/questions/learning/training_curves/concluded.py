"""What may be concluded of plans that were trained with several seeds, or that nothing may."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from explorer.api.question import Manner, Rows, Said, column
from explorer.learning.curves.differences import SeedCurve, SeedDifference, difference_of
from explorer.learning.curves.names import LogColumn, MeasuredQuantity
from explorer.learning.curves.seeds import ENOUGH, SeedGroup
from explorer.questions.learning.training_curves.charts import (
    HELD_OUT,
    CurveChart,
    title_of,
)
from explorer.questions.learning.training_curves.options import LOSSES
from explorer.questions.learning.training_curves.question import over
from explorer.text import N_, Phrase, said

COMPARED = LOSSES | {MeasuredQuantity.ACCURACY}
HOW = N_(
    "Each run by the mean of its last 5 % before the last point that all of them reached, on the "
    "axis above; the differences with 95 % intervals, seed by seed where the seeds are the same. "
    "Of twenty comparisons without any difference, about one looks like a finding."
)
LOWER, HIGHER = N_("the first is lower"), N_("the first is higher")
OPEN = N_("nothing: the interval holds 0")
FEW = N_("nothing: fewer than {enough} seeds")
LESS = N_("{one} less {other}")
MOST = 60


@dataclass(frozen=True)
class LearningDifferenceRow:
    """What one plan came to, less what another one did."""

    measured: str = column(N_("measured"), written=said)
    runs: str = column(N_("runs"), written=said)
    concluded: str = column(N_("concluded"), written=said, wraps=True)
    difference: float | None = column(N_("difference"), digits=3)
    low: float | None = column(N_("from"), digits=3)
    high: float | None = column(N_("to"), digits=3)
    at: float | None = column(N_("reached by all"), digits=0)


def concluded(charts: Sequence[CurveChart], axis: str) -> Iterator[Said | Rows]:
    """A row for every two plans that share a chart, where any plan has seeds enough.

    Args:
        charts: What shares them.
        axis: What they are drawn over.
    """
    groups = [group for chart in charts for _number, group, _column in chart.entries]
    if not any(one.has_interval for one in groups):
        return
    rows = [row for chart in charts for row in _rows(chart, axis)]
    if rows:
        yield Rows(
            LearningDifferenceRow,
            tuple(rows[:MOST]),
            title=N_("What may be concluded"),
            in_files=False,
            group="measured",
            hidden=("measured",),
        )
        yield Said(HOW, Manner.EXPLANATION)


def _rows(chart: CurveChart, axis: str) -> Iterator[LearningDifferenceRow]:
    if chart.quantity not in COMPARED:
        return
    for (_n, one, mine), (_m, other, theirs) in combinations(chart.entries, 2):
        if one is other or (mine.held_out, mine.part) != (theirs.held_out, theirs.part):
            continue
        found = difference_of(_curves(one, mine, axis), _curves(other, theirs, axis))
        names = Phrase(LESS, one=title_of(one), other=title_of(other))
        runs = Phrase(HELD_OUT, name=names) if mine.held_out else names
        yield _row(chart.title, runs, found)


def _row(measured: str, runs: Phrase, found: SeedDifference | None) -> LearningDifferenceRow:
    if found is None:
        return LearningDifferenceRow(measured, runs, Phrase(FEW, enough=ENOUGH), *[None] * 4)
    told = {1: HIGHER, 0: OPEN, -1: LOWER}[found.sign]
    mean = found.interval
    return LearningDifferenceRow(
        measured, runs, Phrase(told), mean.mean, mean.low, mean.high, found.at
    )


def _curves(group: SeedGroup, column_: LogColumn, axis: str) -> list[SeedCurve]:
    return [
        SeedCurve(record.seed, at, one.values)
        for record, one in group.measured(column_)
        if (at := over(record, one, axis)) is not None
    ]
