"""A query, a key and their product, dimension by dimension."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.operations.query_key import QueryKeyResult
from explorer.ui.matrices.scale import number, short
from explorer.ui.theme import Theme
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
HIGH = 62.0
"""Of one row of bars, in pixels."""
BETWEEN = 10.0
WIDEST = 18.0
"""Of one bar."""


class DimensionBars:
    """A block: three rows of bars, one below the other.

    Args:
        result: One head's queries and keys.
        pair: Which query and which key.
        labels: What the two tokens are called.
        width: In pixels.
        by_size: Dimensions in the order of their products, the largest first.
    """

    def __init__(
        self,
        result: QueryKeyResult,
        pair: tuple[int, int],
        labels: tuple[str, str],
        width: float,
        *,
        by_size: bool,
    ) -> None:
        import numpy as np

        query, key = pair
        products = result.products(query, key)
        order = np.argsort(-products, kind="stable") if by_size else np.arange(len(products))
        self.order = [int(dimension) for dimension in order]
        self._rows: tuple[tuple[str, str, NDArray[np.float32]], ...] = (
            ("query", labels[0], result.queries[query]),
            ("key", labels[1], result.keys[key]),
            ("product", "query × key", products),
        )
        both = max(float(abs(self._rows[n][2]).max(initial=0.0)) for n in (0, 1)) or 1.0
        own = float(abs(products).max(initial=0.0)) or 1.0
        self._ends = (both, both, own)
        words = [max(text_width("strong", a), text_width("small", b)) for a, b, _ in self._rows]
        ends = [text_width("small", short(-end)) for end in self._ends]
        self._words = min(max(words), 120.0) + 8
        self._left = self._words + max(ends) + 6
        self._bar = min((width - self._left) / max(len(self.order), 1), WIDEST)
        self._foot = text_height("small") + 4
        self.height = 3 * HIGH + 2 * BETWEEN + self._foot
        self.spots = tuple(self._spots())

    def _spots(self) -> list[Spot]:
        spots = []
        for place, dimension in enumerate(self.order):
            q, k, p = (float(values[dimension]) for _, _, values in self._rows)
            words = (
                f"Dimension {dimension}: query {number(q, signed=True)} × key "
                f"{number(k, signed=True)} = {number(p, signed=True)}"
            )
            box = QRectF(self._left + place * self._bar, 0, self._bar, self.height - self._foot)
            spots.append(Spot(box, None, words, words))
        return spots

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Row after row, then the dimensions' numbers."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for n, row in enumerate(self._rows):
            painter.save()
            painter.translate(0, n * (HIGH + BETWEEN))
            self._paint_row(painter, theme, row, self._ends[n])
            painter.restore()
        y = 3 * HIGH + 2 * BETWEEN + 2
        step = max(1, int((text_width("small", "00") + 4) / max(self._bar, 1e-6)) + 1)
        for place in range(0, len(self.order), step):
            box = QRectF(self._left + (place + 0.5) * self._bar - 20, y, 40, text_height("small"))
            draw_text(painter, box, str(self.order[place]), "small", theme.muted)
        box = QRectF(0, y, self._left - 8, text_height("small"))
        draw_text(painter, box, "dimension", "small", theme.muted, LEFT)

    def _paint_row(
        self,
        painter: QPainter,
        theme: Theme,
        row: "tuple[str, str, NDArray[np.float32]]",
        end: float,
    ) -> None:
        title, about, values = row
        small, strong = text_height("small"), text_height("strong")
        top = HIGH / 2 - (small + strong) / 2
        box = QRectF(0, top, self._words - 8, strong)
        draw_text(painter, box, title, "strong", theme.text, LEFT)
        box = QRectF(0, top + strong, self._words - 8, small)
        draw_text(painter, box, about, "small", theme.muted, LEFT, Qt.TextElideMode.ElideRight)
        wide = self._left - self._words - 4
        for y, value in ((0.0, end), (HIGH / 2 - small / 2, 0.0), (HIGH - small, -end)):
            box = QRectF(self._words, y, wide, small)
            draw_text(painter, box, short(value), "small", theme.muted, RIGHT)
        right = self._left + len(self.order) * self._bar
        painter.fillRect(QRectF(self._left, 0, right - self._left, HIGH), theme.track)
        for place, dimension in enumerate(self.order):
            long = float(values[dimension]) / end * HIGH / 2
            x = self._left + place * self._bar
            gap = 1.0 if self._bar >= 4 else 0.0
            box = QRectF(x, HIGH / 2 - max(long, 0.0), self._bar - gap, max(abs(long), 0.5))
            painter.fillRect(box, _sign_colour(theme, long > 0))
        painter.setPen(QPen(theme.muted, 1))
        painter.drawLine(QLineF(self._left, HIGH / 2, right, HIGH / 2))


def _sign_colour(theme: Theme, positive: bool) -> QColor:
    """Bars have length to say how much; colour says the sign."""
    at = 200 if positive else 55
    red, green, blue, _ = (int(part) for part in theme.diverging[at])
    return QColor(red, green, blue)
