"""A picture that paints itself on any device: the screen, PNG, SVG."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Figure:
    """A picture of a known size.

    Attributes:
        width: In logical pixels.
        height: In logical pixels.
        paint: Paints it with its top left corner at (0, 0).
        breaks: Where a sheet may end and another begin, from its top: between two parts.
    """

    width: float
    height: float
    paint: Callable[[QPainter], None]
    breaks: tuple[float, ...] = ()
