"""A heat map's scene: cells, token labels, colour bar. pyqtgraph's view box pans and zooms."""

from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.ui.charts.scene import PlotScene
from explorer.ui.matrices.heat_layout import LARGEST_CELL, HeatContent, HeatLayout, fit
from explorer.ui.matrices.heat_painting import (
    Cells,
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
        self._cells: Cells | None = None
        self.add_layer(self._paint_cells)
        self.add_axis("left", self._paint_rows)
        self.add_axis("top", self._paint_columns)
        self.add_layer(self._paint_marks)

    def show(self, content: HeatContent) -> None:
        """Show other numbers with as many rows and columns."""
        self.content, self._cells = content, None

    def arrange(self, width: float, height: float) -> None:
        """Fit into a size; what was zoomed in on stays zoomed in on, at the same corner."""
        zoom = self.zoom
        (left, _), (top, _) = self.seen
        self.fitting = fit(self.content, width, height)
        self.place(width, height, self.fitting.plane)
        self.see(left, top, zoom)

    # ---- what is in sight -------------------------------------------------------------------

    @property
    def zoom(self) -> float:
        """1 where everything is shown."""
        (left, right), _ = self.seen
        return self.fitting.plane.width() / self.fitting.cell_width / (right - left)

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

    def show_all(self) -> None:
        """See everything."""
        self.see(0.0, 0.0, 1.0)

    def zoom_by(self, factor: float, about: QPointF) -> None:
        """Make cells larger or smaller, the one under a point staying where it is."""
        at = self.at
        most = max(4.0, 2 * LARGEST_CELL / self.fitting.cell_width)
        zoom = min(max(self.zoom * factor, 1.0), most)
        grown = zoom / self.zoom
        across, down = at.across(about.x()), (about.y() - at.y) / at.cell_height
        begin = at.plane.right() - about.x() if at.from_right else about.x() - at.plane.left()
        left = across - begin / (at.cell_width * grown)
        top = down - (about.y() - at.plane.top()) / (at.cell_height * grown)
        self.see(left, top, zoom)

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the cells by so many pixels."""
        at = self.at
        (left, _), (top, _) = self.seen
        dx = -dx if at.from_right else dx
        self.see(left - dx / at.cell_width, top - dy / at.cell_height, self.zoom)

    def bring_into_sight(self, cell: Cell) -> None:
        """Pan just so far that a cell can be seen."""
        box, plane = self.at.box(*cell), self.fitting.plane
        dx = min(0.0, plane.right() - box.right()) or max(0.0, plane.left() - box.left())
        dy = min(0.0, plane.bottom() - box.bottom()) or max(0.0, plane.top() - box.top())
        if dx or dy:
            self.pan_by(dx, dy)

    def see(self, left: float, top: float, zoom: float) -> None:
        """Set the view box's range; no blank is shown where there are cells that could be.

        Args:
            left: The first column in sight, and how much of it is not.
            top: The first row, likewise.
            zoom: How many times larger than all cells at once.
        """
        fitting, plane = self.fitting, self.fitting.plane
        across = plane.width() / (fitting.cell_width * zoom)
        down = plane.height() / (fitting.cell_height * zoom)
        rows, columns = self.content.values.shape
        left = min(max(left, 0.0), max(columns - across, 0.0))
        top = min(max(top, 0.0), max(rows - down, 0.0))
        self.box.setRange(xRange=(left, left + across), yRange=(top, top + down), padding=0)

    # ---- painting ---------------------------------------------------------------------------

    def _paint_cells(self, painter: QPainter, theme: Theme) -> None:
        if self._cells is None or self._cells.theme is not theme:
            self._cells = Cells(self.content, theme)
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

    def box_of(self, cell: Cell) -> QRectF:
        """Where a cell is."""
        return self.at.box(*cell)
