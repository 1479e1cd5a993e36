"""A bar in a row of a table, or a dot where the axis has no beginning for one."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.tables.axis import PlacedAxis
from explorer.ui.blocks.tables.rows import Bar
from explorer.ui.theme.schemes import Theme

CUT_AT = 7.0
"""Pixels before the end of a bar that is longer than its axis."""
OVER = 2.0
"""Pixels by which what is beneath a bar is seen above and below it."""
DOT = 4.5
"""Pixels from a dot's middle to its edge."""


def paint_bar(
    painter: QPainter, theme: Theme, bar: Bar, room: QRectF, at: PlacedAxis, tracked: bool
) -> None:
    """Paint a bar from its beginning to its value; on an axis of powers a dot: it has no nothing.

    A value beyond the axis has a gap before its end, which says that the bar goes on; a dot there
    is hollow.

    Args:
        painter: Paints it.
        theme: The colours.
        bar: Which.
        room: Of the longest bar there can be.
        at: The axis.
        tracked: Its room is drawn behind it.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    if tracked:
        painter.setBrush(theme.track)
        painter.drawRoundedRect(room, 2, 2)
    if at.axis.powers:
        _paint_dot(painter, theme, bar, room, at)
        return
    if bar.hollow:
        painter.setPen(theme.muted)
    painter.setBrush(theme.track if bar.hollow else theme.colour(bar.colour))
    painter.drawRoundedRect(_box(bar.value, room, at, bar.begin), 2, 2)
    if at.axis.is_left_by(bar.value):
        painter.setPen(QPen(theme.surface, 2.0))
        for place in (room.right() - CUT_AT, room.right() - CUT_AT - 4.0):
            painter.drawLine(QLineF(place - 2, room.bottom() + 1, place + 2, room.top() - 1))
    if at.axis.low < 0:
        zero = at.x_of(0.0)
        painter.setPen(QPen(theme.muted, 1.0))
        painter.drawLine(QLineF(zero, room.top() - 2, zero, room.bottom() + 2))


def paint_beneath(
    painter: QPainter, theme: Theme, value: float, room: QRectF, at: PlacedAxis
) -> None:
    """Paint what a bar is seen against, in grey and wider than the bar.

    Args:
        painter: Paints it.
        theme: The colours.
        value: Where it ends.
        room: Of the bar.
        at: The axis.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.border)
    painter.drawRoundedRect(_box(value, room, at).adjusted(0, -OVER, 0, OVER), 2, 2)


def _box(value: float, room: QRectF, at: PlacedAxis, start: float = 0.0) -> QRectF:
    """From nothing to a value; one too small to see still leaves a hair: no row looks empty."""
    begin, end = at.x_of(start) if start or at.axis.low < 0 else room.left(), at.x_of(value)
    return QRectF(min(begin, end), room.top(), max(abs(end - begin), 1.5), room.height())


def _paint_dot(painter: QPainter, theme: Theme, bar: Bar, room: QRectF, at: PlacedAxis) -> None:
    least = at.axis.top * 10.0**-at.axis.powers
    colour = theme.muted if bar.hollow else theme.colour(bar.colour)
    # What lies beyond either end is no value of the axis: an outline at the end says so.
    is_open = bar.hollow or bar.value < least * (1 - 1e-6) or at.axis.is_left_by(bar.value)
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(theme.surface if is_open else colour)
    painter.drawEllipse(QPointF(at.x_of(bar.value), room.center().y()), DOT, DOT)
