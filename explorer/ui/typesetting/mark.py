"""The (i) after a title: what stands below it is explained where one points at it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.text.bidi import runs_from_right
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import FontRole
from explorer.ui.typesetting.one_line import text_height, text_width

GAP = 5.0
"""Pixels between a title and its (i)."""


def room_of_mark(role: FontRole) -> float:
    """Pixels that a line leaves to the mark after it."""
    return GAP + text_height(role)


def draw_mark(painter: QPainter, box: QRectF, lines: Sequence[str], role: FontRole) -> None:
    """The mark after the last of some lines, in the direction of their text.

    Args:
        painter: Of the screen.
        box: In which the lines stand, from its top down.
        lines: Of the title.
        role: What the title is.
    """
    if not lines:
        return
    high, wide = text_height(role), text_width(role, lines[-1])
    from_right = runs_from_right(" ".join(lines))
    left = box.right() - wide - GAP - high if from_right else box.left() + wide + GAP
    top = box.top() + (len(lines) - 1) * high
    icon("information-outline").paint(painter, QRectF(left, top, high, high).toRect())
