"""What stands around and between the shapes on the board: frames of layers, arrows."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from explorer.architecture.shapes import Arrow, Repeat
from explorer.text import _
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width


def paint_frame(
    painter: QPainter, theme: Theme, layers: Repeat, box: QRectF, middle: float
) -> None:
    """Layers that are alike: a pile of frames, or one frame with a way back."""
    again = layers.shared == "all"
    ground = QColor(theme.surface)
    if not again and layers.times > 1:
        for shift in (8.0, 4.0):
            draw_rounded(painter, box.translated(shift, -shift), 8, ground, QPen(theme.border, 1.2))
    draw_rounded(
        painter, box, 8, ground, QPen(theme.accent if again else theme.muted, 1.6 if again else 1.3)
    )
    painter.setPen(QPen(theme.muted, 1.2))
    painter.drawLine(QPointF(middle, box.top()), QPointF(middle, box.bottom()))
    high = text_height("strong")
    words = _("{words} × {times}", words=layers.words, times=layers.times)
    if again:
        words = _("one {words}, used {times} times", words=layers.words, times=layers.times)
        if layers.sets > 1:
            words = _("{sets} layers for {times}", sets=layers.sets, times=layers.times)
    elif layers.shared:
        words += _(", {replace} shared", replace=layers.shared.replace("_", "-"))
    wide = text_width("strong", words) + 16
    label = QRectF(box.right() - wide - 8, box.top() + 5, wide, high + 2)
    draw_rounded(painter, label, 5, theme.raised)
    draw_text(painter, label, words, "strong", theme.accent if again else theme.text)
    if again:
        x = box.right() - 9
        top, bottom = box.top() + high + 9, box.bottom() - 6
        loop = QPainterPath(QPointF(middle, top))
        loop.lineTo(x, top)
        loop.lineTo(x, bottom)
        loop.lineTo(middle + 8, bottom)
        painter.setPen(QPen(theme.accent, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(loop)
        paint_head(painter, theme.accent, QPointF(middle + 2, bottom), "l")


def paint_arrow(painter: QPainter, theme: Theme, arrow: Arrow, box: QRectF, middle: float) -> None:
    """Upwards, with what flows beside it."""
    paint_head(painter, theme.muted, QPointF(middle, box.top() + 4), "u")
    if arrow.words:
        words = QRectF(middle + 12, box.top(), box.right() - middle - 12, box.height())
        left = Qt.AlignmentFlag.AlignLeft
        draw_text(painter, words, arrow.words, "small", theme.muted, left)


def paint_head(painter: QPainter, colour: QColor, tip: QPointF, way: str) -> None:
    """An arrow's head that points up, right or left."""
    ways = {"u": ((-4, 7), (4, 7)), "r": ((-7, -4), (-7, 4)), "l": ((7, -4), (7, 4))}
    path = QPainterPath(tip)
    for dx, dy in ways[way]:
        path.lineTo(tip + QPointF(dx, dy))
    path.closeSubpath()
    painter.fillPath(path, colour)
