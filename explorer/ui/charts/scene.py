"""pyqtgraph's scene, view box and axes, painted with the program's own letters and lines.

Imported in the background; nothing else imports pyqtgraph. One scene serves every device: the
widget paints it on the screen, a figure into a file. What is painted is in the scene's pixels,
so that lines are as thick on paper as on screen.
"""

from collections.abc import Callable

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Theme, current_theme

# Its own clearing up at the end touches items that Qt has deleted already.
pg.setConfigOption("exitCleanup", False)

Paint = Callable[[QPainter, Theme], None]
Limits = tuple[float, float]


@guarded
class PaintedAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis that follows the view box and paints itself as it is told to."""

    def __init__(self, orientation: str, owner: "PlotScene", paint: Paint) -> None:
        super().__init__(orientation)
        self.owner, self.how = owner, paint
        # It has no label; pyqtgraph would lay out an empty one anew for every range and size.
        self.enableAutoSIPrefix(False)
        self.linkToView(owner.box)

    def boundingRect(self) -> QRectF:
        """All of the scene: lines may go across the plot."""
        return self.owner.whole.translated(-self.pos())

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """In the scene's pixels."""
        painter.translate(-self.pos())
        self.how(painter, self.owner.painted_in)


@guarded
class Layer(pg.GraphicsObject):  # type: ignore[misc]
    """Something painted over the whole scene."""

    def __init__(self, owner: "PlotScene", paint: Paint) -> None:
        super().__init__()
        self.owner, self.how = owner, paint

    def boundingRect(self) -> QRectF:
        """All of the scene."""
        return self.owner.whole

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """In the scene's pixels."""
        self.how(painter, self.owner.painted_in)


class PlotScene:
    """A view box that holds what is in sight, with layers over it and axes beside it.

    Attributes:
        scene: pyqtgraph's.
        box: pyqtgraph's view box: range, zoom, pan.
        whole: The scene, in pixels.
        plane: Where the view box is.
    """

    def __init__(self, parent: QObject | None = None, *, downwards: bool = False) -> None:
        # With a parent, Qt deletes the scene with it and asks no collector of Python's, which
        # may run in any thread.
        self.scene = pg.GraphicsScene(parent=parent)
        self.box = pg.ViewBox(enableMenu=False, invertY=downwards)
        self.whole = self.plane = QRectF(0, 0, 100, 100)
        self._theme: Theme | None = None
        self._items: list[pg.GraphicsObject] = []
        self.scene.addItem(self.box)

    @property
    def painted_in(self) -> Theme:
        """The theme it is painted in now."""
        return self._theme or current_theme()

    def add_layer(self, paint: Paint) -> None:
        """Something painted over what was added before."""
        self._add(Layer(self, paint))

    def add_axis(self, orientation: str, paint: Paint) -> None:
        """An axis beside the view box."""
        self._add(PaintedAxis(orientation, self, paint))

    def _add(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        item.setZValue(len(self._items))
        self.scene.addItem(item)

    def place(self, width: float, height: float, plane: QRectF) -> None:
        """Take a size."""
        self.whole, self.plane = QRectF(0, 0, width, height), plane
        self.scene.setSceneRect(self.whole)
        self.box.setGeometry(plane)
        for item in self._items:
            item.prepareGeometryChange()
            if isinstance(item, PaintedAxis):
                item.setGeometry(plane)

    @property
    def seen(self) -> tuple[Limits, Limits]:
        """What is in sight, as places on both axes."""
        (left, right), (low, high) = self.box.viewRange()
        return (left, right), (low, high)

    def render(self, painter: QPainter, theme: Theme | None = None) -> None:
        """Paint it on any device, its corner at (0, 0).

        Args:
            painter: On the device.
            theme: Colours and fonts; None for the theme in force.
        """
        self._theme = theme
        self.scene.prepareForPaint()
        painter.save()
        self.scene.render(painter, self.whole, self.whole, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.restore()

    def delete(self) -> None:
        """Delete the scene and all that is in it, now."""
        shiboken6.delete(self.scene)
