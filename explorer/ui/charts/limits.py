"""Where axes begin and end, and which numbers stand at them."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from explorer.text.formatting.short import short
from explorer.ui.charts.description import Axis, Bars, Chart, Line
from explorer.ui.typesetting.one_line import text_height

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

DEEPEST = 1e-6
"""A logarithmic axis that fits itself goes no further down than this share of its end."""
STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
ROUND = (1, 2, 5, 10)
ROOMY = 5
"""Ticks for which there must be room for 1, 2 and 5 of few powers of ten."""
FEWEST = 2
"""Ticks below which an axis that was zoomed in on gets round numbers instead of its own."""
LOW_PLOT = 140.0
"""Height of a plot below which there are two or three numbers at its side."""

Limits = tuple[float, float]


def round_up(value: float) -> float:
    """The next number that reads well: 1, 2, 3 ... times a power of ten."""
    if value <= 0 or not math.isfinite(value):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in STEPS if value <= step * power * (1 + 1e-9))


def place(values: "Values", axis: Axis, limits: Limits) -> "Values":
    """Numbers as places on an axis: themselves, or their powers of ten."""
    import numpy as np

    numbers = np.asarray(values, dtype=float)
    if not axis.logarithmic:
        return numbers
    powers: Values = np.log10(np.maximum(numbers, 10.0 ** limits[0]))
    return powers


def place_one(value: float, axis: Axis, limits: Limits) -> float:
    """One number as a place on an axis."""
    return math.log10(max(value, 10.0 ** limits[0])) if axis.logarithmic else value


def number_at(place: float, axis: Axis) -> float:
    """The number at a place of an axis."""
    return 10.0**place if axis.logarithmic else place


def limits(values: Iterable["Values"], axis: Axis) -> Limits:
    """Where an axis begins and ends, as places on it."""
    import numpy as np

    found = [np.asarray(one, dtype=float).ravel() for one in values]
    numbers = np.concatenate(found) if found else np.zeros(0)
    numbers = numbers[np.isfinite(numbers)]
    if axis.logarithmic:
        return _logarithmic(numbers, axis)
    low, high = axis.low, axis.high
    if low is None:
        low = min(0.0, float(numbers.min(initial=0.0)))
    if high is None:
        high = round_up(float(numbers.max(initial=0.0)))
    return (low, high) if high > low else (low, low + 1.0)


def _logarithmic(numbers: "Values", axis: Axis) -> Limits:
    positive = numbers[numbers > 0]
    largest = float(positive.max()) if positive.size else 1.0
    least = float(positive.min()) if positive.size else largest / 10
    top = axis.high or 10.0 ** math.ceil(math.log10(largest))
    bottom = axis.low or 10.0 ** math.floor(math.log10(least))
    bottom = max(bottom, top * DEEPEST)
    if bottom >= top:
        # All numbers are the same power of ten: it stands at the upper end.
        bottom = top / 10
    return math.log10(bottom), math.log10(top)


def limits_of(chart: Chart) -> tuple[Limits, Limits]:
    """Of both axes."""
    across: list[Values] = []
    up: list[Values] = []
    for one in chart.series:
        if isinstance(one, Bars):
            across += [one.left, one.right]
        else:
            across.append(one.x)
        up.append(one.y)
        if isinstance(one, Line) and one.band is not None:
            up += one.band
    return limits(across, chart.x), limits(up, chart.y)


def numbers_beside(height: float) -> int:
    """About how many numbers there is room for at the side of a plot, by its height in pixels."""
    if height < LOW_PLOT:
        return 2
    return max(2, int(height / (2.4 * text_height("small"))))


def ticks_in(axis: Axis, low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Places on an axis and what is written there, for the part of it that is in sight.

    Args:
        axis: Of a chart.
        low: First place in sight.
        high: Last place in sight.
        most: About how many there is room for.
    """
    edge = (high - low) * 1e-6
    if axis.ticks:
        named = axis.words or tuple(written(one, axis, 0.0) for one in axis.ticks)
        places = [math.log10(one) if axis.logarithmic else one for one in axis.ticks]
        own = [
            (at, text)
            for at, text in zip(places, named, strict=True)
            if low - edge <= at <= high + edge
        ]
        if len(own) >= FEWEST or axis.words:
            return own
    if axis.logarithmic:
        return _decades(axis, low, high, most)
    step = step_of((high - low) / max(most, 1))
    half = (high - low) / 2
    if (
        most <= FEWEST
        and abs(low / half - round(low / half)) < 1e-6
        and f"{half:.2g}" == f"{half:g}"
    ):
        step = half  # both ends and the middle, where they read well
    if axis.whole:
        step = max(step, 1.0)
    first, last = math.ceil((low - edge) / step), math.floor((high + edge) / step)
    return [(n * step, written(n * step, axis, step)) for n in range(first, last + 1)]


def _decades(axis: Axis, low: float, high: float, most: int) -> list[tuple[float, str]]:
    first, last = math.ceil(low - 1e-6), math.floor(high + 1e-6)
    if last - first >= (1 if most < ROOMY else 3):
        by = max(1, -(-(last - first) // max(most, 1)))
        return [(float(n), written(10.0**n, axis, 0.0)) for n in range(first, last + 1, by)]
    found = []
    for power in range(math.floor(low) - 1, math.ceil(high) + 1):
        for times in (1, 2, 5):
            at = power + math.log10(times)
            if low - 1e-6 <= at <= high + 1e-6:
                found.append((at, written(times * 10.0**power, axis, 0.0)))
    if len(found) >= FEWEST:
        return found
    step = step_of((10.0**high - 10.0**low) / max(most, 1))
    first, last = math.ceil(10.0**low / step), math.floor(10.0**high / step)
    return [
        (math.log10(n * step), written(n * step, axis, step))
        for n in range(max(first, 1), last + 1)
    ]


def step_of(raw: float) -> float:
    """A round distance between ticks, no smaller than a raw one."""
    if raw <= 0 or not math.isfinite(raw):
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(raw))
    return next(power * times for times in ROUND if power * times >= raw * (1 - 1e-9))


def written(value: float, axis: Axis, step: float) -> str:
    """A number at an axis, with as many decimals as tell it from its neighbours."""
    if axis.written is not None:
        return axis.written(value)
    if axis.logarithmic and step == 0.0 and not 0.001 <= abs(value) < 10_000:
        return short(value) if value < 1 else f"{value:.0e}".replace("e+0", "e")
    if step > 0:
        if abs(value) < step / 1e6:
            return "0"
        text = f"{value:,.0f}" if abs(value) >= 1000 and step >= 1 else f"{value:.6g}"
        return text.replace("-", "−")
    return f"{value:g}".replace("-", "−")
