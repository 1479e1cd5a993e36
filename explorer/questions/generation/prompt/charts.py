"""Accuracy and loss by the number of examples, beside chance and the best learner."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from explorer.questions.generation.prompt.question import RULES, Curve, Floats
from explorer.questions.generation.prompt.rules import Rule
from explorer.text import _
from explorer.text.numbers import whole
from explorer.ui.charts.description import Axis, Chart, Line

BEST = "bar_second"


@dataclass(frozen=True)
class Before:
    """The curve of a pinned answer.

    Attributes:
        name: Whose.
        curve: The numbers.
    """

    name: str
    curve: Curve

    @staticmethod
    def of(name: str, curve: Curve | None, now: Curve) -> "Before | None":
        """Where its numbers of examples are those of the answer now, as far as both go."""
        if curve is None:
            return None
        both = min(len(curve.counts), len(now.counts))
        fits = curve.counts[:both] == now.counts[:both] and len(curve.counts) <= len(now.counts)
        return Before(name, curve) if fits else None


def accuracy_chart(curve: Curve, rule: Rule, before: Before | None = None) -> Chart:
    """How many rows are answered right."""
    at = RULES.index(rule)
    lines = [
        *_pinned(before, lambda one: one.right[at]),
        _line(_("the model"), curve.right[at], "bar"),
        Line(
            _("chance"),
            _places(curve),
            np.full(len(curve.counts), curve.chance),
            "muted",
            dash="dot",
            width=1.2,
        ),
    ]
    if curve.best_right is not None:
        lines.insert(-1, _line(_("best learner"), curve.best_right, BEST, dash="dash"))
    return Chart(
        _("Accuracy"),
        _("Share of rows whose right answer is chosen; the band: worst order to best."),
        tuple(lines),
        _axis(curve),
        Axis(_("accuracy"), 0.0, 1.0, grid=True),
        height=180,
    )


def loss_chart(curve: Curve, before: Before | None = None) -> Chart:
    """How improbable the right answers are."""
    lines = [*_pinned(before, lambda one: one.loss), _line(_("the model"), curve.loss, "bar")]
    if curve.best_loss is not None:
        lines.append(_line(_("best learner"), curve.best_loss, BEST, dash="dash"))
    return Chart(
        _("Loss"),
        _("Minus the log-probability of the right answer among all there could be, in nats."),
        tuple(lines),
        _axis(curve),
        Axis(_("nats"), 0.0, None, grid=True),
        height=180,
    )


def _pinned(before: Before | None, values: Callable[[Curve], Floats]) -> Iterator[Line]:
    if before is not None:
        yield _line(before.name, values(before.curve), "bar_original", dash="dot")


def _places(curve: Curve) -> Floats:
    return np.arange(len(curve.counts), dtype=np.float64)


def _axis(curve: Curve) -> Axis:
    ticks = tuple(float(at) for at in range(len(curve.counts)))
    words = tuple(map(whole, curve.counts))
    return Axis(_("examples"), 0.0, max(1.0, ticks[-1]), ticks=ticks, words=words)


def _line(name: str, values: Floats, colour: str, **look: object) -> Line:
    """The mean over the orders, in a band from the least to the greatest."""
    places = np.arange(len(values), dtype=np.float64)
    band = (values.min(axis=1), values.max(axis=1))
    return Line(name, places, values.mean(axis=1), colour, band=band, **look)  # type: ignore[arg-type]
