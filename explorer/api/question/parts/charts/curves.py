"""Curves over one axis, as over a temperature: panels of named series, and what is marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.cards import Width
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.layer_names import label_phrase
from explorer.api.question.rows.rows import Cell, Table, TableColumn
from explorer.api.tokens import Token
from explorer.text import N_

Floats = NDArray[np.floating[Any]]
Dash = Literal["solid", "dash", "dot", "dash dot"]


@dataclass(frozen=True)
class Curve:
    """A named series.

    Attributes:
        name: What it is of, a Phrase or marked for translation: "teacher".
        values: As many as the axis has numbers; a floor has the same one everywhere.
        colour: By its name in the theme.
        dash: Tells it from others without colours.
        band: Below and above it, as many each; None for no band.
        thick: In pixels.
        after: What is said of it behind its name, a Phrase; "" for nothing.
        at: Where its values stand on the axis, as many; None for the axis' own numbers.
        pins: The pinned answer's is drawn beside it.
    """

    name: str
    values: Floats
    colour: str = "bar"
    dash: Dash = "solid"
    band: tuple[Floats, Floats] | None = None
    thick: float = 2.0
    after: str = ""
    at: Floats | None = None
    pins: bool = False

    @staticmethod
    def of_runs(name: str, values: Floats, colour: str = "bar", dash: Dash = "solid") -> "Curve":
        """The mean of several runs, with a band from the least to the greatest.

        Args:
            name: As a curve's.
            values: Numbers of the axis x runs.
            colour: By its name in the theme.
            dash: As a curve's.
        """
        ends = values.min(axis=1), values.max(axis=1)
        return Curve(name, values.mean(axis=1), colour, dash, band=ends)


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity.

    Attributes:
        name: Of the quantity in files: "entropy".
        title: What people read above it, marked for translation, with the unit.
        curves: From the back to the front.
        words: What it means, a Phrase or marked for translation; "" for nothing.
        unit: What stands beside the values' axis, marked for translation; "" for nothing.
        high: The end of the values' axis; None fits it.
        logarithmic: The values' axis goes by powers of ten, else from 0 on.
        height: Of the plot, in pixels; 0 for the usual one.
        begins: Where a straight axis begins; None for 0, or below it where values are.
        floors: Numbers at which a dotted line stands behind the curves.
        remark: What must be known of it, beside the names of its curves; "" for nothing.
        switched: Whoever looks may switch to powers of ten, as over an axis of numbers.
    """

    name: str
    title: str
    curves: tuple[Curve, ...]
    words: str = ""
    high: float | None = None
    logarithmic: bool = False
    unit: str = ""
    height: float = 0.0
    remark: str = ""
    floors: tuple[float, ...] = ()
    switched: bool = False
    begins: float | None = None

    @property
    def low(self) -> float | None:
        """Where a straight axis begins."""
        if self.begins is not None:
            return self.begins
        values = [end for one in self.curves for end in (one.values, *(one.band or ()))]
        least = min((float(np.min(one, initial=0.0)) for one in values), default=0.0)
        return None if self.logarithmic else min(0.0, least)


@dataclass(frozen=True)
class Over:
    """What curves are drawn over.

    Attributes:
        name: In files: "temperature".
        title: What people read, a Phrase or marked for translation.
        values: In rising order.
        sign: In the legend: "T" in "1.23 at T = 2"; "" for none.
        ticks: Where numbers stand; empty for round ones.
        logarithmic: By powers of ten.
        option: The key of the question's option that is one of these numbers: it is marked, and
            dragging the mark sets it; "" for none.
        whole: Only whole numbers stand on it.
        now: Where the mark stands; None for what the option is set to.
        words: What stands in the place of each of the axis' numbers, on screen and in files,
            Phrases or marked for translation; empty for the numbers.
    """

    name: str
    title: str
    values: Floats
    sign: str = ""
    ticks: tuple[float, ...] = ()
    logarithmic: bool = False
    option: str = ""
    now: float | None = None
    whole: bool = False
    words: tuple[str, ...] = ()


def over_layers(names: Sequence[str], title: str = N_("layer")) -> Over:
    """The axis of a model's layers.

    Args:
        names: Of its rows: "emb.", "0" and so on.
        title: What people read, a Phrase or marked for translation.
    """
    numbers = np.arange(len(names), dtype=np.float64)
    words = tuple(map(label_phrase, names))
    return Over("layer", title, numbers, ticks=tuple(numbers.tolist()), words=words)


_KEYS = {"quantity": N_("quantity"), "curve": N_("curve")}


@dataclass(frozen=True)
class Curves(Part):
    """Panels side by side.

    Attributes:
        over: Their axis.
        panels: In reading order.
        width: How wide each is at least.
        about: The tokens and the position that they are of: a pinned answer's are of the same
            place, or are not drawn. None for the whole text.
    """

    over: Over
    panels: tuple[Panel, ...]
    width: Width = Width.NARROW
    about: tuple[tuple[Token, ...], int] | None = None

    def table(self) -> Table:
        """One row a quantity, a curve and a number of the axis."""
        keys = {**_KEYS, self.over.name: self.over.title}
        about = {name: TableColumn(name, title, key=True) for name, title in keys.items()}
        return Table((*keys, "value", "low", "high"), tuple(self._cells()), about)

    def _cells(self) -> Iterator[tuple[Cell, ...]]:
        for panel in self.panels:
            for one in panel.curves:
                at = self._named if one.at is None else one.at.tolist()
                for n, (x, y) in enumerate(zip(at, one.values, strict=True)):
                    low, high = (None, None) if one.band is None else (b[n] for b in one.band)
                    ends = (None if end is None else float(end) for end in (low, high))
                    yield (panel.name, one.name, x, float(y), *ends)

    @property
    def _named(self) -> Sequence[Cell]:
        """The axis' numbers, or the words in their place."""
        return self.over.words or self.over.values.tolist()
