"""A picture of the domain: drawn by hand, because no table, chart or matrix is like it."""

from collections.abc import Callable
from dataclasses import dataclass

from explorer.ui.blocks.block import PlacedBlock
from explorer.ui.blocks.spacing import Space


@dataclass(frozen=True)
class Picture:
    """What draws itself at a width.

    Attributes:
        make: From a width in pixels to what is drawn.
        above: The room above it.
    """

    make: Callable[[float], PlacedBlock]
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """Drawn for a width."""
        return self.make(width)
