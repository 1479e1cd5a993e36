"""How the rows of a model's layers are called, in sentences, beside cells and on axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.text import N_, Phrase, _
from explorer.ui.charts.description import Axis, Line


def layer_said(name: str) -> str:
    """A row's name in a sentence."""
    if name == "embeddings":
        return _("embeddings")
    if name.startswith("decoder"):
        return _("decoder pass {number}", number=name.split()[1])
    return _("layer {number}", number=name)


def layer_phrase(name: str) -> Phrase:
    """The same where no language is known, behind "in", "at" or "is"."""
    if name == "embeddings":
        return Phrase(N_("the embeddings"))
    if name.startswith("decoder"):
        return Phrase(N_("decoder pass {number}"), number=name.split()[1])
    return Phrase(N_("layer {number}"), number=name)


def layer_label(name: str) -> str:
    """A row's name beside the cells."""
    if name == "embeddings":
        return _("emb.")
    return _("pass {number}", number=name.split()[1]) if name.startswith("decoder") else name


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
