"""What is read at a place, in a box beside it."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

PAD = 8.0


def readout_height(words: str) -> float:
    """Of the box."""
    return text_height("strong") + words.count("\n") * text_height("small") + 8


def paint_readout(
    painter: QPainter, theme: Theme, words: str, beside: QPointF, room: QRectF
) -> QRectF:
    """A box with lines of words, the first one strong, where it covers the place least.

    Args:
        painter: On any device.
        theme: Colours.
        words: Lines.
        beside: The place that is read.
        room: The box stays inside of it, where it can.

    Returns:
        The box.
    """
    first, *rest = words.split("\n")
    wide = max([text_width("strong", first), *(text_width("small", one) for one in rest)])
    wide += 2 * PAD
    high = readout_height(words)
    x = beside.x() + 10
    if x + wide > room.right():
        x = beside.x() - 10 - wide
    x = min(max(x, room.left()), max(room.right() - wide, room.left()))
    y = min(max(beside.y() - high - 10, room.top()), max(room.bottom() - high, room.top()))
    box = QRectF(x, y, wide, high)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_rounded(painter, box, 4, theme.raised, theme.border)
    left = Qt.AlignmentFlag.AlignLeft
    place = QRectF(x + PAD, y + 4, wide - 2 * PAD, text_height("strong"))
    draw_text(painter, place, first, "strong", theme.text, left)
    top = place.bottom()
    for line in rest:
        place = QRectF(x + PAD, top, wide - 2 * PAD, text_height("small"))
        draw_text(painter, place, line, "small", theme.text, left)
        top = place.bottom()
    return box


def paint_beside(painter: QPainter, theme: Theme, words: str, box: QRectF, room: QRectF) -> None:
    """What is known of something, below its box, or above where there is no room."""
    beside = QPointF(box.right() - 3, box.bottom() + 16 + readout_height(words))
    if beside.y() - 10 > room.bottom():
        beside.setY(box.top() + 4)
    paint_readout(painter, theme, words, beside, room)
