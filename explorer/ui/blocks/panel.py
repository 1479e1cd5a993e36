"""Controls that belong to an answer: a widget on the page, and nothing in pictures of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import EmbeddedWidget, PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme


@dataclass(frozen=True)
class Panel:
    """A block.

    Attributes:
        make: Makes the widget. Its `show_content` is given the content; it has the signals
            `chosen`, for keys, and `acted`, for gestures.
        content: What it shows.
        height: At a width.
        above: The room above it.
    """

    make: Callable[[QWidget], Any]
    content: Any
    height: Callable[[float], float]
    above: Space = Space.NEAR

    def at(self, width: float) -> PlacedBlock:
        """As wide as there is room."""
        return LaidPart(width, self.height(width), self.make, self.content)


class LaidPart(PlacedBlock):
    """A block that is one widget on the screen; a picture has only what `paint` makes of it.

    Attributes:
        width: In pixels.
        height: In pixels.
        name: For a screen reader.
    """

    spots: tuple[Spot, ...] = ()

    def __init__(
        self,
        width: float,
        height: float,
        make: Callable[[QWidget], Any],
        content: Any,
        name: str = "",
    ) -> None:
        self.width, self.height, self.name = width, height, name
        self.live = (EmbeddedWidget(QRectF(0, 0, width, height), make, content),)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """A picture has no controls."""

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Nothing: on the screen it is a widget."""
