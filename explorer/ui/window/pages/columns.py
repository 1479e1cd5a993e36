"""Places for pages beside each other, in columns, and below each other in these."""

import enum
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from explorer.ui.window.pages.pane import Pane


class Edge(enum.Enum):
    """At which side of a page another one goes."""

    LEFT = enum.auto()
    RIGHT = enum.auto()
    ABOVE = enum.auto()
    BELOW = enum.auto()

    @classmethod
    def nearest(cls, place: QPoint, box: QRect) -> "Edge":
        """The side that a place in a box is nearest to."""
        across = (place.x() - box.x()) / max(box.width(), 1)
        down = (place.y() - box.y()) / max(box.height(), 1)
        far = {cls.LEFT: across, cls.RIGHT: 1 - across, cls.ABOVE: down, cls.BELOW: 1 - down}
        return min(far, key=lambda edge: far[edge])

    def half(self, box: QRect) -> QRect:
        """The half of a box at this side."""
        wide, high = box.width() // 2, box.height() // 2
        match self:
            case Edge.LEFT:
                return box.adjusted(0, 0, -wide, 0)
            case Edge.RIGHT:
                return box.adjusted(wide, 0, 0, 0)
            case Edge.ABOVE:
                return box.adjusted(0, 0, 0, -high)
            case Edge.BELOW:
                return box.adjusted(0, high, 0, 0)


class SplitColumns(QSplitter):
    """A splitter of splitters; what is hidden takes no room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("page_columns")
        self.setChildrenCollapsible(False)

    @property
    def panes(self) -> list[list[Pane]]:
        """From left to right, each from above, those that are hidden too."""
        return [
            [pane for n in range(one.count()) if isinstance(pane := one.widget(n), Pane)]
            for one in self._columns
        ]

    @property
    def heights(self) -> list[list[int]]:
        """Pixels of each."""
        return [one.sizes() for one in self._columns]

    @property
    def _columns(self) -> list[QSplitter]:
        inside = (self.widget(n) for n in range(self.count()))
        return [one for one in inside if isinstance(one, QSplitter)]

    def put(self, pane: Pane, target: Pane | None = None, edge: Edge = Edge.RIGHT) -> None:
        """Put a place at a side of another one; None for the very last."""
        home = next((one for one in self._columns if target and one.indexOf(target) >= 0), None)
        if target is not None and home is not None and edge in (Edge.ABOVE, Edge.BELOW):
            at = home.indexOf(target) + (edge is Edge.BELOW)
            home.insertWidget(at - (0 <= home.indexOf(pane) < at), pane)
            column = home
        else:
            at = self.count() if home is None else self.indexOf(home) + (edge is Edge.RIGHT)
            column = self._column(at, [pane])
        pane.show()
        self.tidy()
        even_out(column if column is home else self)

    def lay_out(self, columns: Iterable[Iterable[Pane]]) -> None:
        """Have these places, and no others, as `panes` has them."""
        for number, panes in enumerate(columns):
            self._column(number, panes)
        self.tidy()

    def _column(self, at: int, panes: Iterable[Pane]) -> QSplitter:
        column = QSplitter(Qt.Orientation.Vertical, self)
        column.setChildrenCollapsible(False)
        for pane in panes:
            column.addWidget(pane)
        self.insertWidget(at, column)
        return column

    def tidy(self) -> None:
        """Columns without a place go; those in which nothing is seen are hidden."""
        for column, panes in zip(self._columns, self.panes, strict=True):
            if not panes:
                column.hide()
                column.setParent(None)
                column.deleteLater()
            else:
                column.setVisible(any(not one.isHidden() for one in panes))
        for number, column in enumerate(self._columns):
            column.setObjectName(f"page_column_{number}")

    def set_sizes(self, widths: Sequence[int], heights: Sequence[Sequence[int]]) -> None:
        """Pixels of the columns, and of the places in each."""
        self.setSizes(list(widths))
        for column, sizes in zip(self._columns, heights, strict=False):
            column.setSizes(list(sizes))


def even_out(splitter: QSplitter) -> None:
    """Give what is seen in a splitter the same room."""
    splitter.setSizes([1000] * splitter.count())
