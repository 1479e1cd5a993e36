"""Controls that belong to an answer: a widget on the page, and nothing in pictures of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import Laid, Live, Spot
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
    above: float = 8.0

    def at(self, width: float) -> Laid:
        """As wide as there is room."""
        return LaidPanel(self, width)


class LaidPanel:
    """The widget's place at a width."""

    spots: Sequence[Spot] = ()

    def __init__(self, panel: Panel, width: float) -> None:
        self.height = panel.height(width)
        self.live = (Live(QRectF(0, 0, width, self.height), panel.make, panel.content),)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """A picture has no controls."""
