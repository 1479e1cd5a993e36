"""How the loss of a series fell, as a line above its slider; the exact floor below it."""

import math
from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.series.loss_curve import LossCurve
from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import current_theme

EDGE = 2.5
"""Pixels above the highest value and below the lowest, which the dot of now needs."""
DOT = 2.5


@guarded
class LossLine(QWidget):
    """Nobody has to see it: the slider says the loss in words.

    Signals:
        chosen: The place, among the frames, that is nearest to where it was clicked.
    """

    chosen = Signal(int)

    def __init__(self, high: int, parent: QWidget) -> None:
        """Nothing is drawn yet.

        Args:
            high: Pixels at the usual size of text.
            parent: In which it stands.
        """
        super().__init__(parent)
        self._high = high
        self.setObjectName("loss_line")
        self.setAccessibleName(_("Loss at each step of the training"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._curve: LossCurve | None = None
        self._steps: Sequence[int] = ()
        self._place, self._left, self._wide = 0, 0.0, 1.0

    def show_curve(self, curve: LossCurve | None, steps: Sequence[int], place: int) -> None:
        """Draw a curve above the frames of a series.

        Args:
            curve: None for nothing to draw.
            steps: Of the frames, in order.
            place: Which frame is shown.
        """
        told = curve, tuple(steps), place
        if told != (self._curve, self._steps, self._place):
            self._curve, self._steps, self._place = told
            self.update()

    def stand_above(self, left: float, wide: float) -> None:
        """The first frame's place is so far from the left, in pixels, the last one's so far on."""
        if (left, wide) != (self._left, self._wide):
            self._left, self._wide = left, max(1.0, wide)
            self.update()

    def sizeHint(self) -> QSize:
        """As high as it was said; as wide as the slider."""
        return QSize(0, zoomed(self._high))

    def points(self) -> list[QPointF]:
        """What was written down between the first and the last frame, in pixels."""
        curve = self._curve
        if curve is None:
            return []
        both = zip(curve.steps, curve.values, strict=True)
        inside = [(step, value) for step, value in both if self._is_inside(step)]
        low, high = self._ends([value for _step, value in inside])
        return [QPointF(self._across(step), self._up(value, low, high)) for step, value in inside]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The floor, the curve, and a dot where it is now."""
        curve, points, theme = self._curve, self.points(), current_theme()
        if curve is None or not points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if curve.floor is not None:
            up = round(self.height() - EDGE) + 0.5
            painter.setPen(QPen(theme.positive, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(self._left, up), QPointF(self._left + self._wide, up))
        painter.setPen(QPen(theme.muted, 1.3))
        painter.drawPolyline(QPolygonF(points))
        at = self._now(points)
        if at is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.accent)
            painter.drawEllipse(at, DOT, DOT)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The frame below."""
        last = len(self._steps) - 1
        share = (event.position().x() - self._left) / self._wide
        if self._curve is not None and last > 0:
            self.chosen.emit(round(min(max(share, 0.0), 1.0) * last))

    def _now(self, points: list[QPointF]) -> QPointF | None:
        """The point of the frame that is shown; None before the first one."""
        if not 0 <= self._place < len(self._steps):
            return None
        here = self._across(self._steps[self._place]) + 0.01
        return next((one for one in reversed(points) if one.x() <= here), None)

    def _is_inside(self, step: float) -> bool:
        return bool(self._steps) and self._steps[0] <= step <= self._steps[-1]

    def _ends(self, values: Sequence[float]) -> tuple[float, float]:
        """The floor is the lowest where it is known: what is left to learn is above it."""
        floor = self._curve.floor if self._curve is not None else None
        low = min([*values, *([] if floor is None else [floor])], default=0.0)
        return low, max(values, default=1.0)

    def _up(self, value: float, low: float, high: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return self.height() - EDGE - share * (self.height() - 2 * EDGE)

    def _across(self, step: float) -> float:
        """Frames are as far apart as the slider has them; between two of them it goes by ratios."""
        steps, last = self._steps, len(self._steps) - 1
        if last < 1:
            return self._left
        place = min(max(bisect_right(steps, step) - 1, 0), last - 1)
        low, high = (math.log1p(steps[one]) for one in (place, place + 1))
        share = (math.log1p(step) - low) / (high - low) if high > low else 0.0
        return self._left + (place + share) / last * self._wide
