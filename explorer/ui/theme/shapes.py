"""What is drawn everywhere: round corners, a corner to draw from, letters on a colour."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

EVEN = 0.179
"""The luminance on which black and white can be read equally well."""


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


def ink_on(ground: QColor) -> QColor:
    """The colour of letters that can be read on a ground: the further off of black and white."""
    return QColor("#000000") if _luminance(ground) > EVEN else QColor("#ffffff")


def _luminance(colour: QColor) -> float:
    """Relative luminance, as contrasts are told by (WCAG 2.1)."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
