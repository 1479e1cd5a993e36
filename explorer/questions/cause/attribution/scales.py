"""Whose scores have one colour scale, and what is said of it."""

import numpy as np

from explorer.questions.cause.attribution.question import AttributionResult, MethodScores
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.ui.matrices.scored_tokens import ShadeBar

ONE = N_(
    "All methods here have one colour scale, up to {high}: the same colour is the same score, in "
    "the units of what is explained."
)
OWN = N_(
    "The methods' scores have different units, so each has a colour scale of its own, whose ends "
    "stand below it: darkness can be compared within one method, and not between two."
)


def highest_of(result: AttributionResult, one: MethodScores) -> float:
    """The score with the strongest colour.

    Methods whose scores are in the units of what is explained share a scale, so that a word that
    changes little looks like one. A gradient's length or attention is in no such units.
    """
    alike = [m for m in result.methods if m.method.about.in_units]
    sharing = alike if one.method.about.in_units else [one]
    return max(float(np.abs(m.scores).max(initial=0.0)) for m in sharing) or 1.0


def bar_of(result: AttributionResult, one: MethodScores) -> ShadeBar:
    """The scale below a method's tokens, with the scores at its ends."""
    return ShadeBar(highest_of(result, one), is_signed=one.method.about.signed)


def scales_said(result: AttributionResult) -> str:
    """How colours of several methods compare; "" for one method alone."""
    if len(result.methods) < 2:
        return ""
    if all(one.method.about.in_units for one in result.methods):
        high = highest_of(result, result.methods[0])
        return _(ONE, high=decimal(high, 2 if high >= 0.1 else 4))
    return _(OWN)
