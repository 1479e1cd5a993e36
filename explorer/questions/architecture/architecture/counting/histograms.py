"""Small histograms of tensors' numbers, each on its own scale, zero marked."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from explorer.questions.architecture.architecture.counting.statistics import Statistics
from explorer.questions.architecture.architecture.words import number
from explorer.text import _
from explorer.ui.blocks import Laid, Spot, Theme, draw_text, text_height

TILE = 190.0


class Histograms(Laid):
    """Small histograms in rows.

    Args:
        statistics: Of each tensor.
        names: What stands above each.
        width: In pixels.
    """

    def __init__(
        self, statistics: Sequence[Statistics], names: Sequence[str], width: float
    ) -> None:
        self._statistics, self._names = statistics, names
        self.width = width
        self._columns = max(1, int(width // (TILE + 12)))
        self._wide = width / self._columns - 12
        self._line = text_height("small")
        self._high = 74 + 2 * self._line
        rows = -(-len(statistics) // self._columns)
        self.height = rows * (self._high + 12)
        self.spots = tuple(
            Spot(
                self._box(i),
                None,
                _(
                    "{name}\nmean {number}, std {number_2}, norm {number_3}",
                    name=one.name,
                    number=number(one.mean),
                    number_2=number(one.std),
                    number_3=number(one.norm),
                ),
            )
            for i, one in enumerate(statistics)
        )

    def _box(self, index: int) -> QRectF:
        row, column = divmod(index, self._columns)
        x, y = column * (self._wide + 12), row * (self._high + 12)
        return QRectF(x, y, self._wide, self._high)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each in its box."""
        for index, one in enumerate(self._statistics):
            box = self._box(index)
            name = QRectF(box.left(), box.top(), box.width(), self._line)
            draw_text(painter, name, self._names[index], "small", theme.text)
            plane = QRectF(box.left(), name.bottom() + 2, box.width(), 68)
            painter.fillRect(plane, theme.track)
            most = max(1, int(one.counts.max()))
            wide = plane.width() / len(one.counts)
            for bin_number, amount in enumerate(one.counts):
                tall = plane.height() * float(amount) / most
                x = plane.left() + bin_number * wide
                painter.fillRect(QRectF(x, plane.bottom() - tall, wide, tall), theme.bar)
            if one.minimum < 0 < one.maximum:
                span = one.maximum - one.minimum
                x = plane.left() - one.minimum / span * plane.width()
                painter.setPen(QPen(theme.text, 1.0))
                painter.drawLine(int(x), int(plane.top()), int(x), int(plane.bottom()))
            below = QRectF(box.left(), plane.bottom() + 2, box.width(), self._line)
            ends = f"{number(one.minimum)} … {number(one.maximum)}"
            draw_text(painter, below, ends, "small", theme.muted)
