"""Curves that test scores: the value while words go, and while they come."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.questions.cause.attribution.question import (
    AttributionResult,
)
from explorer.questions.cause.attribution.wording import (
    measure_said,
    plain,
)
from explorer.text import _
from explorer.ui.charts.description import Axis, Chart, Dash, Line, Reference

LINES: Sequence[tuple[str, Dash]] = (("bar", "solid"), ("bar_second", "dash"))


def curves(result: AttributionResult) -> Iterator[Chart]:
    """The value while words go, and while they come, by each method's order."""
    count = len(result.units)
    steps = np.arange(count + 1, dtype=np.float64)
    said_of = measure_said(result.explained)
    for which, (title, words, name) in enumerate(
        (
            (
                _("Words taken away, the highest score first"),
                _(
                    "A good order falls at once: the words that carry the answer go first. The "
                    "area counts from the baseline's value, 0, to the text's, 1: less is better."
                ),
                "deletion",
            ),
            (
                _("Words put in, the highest score first"),
                _(
                    "A good order rises at once: few words are enough. The area counts from the "
                    "baseline's value, 0, to the text's, 1: more is better."
                ),
                "insertion",
            ),
        )
    ):
        yield Chart(
            title,
            words,
            tuple(
                Line(
                    _(one.method.about.title),
                    steps,
                    getattr(one, name),
                    colour,
                    dash,
                    after=_area_said(result.areas(one)[which]),
                )
                for one, (colour, dash) in zip(result.methods, LINES, strict=False)
            ),
            Axis(_("words"), 0.0, float(count), whole=True),
            Axis(said_of, grid=True),
            references=tuple(
                Reference((0.0, value), (float(count), value), dash="dot")
                for value in (result.value, result.baseline_value)
            ),
            height=150.0,
        )


def _area_said(area: float | None) -> str:
    return "" if area is None else _(", area {area}", area=plain(area))
