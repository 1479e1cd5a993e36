"""The scene of all heads: maps, numbers, frames. pyqtgraph's view box pans and zooms."""

import math
from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from explorer.ui.charts.scene import PlotScene
from explorer.ui.matrices.heads.painting import (
    GAP,
    SCALE_WIDTH,
    GridContent,
    GridLayout,
    Head,
    Marked,
    arrange,
    grid_image,
    head_at,
    paint_axis_names,
    paint_head_numbers,
    paint_layer_numbers,
    paint_notes,
)
from explorer.ui.matrices.heat_layout import scale_box
from explorer.ui.matrices.heat_painting import paint_scale
from explorer.ui.matrices.image import image_of, pooled
from explorer.ui.theme.schemes import Theme

MOST_ZOOM = 24.0


class HeadCanvas(PlotScene):
    """Every head, of which the view box knows the part that is in sight.

    Its range is counted in shares of the whole grid.

    Attributes:
        content: What is shown.
        fitting: Where heads stand while all of them are shown.
        marked: What is chosen and pointed at.
    """

    def __init__(self, content: GridContent, parent: QObject | None = None) -> None:
        super().__init__(parent, downwards=True)
        self.content = content
        self.fitting = arrange(content, 300, 300)
        self.deepest = MOST_ZOOM
        self.marked = Marked()
        self.ratio = 1.0
        self._whole_image: QImage | None = None
        self._images: dict[tuple[Head, int, int], QImage] = {}
        self._images_theme: Theme | None = None
        self.add_layer(self._paint_maps)
        self.add_layer(self._paint_layers)
        self.add_layer(self._paint_heads)
        self.add_layer(self._paint_marks)

    def arrange(self, width: float, height: float, ratio: float) -> None:
        """Take a size; what was zoomed in on stays zoomed in on.

        Args:
            width: In pixels.
            height: In pixels.
            ratio: Device pixels for a pixel.
        """
        self.ratio = ratio
        self.fitting = arrange(self.content, width, height)
        self.forget()
        plane = QRectF(self.fitting.left, self.fitting.top, *self._extent)
        self.place(width, max(height, self.fitting.height), plane)
        self.see(*self.seen)

    def forget(self) -> None:
        """Images of other numbers, of another size or theme."""
        self._whole_image = None
        self._images.clear()

    @property
    def _extent(self) -> tuple[float, float]:
        at = self.fitting
        wide = at.columns * (at.cell_width + GAP) - GAP
        return wide, at.rows * (at.cell_height + at.note_height + GAP) - GAP

    def ends(self, zoom: float) -> tuple[float, float]:
        """A little later where heads are larger: gaps between them do not grow."""
        gaps, (wide, high) = GAP * (1 - 1 / zoom), self._extent
        return 1 + gaps / wide, 1 + gaps / high

    @property
    def at(self) -> GridLayout:
        """Where heads stand now; gaps and notes keep their size."""
        fitting, zoom, (wide, high) = self.fitting, self.zoom, self._extent
        (left, _), (top, _) = self.seen
        return replace(
            fitting,
            left=fitting.left - left * wide * zoom,
            top=fitting.top - top * high * zoom,
            cell_width=(fitting.cell_width + GAP) * zoom - GAP,
            cell_height=(fitting.cell_height + fitting.note_height + GAP) * zoom
            - fitting.note_height
            - GAP,
        )

    # ---- painting ---------------------------------------------------------------------------

    def _paint_maps(self, painter: QPainter, theme: Theme) -> None:
        at, content = self.at, self.content
        if self._images_theme is not theme:
            self.forget()
            self._images_theme = theme
        painter.save()
        painter.setClipRect(self._frame, Qt.ClipOperation.IntersectClip)
        for index in self._in_sight(at):
            painter.fillRect(at.box(index), theme.raised)
        if self.zoom <= 1 + 1e-9:
            if self._whole_image is None:
                self._whole_image = grid_image(content, at, theme, self.ratio)
            painter.drawImage(QPointF(0, 0), self._whole_image)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            for index in self._in_sight(at):
                painter.drawImage(at.box(index), self._image(head_at(content, index), at, theme))
        if content.order:
            paint_notes(painter, theme, content, at, self._in_sight(at))
        painter.restore()

    def _in_sight(self, at: GridLayout) -> list[int]:
        frame = self._frame
        return [n for n in range(self.content.count) if at.box(n).intersects(frame)]

    @property
    def _frame(self) -> QRectF:
        """The plane, and the notes below its last line."""
        return self.plane.adjusted(-1, -1, 1, 1)

    def _image(self, head: Head, at: GridLayout, theme: Theme) -> QImage:
        """A head's cells, or the strongest of those that share a pixel."""
        values = self.content.maps[head]
        high = min(max(1, math.ceil(at.cell_height * self.ratio)), values.shape[0])
        wide = min(max(1, math.ceil(at.cell_width * self.ratio)), values.shape[1])
        key = (head, high, wide)
        if key not in self._images:
            scale = self.content.scale
            small = pooled(values, high, wide, diverging=scale.diverging)
            self._images[key] = image_of(small, scale, theme)
        return self._images[key]

    def _paint_layers(self, painter: QPainter, theme: Theme) -> None:
        if not self.content.order:
            painter.save()
            plane = self.plane
            beside = QRectF(0, plane.top() - 4, plane.left(), plane.height() + 8)
            painter.setClipRect(beside, Qt.ClipOperation.IntersectClip)
            paint_layer_numbers(painter, theme, self.content, self.at, plane.left())
            painter.restore()

    def _paint_heads(self, painter: QPainter, theme: Theme) -> None:
        if not self.content.order:
            paint_axis_names(painter, theme, self.plane.left(), self.plane.top())
            painter.save()
            plane = self.plane
            above = QRectF(plane.left() - 8, 0, plane.width() + 16, plane.top())
            painter.setClipRect(above, Qt.ClipOperation.IntersectClip)
            paint_head_numbers(painter, theme, self.content, self.at, plane.top())
            painter.restore()

    def _paint_marks(self, painter: QPainter, theme: Theme) -> None:
        painter.save()
        painter.setClipRect(self.plane.adjusted(-2, -2, 2, 2), Qt.ClipOperation.IntersectClip)
        self.marked.paint(painter, theme, self.content, self.at)
        painter.restore()
        foot = scale_box(self.plane.left(), self.plane.bottom(), SCALE_WIDTH)
        paint_scale(painter, theme, self.content.scale, foot)

    def index_at(self, point: QPointF) -> int | None:
        """The place in sight at a point."""
        if not self._frame.adjusted(0, 0, GAP, GAP).contains(point):
            return None
        return self.at.index_at(point, self.content.count)
