"""What is drawn everywhere: rectangles with round corners, and a corner to draw from."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen


def draw_rounded(
    painter: QPainter,
    box: QRectF,
    radius: float,
    fill: QColor | None = None,
    edge: QColor | QPen | None = None,
) -> None:
    """A rectangle with round corners, of one colour, with an edge, or both.

    Args:
        painter: Draws.
        box: The rectangle, in pixels.
        radius: Of its corners, in pixels.
        fill: Inside; None leaves it open.
        edge: Around it; None for none.
    """
    painter.setPen(edge if edge is not None else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, radius, radius)


@contextmanager
def painter_moved(painter: QPainter, x: float, y: float) -> Iterator[None]:
    """Draw from another corner; pens and clips are as before afterwards.

    Args:
        painter: Draws.
        x: How far to the right, in pixels.
        y: How far down.
    """
    painter.save()
    painter.translate(x, y)
    yield
    painter.restore()
