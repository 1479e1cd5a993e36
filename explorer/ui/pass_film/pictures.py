"""What is drawn below the strips of a step: an activation's curve, a sum's arrows."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.api.question.parts.steps import PassScene, SceneRow
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.pass_film.scene import label_said
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
REACH = 4.0
"""Numbers that a curve goes to on both sides."""
DOTS = 160
"""Neurons that are drawn on a curve, evenly taken."""
EDGE = 10.0
TIP = 8.0
"""Pixels of an arrow's tip."""
ARC = 0.3
"""Of the first arrow, how far from the origin the angle is drawn."""
NAMED = 6
"""Neurons that are named next to a curve."""
SMALLEST_ANGLE = 3.0
"""Degrees below which an angle has no arc."""


def paint_picture(painter: QPainter, theme: Theme, scene: PassScene, box: QRectF) -> None:
    """The curve of an activation, or the arrows of a sum of two vectors."""
    draw_rounded(painter, box, 4, theme.surface, theme.border)
    if scene.curve:
        _paint_curve(painter, theme, scene, box.adjusted(8, 8, -8, -8))
    else:
        _paint_arrows(painter, theme, scene, box.adjusted(EDGE, EDGE, -EDGE, -EDGE))


# ---- an activation ------------------------------------------------------------------------------


def _paint_curve(painter: QPainter, theme: Theme, scene: PassScene, inner: QRectF) -> None:
    """GELU beside ReLU, and where this step's numbers are on it."""
    if scene.result is None or not scene.rows:
        return
    low = -1.2 if scene.curve == "tanh" else -0.6
    high = 1.2 if scene.curve in ("tanh", "sigmoid") else REACH

    def point(x: float, y: float) -> QPointF:
        across = (x + REACH) / (2 * REACH)
        up = (min(max(y, low), high) - low) / (high - low)
        return QPointF(inner.left() + across * inner.width(), inner.bottom() - up * inner.height())

    painter.setPen(QPen(theme.border, 1))
    painter.drawLine(point(-REACH, 0), point(REACH, 0))
    painter.drawLine(point(0, low), point(0, high))
    pair = ("relu", "gelu") if scene.curve in ("relu", "gelu") else (scene.curve,)
    for name in pair:
        is_own = name == scene.curve
        pen = QPen(theme.accent if is_own else theme.muted, 2.0 if is_own else 1.2)
        if not is_own:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        xs = np.linspace(-REACH, REACH, 81)
        painter.drawPolyline(QPolygonF([point(x, function_of(name)(x)) for x in xs.tolist()]))
    given, made = scene.rows[-1].values, scene.result.values
    if given is not None and made is not None and len(given) == len(made):
        step = max(1, len(given) // DOTS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.bar_original)
        for x, y in zip(given[::step].tolist(), made[::step].tolist(), strict=True):
            if abs(x) <= REACH:
                painter.drawEllipse(point(x, y), 1.8, 1.8)
    names = {"gelu": "GELU", "relu": "ReLU", "silu": "SiLU"}
    legend = ["— " + names.get(scene.curve, scene.curve)]
    legend += ["- - " + names[one] for one in pair if one != scene.curve]
    legend.append(_("• a neuron"))
    high_line = text_height("small")
    for n, words in enumerate(legend):
        line = QRectF(inner.left() + 4, inner.top() + n * high_line, inner.width(), high_line)
        draw_text(painter, line, words, "small", theme.text, LEFT)


def paint_strongest(painter: QPainter, theme: Theme, scene: PassScene, room: QRectF) -> None:
    """The neurons that answer most strongly, with what they give."""
    values = None if scene.result is None else scene.result.values
    line = text_height("small")
    title = _("Strongest neurons")
    if values is None or room.width() < text_width("small", title) + 60:
        return
    rows = min(NAMED, int(room.height() / (line + 4)) - 1)
    order = np.argsort(-np.abs(values), kind="stable")[: max(0, rows)].tolist()
    head = QRectF(room.left(), room.top(), room.width(), line + 4)
    draw_text(painter, head, title, "small", theme.muted, LEFT)
    numbers = max(text_width("small", str(n)) for n in order) if order else 0.0
    amounts = [decimal(float(values[n]), 2) for n in order]
    after = max([text_width("small", one) for one in amounts] or [0.0])
    most = float(np.abs(values).max()) or 1.0
    wide = min(12 * line, room.width() - numbers - after - 24)
    for n, (neuron, amount) in enumerate(zip(order, amounts, strict=True), start=1):
        y = room.top() + n * (line + 4)
        box = QRectF(room.left(), y, numbers, line + 4)
        draw_text(painter, box, str(neuron), "small", theme.text, RIGHT)
        bar = QRectF(box.right() + 8, y + 2, max(1.0, abs(values[neuron]) / most * wide), line)
        draw_rounded(painter, bar, 2, theme.bar_original)
        box = QRectF(bar.left() + wide + 8, y, after + 2, line + 4)
        draw_text(painter, box, amount, "small", theme.text, RIGHT)


def function_of(name: str) -> Callable[[float], float]:
    """A function of one number (GELU: Hendrycks and Gimpel 2016)."""
    return {
        "gelu": lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))),
        "relu": lambda x: max(0.0, x),
        "silu": lambda x: x / (1 + math.exp(-x)),
        "tanh": math.tanh,
        "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    }[name]


