"""A number for every attention head: layers x heads, of which some are off or looked at."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.matrices.grid import SHARES, Colours
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table, column
from explorer.text import N_


@dataclass(frozen=True)
class HeadRow:
    """A head."""

    layer: str = column(N_("layer"), key=True)
    head: int = column(N_("head"), key=True)
    value: float | None = column(N_("value"))
    off: bool = column(N_("off"), compared=False)


@dataclass(frozen=True)
class Heads(Part):
    """The heads of a stack of layers.

    Attributes:
        name: Of the stack: the first part of the keys of its cells.
        caption: Above it, a Phrase or marked for translation.
        layers: A name each, Phrases or marked.
        heads: In each layer.
        said: What is said of a layer's head, in the reader's language.
        values: Layers x heads; None where there are no numbers.
        colours: Of the numbers.
        written: A number in a few characters.
        off: Layers and heads that are switched off.
        looked_at: The layer and the head that is; None for none.
        gesture: From a layer and a head to what choosing it does.
        row_said: What is said of a layer; None where layers can't be chosen.
        row_gesture: From a layer to what choosing its name does.
    """

    name: str
    caption: str
    layers: tuple[str, ...]
    heads: int
    said: Callable[[int, int], str]
    values: NDArray[np.floating[Any]] | None = None
    colours: Colours = SHARES
    written: Callable[[float], str] = "{:.2f}".format
    off: Collection[tuple[int, int]] = ()
    looked_at: tuple[int, int] | None = None
    gesture: Callable[[int, int], Gesture | None] = lambda _layer, _head: None
    row_said: Callable[[int], str] | None = None
    row_gesture: Callable[[int], Gesture | None] = lambda _layer: None

    def table(self) -> Table:
        """A row a head."""
        return Table.of(HeadRow, self._rows())

    def _rows(self) -> Iterator[HeadRow]:
        for layer, name in enumerate(self.layers):
            for head in range(self.heads):
                value = None if self.values is None else float(self.values[layer, head])
                yield HeadRow(name, head, value, (layer, head) in self.off)
