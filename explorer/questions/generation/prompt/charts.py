"""Curves by the number of examples: of models, of pinned answers, of the best learner."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.question import RULES, ExampleCurve, Floats
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks import Axis, Chart, Dash, Line

BEST = "bar_second"
OWN: tuple[tuple[str, Dash], ...] = (("bar", "solid"), ("bar_original", "dash dot"))
PINNED_ALONE: tuple[tuple[str, Dash], ...] = (("bar_original", "dot"), ("text", "dot"))
PINNED: tuple[tuple[str, Dash], ...] = (("bar", "dot"), ("bar_original", "dot"))
HEIGHT = 180


@dataclass(frozen=True)
class DrawnCurve:
    """A model's curve as it is drawn.

    Attributes:
        name: Whose.
        curve: The numbers.
        colour: By its name in the theme.
        dash: Tells it apart without its colour.
        pinned: It is of an answer that others are compared with.
    """

    name: str
    curve: ExampleCurve
    colour: str
    dash: Dash
    pinned: bool = False


def drawn(
    own: Sequence[tuple[str, ExampleCurve | None]],
    pinned: Sequence[tuple[str, ExampleCurve | None]] = (),
) -> tuple[DrawnCurve, ...]:
    """Curves with colours, those of the answer first; models that have none are left out."""
    behind = PINNED if len(own) > 1 else PINNED_ALONE
    return tuple(
        DrawnCurve(name, curve, colour, dash, pinned=looks is behind)
        for curves, looks in ((own, OWN), (pinned, behind))
        for (name, curve), (colour, dash) in zip(curves, looks, strict=False)
        if curve is not None
    )


def accuracy_chart(curves: Sequence[DrawnCurve], rule: Rule) -> Chart:
    """How many rows are answered right."""
    at = RULES.index(rule)
    counts = counts_of(curves)
    lines = [*_lines(curves, lambda one: one.right[at])]
    lines += _best(curves, lambda one: one.best_right)
    ends = np.array([0.0, max(1.0, len(counts) - 1.0)])
    chance = np.full(2, curves[0].curve.chance)
    lines.append(Line(_("chance"), ends, chance, "muted", dash="dot", width=1.2))
    return Chart(
        _("Accuracy"),
        _("Share of rows whose right answer is chosen; the band: worst order to best."),
        tuple(lines),
        _axis(counts),
        Axis(_("accuracy"), 0.0, 1.0, grid=True),
        height=HEIGHT,
    )


def loss_chart(curves: Sequence[DrawnCurve]) -> Chart:
    """How improbable the right answers are."""
    lines = [*_lines(curves, lambda one: one.loss), *_best(curves, lambda one: one.best_loss)]
    return Chart(
        _("Loss"),
        _("Minus the log-probability of the right answer among all there could be, in nats."),
        tuple(lines),
        _axis(counts_of(curves)),
        Axis(_("nats"), 0.0, None, grid=True),
        height=HEIGHT,
    )


def repeated_charts(curves: Sequence[DrawnCurve], rule: Rule) -> tuple[Chart, ...]:
    """How often the examples' commonest answer is given, and the last one's; none where never."""
    own = [one for one in curves if one.curve.repeats(rule)]
    if not own:
        return ()
    at = RULES.index(rule)
    most = _("How often the answer is given that most of the examples have.")
    last = _("How often the answer of the last example is given.")
    return (
        _repeated(own, _("Majority label"), most, lambda one: one.commonest[at], 0),
        _repeated(own, _("Last answer"), last, lambda one: one.last[at], 1),
    )


def counts_of(curves: Sequence[DrawnCurve]) -> tuple[int, ...]:
    """Numbers of examples of all curves: each has its place on the axis."""
    return tuple(sorted({count for one in curves for count in one.curve.counts}))


def _repeated(
    curves: Sequence[DrawnCurve],
    title: str,
    said: str,
    values: Callable[[ExampleCurve], Floats],
    number: int,
) -> Chart:
    counts = counts_of(curves)
    lines = [*_lines(curves, values, least=1)]
    due = curves[0].curve
    lines.append(
        _line(_("is right"), due.counts, due.due[number], counts, "muted", dash="dash", least=1)
    )
    return Chart(
        title,
        said,
        tuple(lines),
        _axis(counts),
        Axis(_("share of the rows"), 0.0, 1.0, grid=True),
        height=HEIGHT,
    )


def _lines(
    curves: Sequence[DrawnCurve], values: Callable[[ExampleCurve], Floats], least: int = 0
) -> Iterator[Line]:
    """Solid ones at the back, so that two that are alike are both seen."""
    counts = counts_of(curves)
    for one in curves:
        yield _line(
            one.name,
            one.curve.counts,
            values(one.curve),
            counts,
            one.colour,
            dash=one.dash,
            has_band=not one.pinned,
            least=least,
        )


def _best(
    curves: Sequence[DrawnCurve], values: Callable[[ExampleCurve], Floats | None]
) -> Iterator[Line]:
    """The best learner as far as any model of the answer was asked."""
    own = [one.curve for one in curves if not one.pinned]
    longest = max(own, key=lambda one: len(one.counts))
    found = values(longest)
    if found is not None:
        alone = len(own) == 1
        counts = counts_of(curves)
        name = _("best learner")
        yield _line(name, longest.counts, found, counts, BEST, dash="dash", has_band=alone)


def _axis(counts: Sequence[int]) -> Axis:
    ticks = tuple(float(at) for at in range(len(counts)))
    words = tuple(map(whole, counts))
    return Axis(_("examples"), 0.0, max(1.0, ticks[-1]), ticks=ticks, words=words)


def _line(
    name: str,
    counts: Sequence[int],
    values: Floats,
    every: Sequence[int],
    colour: str,
    *,
    dash: Dash = "solid",
    has_band: bool = False,
    least: int = 0,
) -> Line:
    """The mean over the orders; the band from the least to the greatest."""
    from_least = [at for at, count in enumerate(counts) if count >= least]
    places = np.array([every.index(counts[at]) for at in from_least], dtype=np.float64)
    shown = values[from_least]
    band = (shown.min(axis=1), shown.max(axis=1)) if has_band else None
    return Line(name, places, shown.mean(axis=1), colour, dash=dash, band=band)
