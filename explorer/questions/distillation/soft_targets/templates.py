"""Soft targets as they are laid side by side on a sheet."""

from explorer.api import Asked, Situation, Template
from explorer.questions.distillation.soft_targets.settings import TEMPERATURE
from explorer.text import N_

TEMPERATURES = (1, 2, 4, 8)


def four_temperatures(at: Situation) -> list[Asked]:
    """Soft targets of teacher and student at T = 1, 2, 4 and 8."""
    at.both()
    return [
        Asked(
            "soft_targets",
            at.document.with_option(TEMPERATURE.key, float(temperature)),
            label=f"T = {temperature}",
        )
        for temperature in TEMPERATURES
    ]


AT_TEMPERATURES = Template(
    "temperatures",
    N_("Teacher and student at four temperatures"),
    N_("Soft targets of both models at T = 1, 2, 4 and 8."),
    four_temperatures,
)
