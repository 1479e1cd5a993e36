"""Several heat maps of the same tokens, side by side; pointing at a cell in one marks it in all."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.state_pages import label
from explorer.ui.widgets.column_flow import ColumnFlow

WIDEST = 460
FEW = 30
"""Tokens up to which maps are small, and many of them stand side by side."""
SMALL, LARGE = (195, 240), (300, 340)
"""Least width and height of a map, in pixels."""


class TitledMap(NamedTuple):
    """A matrix with what stands above it."""

    name: str
    title: str
    about: str
    content: HeatContent


class MapCard(QFrame):
    """One map under its title."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}Card")
        self.title = label(f"{name}Title", "body", self)
        self.title.setFont(Theme.font("strong"))
        self.about = label(f"{name}About", "small", self)
        self.map = HeatMap(name, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.about)
        layout.addSpacing(4)
        layout.addWidget(self.map)

    def show_map(self, one: TitledMap, high: int) -> None:
        """Show another matrix, so many pixels high."""
        self.map.setFixedHeight(high)
        self.title.setText(one.title)
        self.about.setText(one.about)
        self.map.setAccessibleName(one.title)
        self.map.setToolTip("")
        self.map.set_content(one.content)


class MapBoard(QWidget):
    """The maps in as many columns as the width holds.

    Signals:
        pointed: (row, column) that is marked in all maps, or None.
        clicked: Row and column.
    """

    pointed = Signal(object)
    clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapBoard")
        self._flow = ColumnFlow(self, SMALL[0], WIDEST, 18)
        self._cards: dict[str, MapCard] = {}
        self._telling = False

    @property
    def maps(self) -> dict[str, HeatMap]:
        """Those that are shown, by name."""
        return {name: card.map for name, card in self._cards.items() if not card.isHidden()}

    def show_maps(self, maps: Sequence[TitledMap]) -> None:
        """Show other matrices; a name that was shown keeps its widget, and so its zoom."""
        names = {one.name for one in maps}
        most = max((len(one.content.rows) for one in maps), default=0)
        self._flow.narrowest, high = SMALL if most <= FEW else LARGE
        for name, card in self._cards.items():
            card.setVisible(name in names)
        for one in maps:
            if one.name not in self._cards:
                card = MapCard(one.name, self)
                card.map.hovered.connect(self._point)
                card.map.clicked.connect(self.clicked)
                self._cards[one.name] = card
                self._flow.addWidget(card)
                card.setVisible(True)
            self._cards[one.name].show_map(one, high)
        self._flow.invalidate()
        self.updateGeometry()

    def point_at(self, cell: tuple[int, int] | None) -> None:
        """Mark a cell in all maps, without telling."""
        telling, self._telling = self._telling, True
        try:
            for heat_map in self.maps.values():
                heat_map.point_at(cell)
        finally:
            self._telling = telling

    def _point(self, cell: tuple[int, int] | None) -> None:
        if not self._telling:
            self.point_at(cell)
            self.pointed.emit(cell)
