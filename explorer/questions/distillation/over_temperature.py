"""Curves over the temperature, both models in one picture, with the temperature of now marked."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from explorer.api import Number
from explorer.numerics.distributions.temperature import COOLEST, HOTTEST, Floats
from explorer.text import _
from explorer.ui.charts.description import Axis, Chart, Line, Marker

TICKS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)


def over_temperatures(
    title: str,
    words: str,
    temperatures: Floats,
    lines: Iterable[tuple[str, Floats, str]],
    *,
    logarithmic: bool = False,
    top: float | None = None,
) -> Chart:
    """A chart over the temperature.

    Args:
        title: Above it.
        words: What it means.
        temperatures: In rising order.
        lines: Name, values and colour of each. The second one, and what is muted, is dashed.
        logarithmic: The values' axis goes by powers of ten.
        top: The end of the values' axis; None fits it.
    """
    series = tuple(
        Line(name, temperatures, values, colour, "dash" if _is_dashed(colour) else "solid")
        for name, values, colour in lines
    )
    return Chart(
        title,
        words,
        series,
        Axis(_("temperature"), COOLEST, HOTTEST, logarithmic=True, ticks=TICKS),
        Axis(
            high=top,
            low=None if logarithmic else 0.0,
            logarithmic=logarithmic,
            grid=True,
            switched=True,
        ),
        at="T",
    )


def _is_dashed(colour: str) -> bool:
    return colour in ("bar_second", "muted")


def at_temperature(charts: Sequence[Chart], now: float, option: Number) -> tuple[Chart, ...]:
    """Charts with the temperature of now marked; dragging the mark sets an option."""
    marker = Marker(now, _("temperature"), key=option.key, least=option.low, most=option.high)
    return tuple(replace(chart, marker=marker) for chart in charts)
