"""The reliability curve: how often what a model says with some confidence comes true."""

from collections.abc import Callable

import numpy as np

from explorer.numerics.evaluation.calibration import Bin, Reliability
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.charts.description import Bars, Chart, Line, Points, shares_chart

SIDE = 180.0
"""Pixels of the plot's height."""


def reliability_chart(
    found: Reliability,
    about: str,
    titles: tuple[str, str],
    said: Callable[[Bin], str],
) -> Chart:
    """The diagonal of a calibrated model, the curve, and how much stands in which bin.

    Args:
        found: Of one prediction at least.
        about: What it means.
        titles: Of the confidence below, and of what it is held against at the left.
        said: A bin's tooltip.
    """
    curve = found.curve
    at = np.array([one.confidence for one in curve])
    came = np.array([one.accuracy for one in curve])
    shares = Bars(
        np.array([one.low for one in curve]),
        np.array([one.high for one in curve]),
        0.0,
        np.array([one.count / found.count for one in curve]),
        ("border",),
    )
    points = Points(at, came, ("",) * len(curve), tuple(map(said, curve)), ("bar",) * len(curve))
    return shares_chart(
        about,
        (shares, Line("", at, came, "bar", marked=False), points),
        *titles,
        height=SIDE,
        spoken=_("calibration error {error}", error=decimal(found.error or 0.0, 3)),
    )
