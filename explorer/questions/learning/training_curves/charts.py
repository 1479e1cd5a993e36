"""Which curves share a chart: those of one quantity and one objective, and no others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Curve, Panel
from explorer.api.question.parts.charts.curves import Dash, Over
from explorer.learning.curves.names import OBJECTIVES, LogColumn, MeasuredQuantity
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.curves.seeds import SeedGroup, band_of, smoothed
from explorer.questions.learning.training_curves.options import LOSSES, MULTIPLY_ADDS, TOKENS
from explorer.questions.learning.training_curves.question import over
from explorer.text import N_, Phrase, verbatim

COLOURS = ("bar", "danger", "positive", "mask", "bar_second", "warning", "pair", "muted")
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash dot")
PLOT = 190.0
"""The height of a plot, in pixels."""
AXES = {
    "steps": N_("steps"),
    TOKENS: N_("tokens"),
    MULTIPLY_ADDS: N_("multiply-adds"),
}
TITLES = {
    MeasuredQuantity.LOSS: N_("Loss: {of}"),
    MeasuredQuantity.EXCESS: N_("Excess loss: {of}"),
    MeasuredQuantity.ACCURACY: N_("Accuracy: {of}"),
    MeasuredQuantity.PERPLEXITY: N_("Perplexity: {of}"),
}
ALL_OF_IT = N_("Loss “{column}” of {title}")
UNSAID = {
    MeasuredQuantity.LOSS: N_("Loss, objective unknown"),
    MeasuredQuantity.EXCESS: N_("Excess loss"),
    MeasuredQuantity.ACCURACY: N_("Accuracy, objective unknown"),
    MeasuredQuantity.PERPLEXITY: N_("Perplexity"),
    MeasuredQuantity.GRADIENT: N_("Gradient norm"),
    MeasuredQuantity.RATE: N_("Learning rate"),
}
UNITS = {
    MeasuredQuantity.LOSS: N_("nats"),
    MeasuredQuantity.EXCESS: N_("nats"),
    MeasuredQuantity.ACCURACY: N_("share"),
}
DISTANCES = frozenset({"cosine", "attention", "states", "embeddings"})
"""Objectives whose losses are distances and no nats."""
HELD_OUT = N_("{name}, held out")
PART = N_("{name}, {part}")
ORDER = tuple(MeasuredQuantity)


@dataclass(frozen=True)
class CurveDrawing:
    """How curves are drawn.

    Attributes:
        axis: What over.
        show: Which measurements: "learnt", "losses", "accuracies", "all".
        smoothing: How much of those before it each value keeps.
        powers: The axis goes by powers of ten.
        alike: Losses without an objective's name are of one.
    """

    axis: str = "steps"
    show: str = "learnt"
    smoothing: float = 0.0
    powers: bool = False
    alike: bool = False


@dataclass
class CurveChart:
    """What shares a chart.

    Attributes:
        quantity: What is measured.
        objective: What of; "" where no name says so.
        title: What people read above it.
        entries: Each group's number among all groups, the group and its column.
    """

    quantity: MeasuredQuantity
    objective: str
    title: Phrase | str
    entries: list[tuple[int, SeedGroup, LogColumn]] = field(default_factory=list)


def charts_of(groups: Sequence[SeedGroup], drawing: CurveDrawing) -> list[CurveChart]:
    """The charts, losses first; those that more of the runs have come before others."""
    found: dict[tuple[object, ...], CurveChart] = {}
    for number, group in enumerate(groups):
        for column in group.columns():
            if not _is_shown(column, drawing.show):
                continue
            key = _key(column, number, alike=drawing.alike)
            if key not in found:
                title = _title(column, group, alike=drawing.alike)
                found[key] = CurveChart(column.quantity, column.objective, title)
            found[key].entries.append((number, group, column))

    def runs(chart: CurveChart) -> int:
        return len({number for number, _group, _column in chart.entries})

    return sorted(found.values(), key=lambda one: (ORDER.index(one.quantity), -runs(one)))


def _is_shown(column: LogColumn, show: str) -> bool:
    is_loss, is_accuracy = column.quantity in LOSSES, column.quantity is MeasuredQuantity.ACCURACY
    return {
        "losses": is_loss,
        "accuracies": is_accuracy,
        "learnt": is_loss or is_accuracy,
    }.get(show, True)


def _key(column: LogColumn, number: int, *, alike: bool) -> tuple[object, ...]:
    if column.quantity is MeasuredQuantity.OTHER:
        return column.quantity, column.name
    if (
        column.quantity in {MeasuredQuantity.GRADIENT, MeasuredQuantity.RATE}
        or column.objective
        or alike
    ):
        return column.quantity, column.objective
    return column.quantity, "", number


def _title(column: LogColumn, group: SeedGroup, *, alike: bool) -> Phrase | str:
    if column.quantity is MeasuredQuantity.OTHER:
        return verbatim(column.name)
    if column.objective and column.quantity in TITLES:
        return Phrase(TITLES[column.quantity], of=Phrase(OBJECTIVES[column.objective]))
    if column.quantity is MeasuredQuantity.LOSS and not alike:
        return Phrase(ALL_OF_IT, column=column.name, title=title_of(group))
    return UNSAID[column.quantity]


def title_of(group: SeedGroup) -> str:
    """What people read for a group: the title of its first run."""
    return group.records[0].title


def last_of(records: Sequence[TrainingRecord], drawing: CurveDrawing) -> float:
    """Where the axis of all charts ends: they are read one below the other."""
    every = (over(record, one, drawing.axis) for record in records for one in record.columns)
    return max((float(at[-1]) for at in every if at is not None), default=1.0)


def panel_of(chart: CurveChart, drawing: CurveDrawing, last: float) -> tuple[Over, Panel] | None:
    """A chart's axis and curves; None where no run tells where it stands on the axis.

    Args:
        chart: What shares it.
        drawing: How it is drawn.
        last: Where the axis ends.
    """
    curves = [one for entry in _styled(chart) for one in _curves(*entry, drawing)]
    at = [one.at for one in curves if one.at is not None and len(one.at)]
    if not at:
        return None
    first = min((float(one[one > 0][0]) for one in at if (one > 0).any()), default=1.0)
    powers = drawing.powers and first < last
    ends = np.array([first if powers else 0.0, max(last, first)])
    axis = Over(drawing.axis, AXES[drawing.axis], ends, logarithmic=powers, whole=True)
    unit = "" if chart.objective in DISTANCES else UNITS.get(chart.quantity, "")
    panel = Panel(
        f"{chart.quantity.value} {chart.objective}".strip(),
        "",
        tuple(curves),
        unit=unit,
        high=1.0 if chart.quantity is MeasuredQuantity.ACCURACY else None,
        height=PLOT,
        # An interval may reach below what there can be.
        begins=None if chart.quantity is MeasuredQuantity.OTHER else 0.0,
        switched=chart.quantity is not MeasuredQuantity.ACCURACY,
    )
    return axis, panel


def _styled(chart: CurveChart) -> Iterator[tuple[SeedGroup, LogColumn, str, Dash, bool]]:
    """Each entry with its colour, which is the group's, and its line, which tells columns apart."""
    per: dict[int, int] = {}
    several = {column.part for _n, _g, column in chart.entries}
    for number, group, column in chart.entries:
        nth = per.setdefault(number, -1) + 1
        per[number] = nth
        shift = number // len(COLOURS)
        dash = DASHES[(nth + shift) % len(DASHES)]
        yield group, column, COLOURS[number % len(COLOURS)], dash, len(several) > 1


