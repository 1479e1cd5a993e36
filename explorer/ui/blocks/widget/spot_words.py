"""The words of a spot: shown beside it, and copied."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.ui.blocks.block import Spot
from explorer.ui.controls.plain_words import plain_tip

LINES_HIGH = 90
"""Pixels up to which a place is a line or a few, which its words are not to cover."""


def explain(page: QWidget, spot: Spot | None, pointed: QPoint | None = None) -> None:
    """Show what a place says of itself; nothing where it says nothing.

    Args:
        page: On which it is.
        spot: The place.
        pointed: Where the mouse is; None for the keyboard.
    """
    if spot is None or not spot.words:
        QToolTip.hideText()
        return
    place = spot.box.bottomLeft().toPoint() if pointed is None else _below(spot, pointed)
    QToolTip.showText(page.mapToGlobal(place), plain_tip(spot.words), page, spot.box.toRect())


def copied_of(spot: Spot) -> str:
    """A row's cells, apart by tabs; of any other place its words."""
    return "\t".join(cell.value for cell in spot.cells) or spot.words or spot.spoken


def _below(spot: Spot, pointed: QPoint) -> QPoint:
    """Where words about a spot begin: under it, for they would cover the line they explain.

    What is higher than a few lines is explained where the mouse is.
    """
    if spot.box.height() > LINES_HIGH:
        return pointed
    return QPoint(pointed.x(), round(spot.box.bottom()))
