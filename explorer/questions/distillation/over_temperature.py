"""Curves over the temperature, both models in one picture, with the temperature of now marked."""

from explorer.api.question import Curve, Curves, Number, Panel, Token
from explorer.api.question.parts.charts.curves import Over
from explorer.numerics.distributions.temperature import Floats
from explorer.text import N_

TICKS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)
TITLE = N_("What the temperature does")


def over_temperatures(
    temperatures: Floats,
    option: Number,
    *panels: Panel,
    now: float | None = None,
    about: tuple[tuple[Token, ...], int] | None = None,
) -> Curves:
    """Panels over the temperature.

    Args:
        temperatures: In rising order.
        option: Which of them is looked at.
        panels: Of as many values each.
        now: The one that is marked; None for what the option is set to.
        about: What they are of, as `Curves` has it.
    """
    axis = Over("temperature", N_("temperature"), temperatures, "T", TICKS, True, option.key, now)
    return Curves(axis, panels, about=about, title=TITLE)


def of_both(teacher: Floats, student: Floats) -> tuple[Curve, Curve]:
    """Both models' curves of one quantity."""
    return (
        Curve(N_("teacher"), teacher, "bar"),
        Curve(N_("student"), student, "bar_second", "dash", pins=True),
    )
