"""Which curves are drawn: a panel a measured quantity, a curve a number and a group of series."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.charts.curves import Dash, Over
from explorer.learning.curves.seeds import ENOUGH
from explorer.numerics.evaluation.student_t import mean_interval
from explorer.over_steps.asking import groups_of
from explorer.over_steps.numbers import FollowedNumber, NumberColumn
from explorer.questions.learning.over_steps.options import INTERVAL, LINEAR
from explorer.questions.learning.over_steps.question import OverStepsResult
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import whole

Floats = NDArray[np.float64]

COLOURS = ("bar", "danger", "positive", "mask", "muted")
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash dot")
MOST_PANELS = 6
ROOM = 1.02
"""After the last step, so that its point is whole."""
OF_SERIES = N_("{number}, {series}")
SEEDS = N_("{series} and others: mean of {seeds} seeds")
STEPS = N_("steps of training")


@dataclass(frozen=True)
class StepDrawing:
    """How curves are drawn: what the page is set to."""

    shown: tuple[str, ...] = ()
    axis: str = ""
    alike: bool = False
    band: str = INTERVAL


@dataclass(frozen=True)
class SeriesGroup:
    """Series that differ in their seeds alone, or one.

    Attributes:
        places: Their numbers among the result's series.
        title: What people read.
    """

    places: tuple[int, ...]
    title: Phrase


@dataclass(frozen=True)
class StepCurve:
    """A number over the steps of a group.

    Attributes:
        number: Which.
        group: Of which series.
        name: In the legend.
        steps: At which all of its series have the number.
        values: The number, or its mean over the series.
        band: Below and above it; None of a single series.
        ids: The checkpoint at each of the steps, of the first series.
        colour: By its name in the theme.
        dash: Tells groups apart.
    """

    number: FollowedNumber
    group: SeriesGroup
    name: Phrase
    steps: NDArray[np.int64]
    values: Floats
    band: tuple[Floats, Floats] | None
    ids: tuple[str, ...]
    colour: str
    dash: Dash


@dataclass(frozen=True)
class StepPanel:
    """Curves of one quantity."""

    column: NumberColumn
    curves: tuple[StepCurve, ...]


def groups_in(result: OverStepsResult, *, alike: bool) -> list[SeriesGroup]:
    """Which series are laid together."""
    series = result.series
    found = groups_of([one.plan for one in series], [one.seed for one in series], alike=alike)
    return [SeriesGroup(places, _title(result, places)) for places in found]


def _title(result: OverStepsResult, places: Sequence[int]) -> Phrase:
    first = verbatim(result.series[places[0]].title)
    return first if len(places) == 1 else Phrase(SEEDS, series=first, seeds=len(places))


def panels_of(result: OverStepsResult, drawing: StepDrawing) -> list[StepPanel]:
    """The panels, in the order of the numbers."""
    groups = groups_in(result, alike=drawing.alike)
    numbers = result.shown(drawing.shown)
    columns: dict[str, list[FollowedNumber]] = {}
    for one in numbers:
        columns.setdefault(one.column.name, []).append(one)
    panels = []
    for members in [*columns.values()][:MOST_PANELS]:
        curves = tuple(_curves(result, members, groups, drawing))
        if curves:
            panels.append(StepPanel(members[0].column, curves))
    return panels


def _curves(
    result: OverStepsResult,
    numbers: Sequence[FollowedNumber],
    groups: Sequence[SeriesGroup],
    drawing: StepDrawing,
) -> Iterator[StepCurve]:
    alone = len(numbers) == 1
    for n, number in enumerate(numbers):
        for g, group in enumerate(groups):
            colour, dash = (g, 0) if alone else (n, g + n // len(COLOURS))
            found = _of_group(result, number, group, drawing.band)
            if found is None:
                continue
            steps, values, band, ids = found
            yield StepCurve(
                number,
                group,
                _name(number, group, alone=alone, groups=len(groups)),
                steps,
                values,
                band,
                ids,
                COLOURS[colour % len(COLOURS)],
                DASHES[dash % len(DASHES)],
            )


def _name(number: FollowedNumber, group: SeriesGroup, *, alone: bool, groups: int) -> Phrase:
    own = number.row or number.title
    if groups == 1:
        return own if not alone or number.row else group.title
    return group.title if alone else Phrase(OF_SERIES, number=own, series=group.title)


Found = tuple[NDArray[np.int64], Floats, tuple[Floats, Floats] | None, tuple[str, ...]]


def _of_group(
    result: OverStepsResult, number: FollowedNumber, group: SeriesGroup, band: str
) -> Found | None:
    """The steps at which all series of a group have a number: nothing is put in between."""
    each = []
    for place in group.places:
        values = result.of_series(number, place)
        known = zip(result.series[place].steps, values.tolist(), strict=True)
        each.append({step: value for step, value in known if np.isfinite(value)})
    common = sorted(set.intersection(*(set(one) for one in each)))
    if not common:
        return None
    first = result.series[group.places[0]]
    ids = dict(zip(first.steps, first.ids, strict=True))
    rows = np.array([[one[step] for one in each] for step in common])
    return (
        np.array(common, np.int64),
        rows.mean(axis=1),
        _band(rows, band),
        tuple(ids[step] for step in common),
    )


def _band(rows: Floats, band: str) -> tuple[Floats, Floats] | None:
    """Around the mean of steps x series; of two series there is no interval worth the name."""
    if rows.shape[1] < 2:
        return None
    if band != INTERVAL or rows.shape[1] < ENOUGH:
        return rows.min(axis=1), rows.max(axis=1)
    found = [mean_interval(row) for row in rows.tolist()]
    low, high = ([getattr(one, end) for one in found] for end in ("low", "high"))
    return np.array(low), np.array(high)


@dataclass(frozen=True)
class StepAxis:
    """Where steps stand: by powers of ten step 0 has a place of its own, before the first one.

    Attributes:
        over: The axis.
        zero: The place of step 0; 0 on a straight axis.
    """

    over: Over
    zero: float

    def at(self, steps: NDArray[np.int64]) -> Floats:
        """Where steps stand."""
        return np.where(steps == 0, self.zero, steps.astype(np.float64))


def axis_of(panels: Sequence[StepPanel], axis: str) -> StepAxis:
    """One axis for all panels."""
    steps = sorted({int(step) for one in panels for curve in one.curves for step in curve.steps})
    above = [step for step in steps if step > 0]
    first, last = (above[0], above[-1]) if above else (1, 1)
    if axis == LINEAR or first == last:
        low = float(min(steps, default=0))
        ends = np.array([0.0 if low < 0.1 * last else low, max(last, low + 1) * ROOM])
        return StepAxis(Over("step", STEPS, ends, whole=True), 0.0)
    if steps[0] > 0:
        ends = np.array([float(first), last * (last / first) ** (ROOM - 1)])
        return StepAxis(Over("step", STEPS, ends, logarithmic=True, whole=True), 0.0)
    zero = first / max(2.0, min(10.0, (last / first) ** 0.15))
    ticks = (zero, *_round(first, last))
    words = tuple(verbatim(whole(0 if one == zero else round(one))) for one in ticks)
    over = Over(
        "step",
        STEPS,
        np.array([zero, last * (last / zero) ** (ROOM - 1)]),
        ticks=ticks,
        logarithmic=True,
        words=words,
    )
    return StepAxis(over, zero)


def _round(first: int, last: int) -> list[float]:
    """Round numbers between two steps: powers of ten, and twos and fives where those are few."""
    for times in ((1,), (1, 5), (1, 2, 5)):
        found = [
            float(one * 10**power)
            for power in range(len(str(last)))
            for one in times
            if first <= one * 10**power <= last
        ]
        if len(found) >= len(str(last)) - len(str(first)) + 1 >= 3 or len(found) >= 4:
            return found
    return found or [float(first), float(last)]
