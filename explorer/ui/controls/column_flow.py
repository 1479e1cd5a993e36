"""A layout of equal columns, as many as the width holds."""

import math

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from explorer.ui.guarded import guarded

_MANY = 1000
"""More columns than any screen has."""


def columns_for(
    width: float, items: int, narrowest: float, widest: float, gap: float
) -> tuple[int, float]:
    """Number of columns and their width.

    Args:
        width: There is this much.
        items: No more columns than these.
        narrowest: A column's least width, unless there is less.
        widest: A column's greatest width.
        gap: Between columns.
    """
    count = max(1, min(items, int((width + gap) // (narrowest + gap))))
    return count, min(widest, (width - gap * (count - 1)) / count)


@guarded
class ColumnFlow(QLayout):
    """Rows of equally wide cards; each row is as tall as its tallest.

    A card that can't be as narrow as a column takes as many of them as it needs.
    """

    def __init__(
        self, parent: QWidget, narrowest: int = 320, widest: int = 640, gap: int = 12
    ) -> None:
        super().__init__(parent)
        self.narrowest, self.widest, self.gap = narrowest, widest, gap
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One of them."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give one back."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It does not ask for more than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Fewer columns are taller."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all rows at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put the cards where they belong."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """Room for one column."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The widest of the least widths."""
        margins: QMargins = self.contentsMargins()
        least = max((item.minimumSize().width() for item in self._items), default=0)
        height = max((item.minimumSize().height() for item in self._items), default=0)
        return QSize(
            least + margins.left() + margins.right(), height + margins.top() + margins.bottom()
        )

    def _height_of(self, item: QLayoutItem, width: int) -> int:
        if item.hasHeightForWidth():
            return item.heightForWidth(width)
        return item.sizeHint().height()

    def _place(self, rect: QRect, *, move: bool) -> int:
        margins = self.contentsMargins()
        inside = rect.marginsRemoved(margins)
        shown = [item for item in self._items if not item.isEmpty()]
        y = inside.top()
        if shown:
            for row in self._rows(shown, inside.width()):
                tall = max(self._height_of(item, int(room)) for item, _, room in row)
                for item, left, room in row:
                    if move:
                        x = inside.left() + int(left)
                        item.setGeometry(QRect(x, y, int(room), tall))
                y += tall + self.gap
            y -= self.gap
        return y - rect.top() + margins.bottom()

    def _rows(
        self, shown: list[QLayoutItem], width: float
    ) -> list[list[tuple[QLayoutItem, float, float]]]:
        """Items with their left edges and widths, row by row."""
        # Columns are wide enough for all that need no more than the widest.
        least = [item.minimumSize().width() for item in shown]
        narrowest = max([self.narrowest, *(one for one in least if one <= self.widest)])
        fit, wide = columns_for(width, _MANY, narrowest, self.widest, self.gap)
        wanted = sum(self._span(item, wide, fit) for item in shown)
        count, wide = columns_for(width, min(fit, wanted), narrowest, self.widest, self.gap)
        each = wide + self.gap
        rows: list[list[tuple[QLayoutItem, float, float]]] = [[]]
        column = 0
        for item in shown:
            span = self._span(item, wide, count)
            if column + span > count:
                rows.append([])
                column = 0
            rows[-1].append((item, column * each, span * each - self.gap))
            column += span
        return rows

    def _span(self, item: QLayoutItem, wide: float, most: int) -> int:
        """How many columns an item needs."""
        least = item.minimumSize().width()
        return min(most, max(1, math.ceil((least + self.gap) / (wide + self.gap))))