# ---- a sum --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SumInPlane:
    """Two vectors in the plane that they span: lengths and angles are what they are.

    Attributes:
        first: Where the first one ends: to the right of the origin.
        whole: Where their sum ends.
    """

    first: tuple[float, float]
    whole: tuple[float, float]

    @classmethod
    def of(cls, first: Any, second: Any) -> "SumInPlane":
        """Of two vectors of any width, of which the second is drawn upwards."""
        one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
        length = float(np.linalg.norm(one))
        along = float(one @ other) / length if length else 0.0
        across = math.sqrt(max(0.0, float(other @ other) - along * along))
        return cls((length, 0.0), (length + along, across))

    @property
    def angle(self) -> float:
        """Degrees from the first one to the sum."""
        return math.degrees(math.atan2(self.whole[1], self.whole[0]))


def _paint_arrows(painter: QPainter, theme: Theme, scene: PassScene, inner: QRectF) -> None:
    """What went in, what is added to it, and the sum, head to tail."""
    first, second = scene.rows[0], scene.rows[1]
    plane = SumInPlane.of(first.values, second.values)
    xs = (0.0, plane.first[0], plane.whole[0])
    line, after = text_height("small"), _name(second)
    # Below the first arrow is its name, and to the right of the second one that one's.
    room = inner.adjusted(0, 4, -text_width("small", after) - 12, -line - 4)
    wide, high = (max(xs) - min(xs)) or 1.0, plane.whole[1] or 1e-6
    scale = min(room.width() / wide, room.height() / high)
    left = room.left() + (room.width() - scale * wide) / 2

    def point(place: tuple[float, float]) -> QPointF:
        return QPointF(left + (place[0] - min(xs)) * scale, room.bottom() - place[1] * scale)

    zero, one, whole = point((0.0, 0.0)), point(plane.first), point(plane.whole)
    _arrow(painter, zero, one, theme.muted, 1.8)
    _arrow(painter, one, whole, theme.accent, 1.8)
    _arrow(painter, zero, whole, theme.text, 2.4)
    angle = plane.angle
    if angle >= SMALLEST_ANGLE:
        radius = ARC * abs(one.x() - zero.x())
        arc = QRectF(zero.x() - radius, zero.y() - radius, 2 * radius, 2 * radius)
        painter.setPen(QPen(theme.muted, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawArc(arc, 0, round(16 * angle))
        words = f"{decimal(angle, 0)}°"
        half = math.radians(angle / 2)
        at = zero + QPointF(math.cos(half), -math.sin(half)) * (radius + 4)
        box = QRectF(at.x(), at.y() - line / 2, text_width("small", words) + 2, line)
        draw_text(painter, box, words, "small", theme.muted, LEFT)
    middle = (zero + one) / 2
    box = QRectF(inner.left(), inner.bottom() - line, 2 * (middle.x() - inner.left()), line)
    draw_text(painter, box, _name(first), "small", theme.muted)
    middle = (one + whole) / 2
    right = max(middle.x(), (middle + whole).x() / 2) + 8
    box = QRectF(right, middle.y() - line / 2, inner.right() - right, line)
    draw_text(painter, box, after, "small", theme.accent, LEFT)
    if scene.result is not None:
        middle = (zero + whole) / 2
        words = _name(scene.result)
        wide = text_width("small", words) + 2
        left = max(inner.left(), middle.x() - wide - 4)
        box = QRectF(left, max(inner.top(), middle.y() - line - 4), wide, line)
        draw_text(painter, box, words, "small", theme.text, LEFT)


def _name(row: SceneRow) -> str:
    """A vector and its length."""
    return _("{what} {length}", what=label_said(row), length=row.written)


def _arrow(
    painter: QPainter, start: QPointF, end: QPointF, colour: QColor, thickness: float
) -> None:
    way = end - start
    length = math.hypot(way.x(), way.y())
    if length < 1:
        return
    along = way / length
    tip = min(TIP, length / 2)
    base = end - along * tip
    across = QPointF(-along.y(), along.x()) * tip * 0.45
    painter.setPen(QPen(colour, thickness))
    painter.drawLine(start, base)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, base + across, base - across]))
