"""Curves over one axis, as over a temperature: panels of named series, and what is marked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.part import Part
from explorer.api.question.rows import Cell, Table, TableColumn
from explorer.text import N_

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Curve:
    """A named series.

    Attributes:
        name: What it is of, marked for translation: "teacher".
        values: As many as the axis has numbers; a floor has the same one everywhere.
        colour: By its name in the theme.
        dash: Tells it from others without colours.
        band: Below and above it, as many each; None for no band.
    """

    name: str
    values: Floats
    colour: str = "bar"
    dash: Literal["solid", "dash", "dot", "dash dot"] = "solid"
    band: tuple[Floats, Floats] | None = None


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity.

    Attributes:
        name: Of the quantity in files: "entropy".
        title: What people read above it, marked for translation, with the unit.
        curves: From the back to the front.
        words: What it means, marked for translation; "" for nothing.
        high: The end of the values' axis; None fits it.
        logarithmic: The values' axis goes by powers of ten, else from 0 on.
    """

    name: str
    title: str
    curves: tuple[Curve, ...]
    words: str = ""
    high: float | None = None
    logarithmic: bool = False


@dataclass(frozen=True)
class Over:
    """What curves are drawn over.

    Attributes:
        name: In files: "temperature".
        title: What people read, marked for translation.
        values: In rising order.
        sign: In the legend: "T" in "1.23 at T = 2"; "" for none.
        ticks: Where numbers stand; empty for round ones.
        logarithmic: By powers of ten.
        option: The key of the question's option that is one of these numbers: it is marked, and
            dragging the mark sets it; "" for none.
        now: Where the mark stands; None for what the option is set to.
    """

    name: str
    title: str
    values: Floats
    sign: str = ""
    ticks: tuple[float, ...] = ()
    logarithmic: bool = False
    option: str = ""
    now: float | None = None


_KEYS = {"quantity": N_("quantity"), "curve": N_("curve")}


@dataclass(frozen=True)
class Curves(Part):
    """Panels side by side.

    Attributes:
        over: Their axis.
        panels: In reading order.
    """

    over: Over
    panels: tuple[Panel, ...]

    def table(self) -> Table:
        """One row a quantity, a curve and a number of the axis."""
        keys = {**_KEYS, self.over.name: self.over.title}
        about = {name: TableColumn(name, title, key=True) for name, title in keys.items()}
        return Table((*keys, "value", "low", "high"), tuple(self._cells()), about)

    def _cells(self) -> Iterator[tuple[Cell, ...]]:
        for panel in self.panels:
            for one in panel.curves:
                for n, (x, y) in enumerate(zip(self.over.values, one.values, strict=True)):
                    low, high = (None, None) if one.band is None else (b[n] for b in one.band)
                    ends = (None if end is None else float(end) for end in (low, high))
                    yield (panel.name, one.name, float(x), float(y), *ends)
