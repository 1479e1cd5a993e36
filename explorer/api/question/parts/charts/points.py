"""Labelled points in two dimensions, and what a picture of so few leaves out."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table, column
from explorer.text import N_

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Plane:
    """Where all points are in one picture.

    Attributes:
        name: In files: "layer 2".
        title: Above it, a Phrase or marked for translation.
        x: Of each point.
        y: Of each.
        x_title: What the axis below is, a Phrase or marked.
        y_title: What the other axis is.
        words: What the picture means, for a tooltip.
        remark: What it leaves out, as the trustworthiness of a projection; "" for nothing.
    """

    name: str
    title: str
    x: Floats
    y: Floats
    x_title: str
    y_title: str
    words: str = ""
    remark: str = ""


@dataclass(frozen=True)
class PointRow:
    """A point of a picture."""

    picture: str = column(N_("picture"), key=True)
    number: int = column(N_("number"), key=True)
    name: str = column(N_("name"))
    x: float = column("x")
    y: float = column("y")


@dataclass(frozen=True)
class Points(Part):
    """The same points in one picture, or in several side by side.

    Attributes:
        planes: A picture each.
        names: Of the points, Phrases or plain words, written where there is room; "" for none.
        said: What is said of a point, in the reader's language.
        strong: Numbers of those that stand out.
        chosen: The number of the one that is a square; None for none.
        equal: What the line is on which both axes agree, marked for translation; "" for no line.
    """

    planes: tuple[Plane, ...]
    names: tuple[str, ...]
    said: Callable[[int], str]
    strong: Collection[int] = ()
    chosen: int | None = None
    equal: str = ""

    def table(self) -> Table:
        """A row a picture and a point."""
        return Table.of(PointRow, self._rows())

    def _rows(self) -> Iterator[PointRow]:
        for one in self.planes:
            for number, name in enumerate(self.names):
                x, y = float(one.x[number]), float(one.y[number])
                yield PointRow(one.name, number, name, x, y)
