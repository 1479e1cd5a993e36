"""Numbers of a model's layers as curves: their axis, and a line with its band."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.api.question.layer_names import layer_label
from explorer.text import _
from explorer.ui.charts.description import Axis, Line


def layer_axis(names: Sequence[str], title: str = "") -> Axis:
    """An axis with a tick a row.

    Args:
        names: Of the rows.
        title: What it measures; "" for layers.
    """
    ticks = tuple(float(number) for number in range(len(names)))
    end = max(1.0, ticks[-1])
    return Axis(title or _("layer"), 0.0, end, ticks=ticks, words=tuple(map(layer_label, names)))


def over_layers(name: str, values: Any, colour: str, **look: Any) -> Line:
    """A curve with a number a layer; of several splits their mean, with a band around it.

    Args:
        name: In the legend.
        values: A number a row, or as many as there are splits.
        colour: By its name in the theme.
        look: Whatever else a Line has.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim > 1:
        look["band"] = (numbers.min(axis=1), numbers.max(axis=1))
        numbers = numbers.mean(axis=1)
    return Line(name, np.arange(len(numbers), dtype=np.float64), numbers, colour, **look)
