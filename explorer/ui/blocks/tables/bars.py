"""A bar in a row of a table."""

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.tables.rows import Bar
from explorer.ui.theme.schemes import Theme

CUT_AT = 7.0
"""Pixels before the end of a bar that is longer than its axis."""


def paint_bar(
    painter: QPainter,
    theme: Theme,
    bar: Bar,
    room: QRectF,
    end: float,
    zero: float | None,
    tracked: bool,
    cut: bool = False,
) -> None:
    """Paint a bar.

    Args:
        painter: Paints it.
        theme: The colours.
        bar: Which.
        room: Of the longest bar there can be.
        end: Where it ends, in pixels from the left.
        zero: Where it begins, if bars go to both sides; None where all begin at the left.
        tracked: Its room is drawn behind it.
        cut: Its value lies beyond the axis: a gap before its end says that it goes on.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    if tracked:
        painter.setBrush(theme.track)
        painter.drawRoundedRect(room, 2, 2)
    if bar.hollow:
        painter.setPen(theme.muted)
    painter.setBrush(theme.track if bar.hollow else theme.colour(bar.colour))
    begin = room.left() if zero is None else zero
    # A value too small to see still leaves a hair, so that no row looks empty.
    drawn = QRectF(min(begin, end), room.top(), max(abs(end - begin), 1.5), room.height())
    painter.drawRoundedRect(drawn, 2, 2)
    if cut:
        painter.setPen(QPen(theme.surface, 2.0))
        for place in (room.right() - CUT_AT, room.right() - CUT_AT - 4.0):
            painter.drawLine(QLineF(place - 2, room.bottom() + 1, place + 2, room.top() - 1))
    if zero is not None:
        painter.setPen(QPen(theme.muted, 1.0))
        painter.drawLine(QLineF(zero, room.top() - 2, zero, room.bottom() + 2))