def _curves(
    group: SeedGroup,
    column: LogColumn,
    colour: str,
    dash: Dash,
    parted: bool,
    drawing: CurveDrawing,
) -> Iterator[Curve]:
    runs = [
        (record, at, smoothed(one.values, drawing.smoothing))
        for record, one in group.measured(column)
        if (at := over(record, one, drawing.axis)) is not None
    ]
    if drawing.powers:
        runs = [(record, at[at > 0], values[at > 0]) for record, at, values in runs]
    if group.has_interval and len(runs) == group.seeds:
        band = band_of([(at, values) for _record, at, values in runs])
        name = Phrase(SEEDS, name=title_of(group), count=group.seeds)
        yield _curve(
            name, column, parted, (band.steps, band.mean), colour, dash, (band.low, band.high)
        )
        return
    for record, at, values in runs:
        yield _curve(verbatim(record.title), column, parted, (at, values), colour, dash)


SEEDS = N_("{name} and others: mean of {count} seeds")


def _curve(
    name: Phrase,
    column: LogColumn,
    parted: bool,
    points: tuple[NDArray[np.float64], NDArray[np.float64]],
    colour: str,
    dash: Dash,
    band: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> Curve:
    at, values = points
    if parted and column.part:
        name = Phrase(PART, name=name, part=column.part)
    if column.held_out:
        name = Phrase(HELD_OUT, name=name)
    return Curve(name, values, colour, dash, band, at=at)


def lacks_axis(records: Sequence[TrainingRecord], axis: str) -> list[TrainingRecord]:
    """Runs whose files do not tell how far they were on an axis."""
    if axis not in {TOKENS, MULTIPLY_ADDS}:
        return []
    return [one for one in records if axis not in one.paces]
