"""Curves of training side by side: a chart for each objective, and where each run ended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Cards,
    Choices,
    Curves,
    Manner,
    OneCard,
    OneChoice,
    Rows,
    Said,
    Width,
    column,
    sets,
)
from explorer.learning.curves.half_way import half_way
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.seeds import ENOUGH, SeedGroup, groups_of
from explorer.questions.learning.training_curves.charts import (
    AXES,
    CurveChart,
    CurveDrawing,
    charts_of,
    lacks_axis,
    last_of,
    panel_of,
)
from explorer.questions.learning.training_curves.concluded import concluded
from explorer.questions.learning.training_curves.options import MOST, SOURCES
from explorer.questions.learning.training_curves.published import published
from explorer.questions.learning.training_curves.question import TrainingCurvesResult
from explorer.text import N_, Phrase, verbatim
from explorer.text.lists import one_after_another

ABOUT = N_(
    "What was measured while models were trained. Losses of different objectives measure different "
    "things and never share an axis. Losses of one objective can be compared where vocabulary and "
    "texts are the same: with other pieces, a model predicts something else."
)
ONE_SEED = N_(
    "One seed proves nothing: another draw of weights and batches may come out otherwise. With "
    "{enough} seeds of one plan there is a band."
)
BANDED = N_("Bands are 95 % intervals of the mean over seeds (Student's t).")
LACKING = N_("Not drawn, as their files do not count {what}: {names}.")
NOTHING = N_("None of these runs measured that: choose something else to show.")
MOST_CHARTS = 16
LEFT_OUT = N_("{count} more charts are left out: remove a curve to see them.")
KEPT = N_("Curves")
MORE = N_("Add")
OFFERED = 10
"""Models that are offered at once."""
SUM = N_("A loss without an objective's name may be a sum of several: it has a chart of its own.")


@dataclass(frozen=True)
class LearningEndRow:
    """What a measurement was at the beginning and at the end of a run."""

    run: str = column(N_("run"))
    measured: str = column(N_("measured"))
    steps: int = column(N_("steps"))
    first: float = column(N_("first"))
    last: float = column(N_("last"))
    half: int | None = column(
        N_("half by step"),
        tip=N_("The first step with at least half of the change from the first value to the end."),
        dispensable=True,
    )


Kinds = Said | Choices | Cards | Curves | Rows


def parts(
    result: TrainingCurvesResult,
    axis: str = "steps",
    show: str = "learnt",
    smoothing: float = 0.0,
    powers: bool = False,
    alike: bool = False,
) -> Iterator[Kinds]:
    """What is shown, the charts, and the ends of each curve."""
    drawing = CurveDrawing(axis, show, smoothing, powers, alike)
    yield Said(ABOUT, Manner.ABOUT)
    for one in result.missing:
        yield Said(one.why, Manner.WARNING)
    yield from _chosen(result)
    groups = groups_of(result.records)
    charts = charts_of(groups, drawing)
    yield seeds_said(groups)
    if lacking := lacks_axis(result.records, axis):
        names = one_after_another([verbatim(one.title) for one in lacking])
        yield Said(Phrase(LACKING, what=Phrase(AXES[axis]), names=names))
    for record in result.records:
        for note in record.notes:
            yield Said(note)
    last = last_of(result.records, drawing)
    drawn = [card for one in charts[:MOST_CHARTS] if (card := _card(one, drawing, last))]
    if not drawn:
        yield Said(NOTHING, Manner.PLAIN)
        return
    yield Cards(tuple(drawn), Width.WIDE)
    if len(charts) > MOST_CHARTS:
        yield Said(Phrase(LEFT_OUT, count=len(charts) - MOST_CHARTS))
    yield from concluded(charts, axis)
    yield Rows(
        LearningEndRow,
        tuple(_ends(charts)),
        title=N_("First and last values"),
        in_files=False,
        group="measured",
        hidden=("measured",),
    )
    yield from published(charts)


def _chosen(result: TrainingCurvesResult) -> Iterator[Choices]:
    """Each curve, to be taken away; and more of those that come with the program."""
    sources = tuple(dict.fromkeys(one.source for one in result.records))
    named = _named(result)
    if len(named) > 1:
        taken = (
            OneChoice(
                verbatim(titles[0]),
                sets(
                    SOURCES,
                    tuple(one for one in named if one != source),
                    Phrase(N_("remove the curve of {title}"), title=titles[0]),
                ),
                pressed=True,
                key=("curve", source),
            )
            for source, titles in _titled(result, named)
        )
        yield Choices(tuple(taken), KEPT)
    if len(result.records) >= MOST:
        return
    more = (
        OneChoice(
            verbatim(one.title),
            sets(
                SOURCES,
                (*named, one.id),
                Phrase(N_("add the curve of {title}"), title=one.title),
            ),
            key=("add", one.id),
        )
        for one in [one for one in result.offered if one.id not in sources][:OFFERED]
    )
    if offered := tuple(more):
        yield Choices(offered, MORE)


def _named(result: TrainingCurvesResult) -> tuple[str, ...]:
    """What was named, or would have been: a folder of several runs is one."""
    return tuple(dict.fromkeys(one.within or one.source for one in result.records))


def _titled(result: TrainingCurvesResult, named: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for source in named:
        titles = [
            one.title.rpartition("/")[0] if one.within else one.title
            for one in result.records
            if source in (one.within, one.source)
        ]
        yield source, titles


def seeds_said(groups: Sequence[SeedGroup]) -> Said:
    """What bands are, or that there are too few seeds for one."""
    if any(one.has_interval for one in groups):
        return Said(BANDED)
    return Said(Phrase(ONE_SEED, enough=ENOUGH))


def _card(chart: CurveChart, drawing: CurveDrawing, last: float) -> OneCard | None:
    found = panel_of(chart, drawing, last)
    if found is None:
        return None
    axis, panel = found
    inside: list[Kinds] = [Curves(axis, (panel,), in_files=False)]
    if chart.quantity is MeasuredQuantity.LOSS and not chart.objective:
        inside.append(Said(SUM, Manner.EXPLANATION))
    return OneCard(chart.title, tuple(inside))


def _ends(charts: Sequence[CurveChart]) -> Iterator[LearningEndRow]:
    for chart in charts:
        for _number, group, column_ in chart.entries:
            for record, one in group.measured(column_):
                half = half_way(one.steps, one.values)
                yield LearningEndRow(
                    record.title,
                    chart.title,
                    round(record.steps),
                    float(one.values[0]),
                    float(one.values[-1]),
                    None if half is None else round(one.steps[half]),
                )
