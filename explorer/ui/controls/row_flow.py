"""A layout of controls in a line; what does not fit stands in the next one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from explorer.ui.guarded import guarded


@guarded
class RowFlow(QLayout):
    """Controls as wide as they ask to be; those that grow share what a line has left.

    Args:
        parent: Whose children they are.
        gap: Pixels between two of them.
        line_gap: Pixels between two lines.
    """

    def __init__(self, parent: QWidget, gap: int = 18, line_gap: int = 4) -> None:
        super().__init__(parent)
        self._gap, self._line_gap = gap, line_gap
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
        """It asks for no more than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Less width takes more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put the controls where they belong."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        shown = self._shown
        wide = sum(item.sizeHint().width() for item in shown) + self._gap * max(len(shown) - 1, 0)
        return self._with_margins(wide, max((i.sizeHint().height() for i in shown), default=0))

    def minimumSize(self) -> QSize:
        """The widest of the least widths."""
        sizes = [item.minimumSize() for item in self._shown]
        wide = max((one.width() for one in sizes), default=0)
        return self._with_margins(wide, max((one.height() for one in sizes), default=0))

    @property
    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _with_margins(self, width: int, height: int) -> QSize:
        edges = self.contentsMargins()
        return QSize(width + edges.left() + edges.right(), height + edges.top() + edges.bottom())

    def _place(self, rect: QRect, *, move: bool) -> int:
        inside = rect.marginsRemoved(self.contentsMargins())
        y = inside.top()
        for line in self._lines(inside.width()):
            tall = max(item.sizeHint().height() for item in line)
            if move:
                x = inside.left()
                for item, wide in zip(line, self._widths(line, inside.width()), strict=True):
                    item.setGeometry(QRect(x, y, wide, tall))
                    x += wide + self._gap
            y += tall + self._line_gap
        if self._shown:
            y -= self._line_gap
        return y - rect.top() + self.contentsMargins().bottom()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown:
            wide = _least(item)
            if not lines or wide + self._gap > left:
                lines.append([])
                left = width + self._gap
            lines[-1].append(item)
            left -= wide + self._gap
        return lines

    def _widths(self, line: list[QLayoutItem], width: int) -> list[int]:
        widths = [min(_least(item), width) for item in line]
        spare = width - sum(widths) - self._gap * (len(line) - 1)
        growing = [n for n, item in enumerate(line) if _grows(item)]
        for place, number in enumerate(growing):
            most = line[number].maximumSize().width()
            more = min(spare // (len(growing) - place), max(0, most - widths[number]))
            widths[number] += more
            spare -= more
        return widths


def _grows(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _least(item: QLayoutItem) -> int:
    """What it takes at least, unless the line is narrower than that."""
    return (item.minimumSize() if _grows(item) else item.sizeHint()).width()
