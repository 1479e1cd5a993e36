"""A heat map's scene: cells, token labels, colour bar. pyqtgraph's view box pans and zooms."""

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QPainter

from explorer.ui.charts.scene import PlotScene
from explorer.ui.matrices.heat_layout import LARGEST_CELL, HeatContent, HeatLayout, fit
from explorer.ui.matrices.heat_painting import (
    CellColours,
    paint_bar,
    paint_cells,
    paint_column_labels,
    paint_pointed,
    paint_row_labels,
)
from explorer.ui.theme.schemes import Theme

Cell = tuple[int, int]


class HeatCanvas(PlotScene):
    """What a heat map shows; the view box's range is counted in columns and rows.

    Attributes:
        content: What is shown.
        fitting: The layout that shows everything.
        pointed: The marked cell.
    """

    def __init__(self, content: HeatContent, parent: QObject | None = None) -> None:
        super().__init__(parent, downwards=True)
        self.content = content
        self.fitting = fit(content, 100.0, 100.0)
        self.pointed: Cell | None = None
        self._cells: CellColours | None = None
        self.add_layer(self._paint_cells)
        self.add_layer(self._paint_rows)
        self.add_layer(self._paint_columns)
        self.add_layer(self._paint_marks)

    def show(self, content: HeatContent) -> None:
        """Show other numbers with as many rows and columns."""
        self.content, self._cells = content, None

    def arrange(self, width: float, height: float) -> None:
        """Fit into a size; what was zoomed in on stays zoomed in on, at the same corner."""
        look = self.look()
        at = self.fitting = fit(self.content, width, height)
        self.from_right = at.from_right
        self.deepest = max(4.0, 2 * LARGEST_CELL / at.cell_width)
        self.place(width, height, at.plane)
        across, down = at.plane.width() / at.cell_width, at.plane.height() / at.cell_height
        self.full = (0.0, across), (0.0, down)
        self.take_look(look)

    def ends(self, _zoom: float) -> tuple[float, float]:
        """After the last column, and the last row: no blank is shown where there could be cells."""
        rows, columns = self.content.values.shape
        return float(columns), float(rows)

    @property
    def at(self) -> HeatLayout:
        """Where everything stands now."""
        (left, _), (top, _) = self.seen
        zoom, plane = self.zoom, self.fitting.plane
        wide, high = self.fitting.cell_width * zoom, self.fitting.cell_height * zoom
        return replace(
            self.fitting,
            cell_width=wide,
            cell_height=high,
            x=plane.left() - left * wide,
            y=plane.top() - top * high,
        )

    # ---- painting ---------------------------------------------------------------------------

    def _paint_cells(self, painter: QPainter, theme: Theme) -> None:
        if self._cells is None or self._cells.theme is not theme:
            self._cells = CellColours(self.content, theme)
        paint_cells(painter, self._cells, self.at)

    def _paint_rows(self, painter: QPainter, theme: Theme) -> None:
        paint_row_labels(painter, theme, self.content, self.at, self.pointed)

    def _paint_columns(self, painter: QPainter, theme: Theme) -> None:
        paint_column_labels(painter, theme, self.content, self.at, self.pointed)

    def _paint_marks(self, painter: QPainter, theme: Theme) -> None:
        at = self.at
        if self.pointed is not None:
            paint_pointed(painter, theme, self.content, at, self.pointed)
        paint_bar(painter, theme, self.content, at)
