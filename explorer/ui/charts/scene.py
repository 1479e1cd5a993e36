"""pyqtgraph's scene and view box, painted with the program's own letters and lines.

Imported in the background; nothing else imports pyqtgraph. One scene serves every device: the
widget paints it on the screen, a figure into a file. What is painted is in the scene's pixels,
so that lines are as thick on paper as on screen.
"""

from collections.abc import Callable

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.theme.schemes import Theme, current_theme

# Its own clearing up at the end touches items that Qt has deleted already.
pg.setConfigOption("exitCleanup", False)

Paint = Callable[[QPainter, Theme], None]
Limits = tuple[float, float]
Look = tuple[tuple[float, float], tuple[float, float]]
"""Where a part begins on both axes, and how many times larger it is seen."""


class PlotScene:
    """A view box that holds what is in sight, with layers over it.

    Axes are layers too, and no layer is an item of the scene: pyqtgraph's would lay out ticks and
    labels of their own, which nobody sees, and items took half of the time until a plot is seen.

    What there is to see has two axes; the part in sight is a range of each, in the units of those.

    Attributes:
        scene: pyqtgraph's.
        box: pyqtgraph's view box: which part is in sight.
        whole: The scene, in pixels.
        plane: Where the view box is.
        full: Where both axes begin and end while everything is in sight.
        deepest: How many times larger than at rest something can be seen.
        downwards: The second axis goes down.
        from_right: The first axis goes to the left.
    """

    def __init__(self, parent: QObject | None = None, *, downwards: bool = False) -> None:
        # With a parent, Qt deletes the scene with it and asks no collector of Python's, which
        # may run in any thread.
        self.scene = pg.GraphicsScene(parent=parent)
        self.box = pg.ViewBox(enableMenu=False, invertY=downwards)
        self.whole = self.plane = QRectF(0, 0, 100, 100)
        self.full: tuple[Limits, Limits] = ((0.0, 1.0), (0.0, 1.0))
        self.deepest = 200.0
        self.downwards, self.from_right = downwards, False
        self._layers: list[Paint] = []
        self.scene.addItem(self.box)
        self.box.setRange(xRange=self.full[0], yRange=self.full[1], padding=0)

    def add_layer(self, paint: Paint) -> None:
        """Something painted over what was added before."""
        self._layers.append(paint)

    def place(self, width: float, height: float, plane: QRectF) -> None:
        """Take a size."""
        self.whole, self.plane = QRectF(0, 0, width, height), plane
        self.scene.setSceneRect(self.whole)
        self.box.setGeometry(plane)

    # ---- what is in sight -------------------------------------------------------------------

    @property
    def seen(self) -> tuple[Limits, Limits]:
        """What is in sight of both axes."""
        (left, right), (low, high) = self.box.viewRange()
        return (left, right), (low, high)

    @property
    def zoom(self) -> float:
        """How many times larger than at rest things are, along the first axis."""
        return _size(self.full[0]) / _size(self.seen[0])

    @property
    def is_zoomed(self) -> bool:
        """Less than everything is in sight."""
        return any(
            abs(a - b) > _size(whole) * 1e-6
            for now, whole in zip(self.seen, self.full, strict=True)
            for a, b in zip(now, whole, strict=True)
        )

    def ends(self, _zoom: float) -> tuple[float, float]:
        """Where on both axes what there is to see ends, when it is seen so many times larger."""
        return self.full[0][1], self.full[1][1]

    def see(self, across: Limits, up: Limits) -> None:
        """See a part; one that reaches beyond what there is to see is moved back."""
        last = self.ends(_size(self.full[0]) / max(_size(across), 1e-300))
        found = [
            _within(wanted, whole, end)
            for wanted, whole, end in zip((across, up), self.full, last, strict=True)
        ]
        self.box.setRange(xRange=found[0], yRange=found[1], padding=0)

    def reset(self) -> None:
        """See everything."""
        self.see(*self.full)

    def look(self) -> Look:
        """Where the part in sight begins on both axes, and how many times larger it is seen."""
        (left, _right), (low, _high) = self.seen
        first, second = (
            _size(whole) / _size(now) for whole, now in zip(self.full, self.seen, strict=True)
        )
        return (left, low), (first, second)

    def take_look(self, look: Look) -> None:
        """See the same part, however large it is now."""
        (left, low), (first, second) = look
        (wide, high) = map(_size, self.full)
        self.see((left, left + wide / first), (low, low + high / second))

    def place_at(self, x: float, y: float) -> tuple[float, float]:
        """Places on both axes at a pixel."""
        (left, right), (low, high) = self.seen
        plane = self.plane
        across = (plane.right() - x if self.from_right else x - plane.left()) / plane.width()
        up = (y - plane.top() if self.downwards else plane.bottom() - y) / plane.height()
        return left + across * (right - left), low + up * (high - low)

    def zoom_by(self, factor: float, about: QPointF, *, across_only: bool = False) -> None:
        """See less of it (a factor above 1) or more, about a pixel that stays where it is."""
        factors = (factor, 1.0 if across_only else factor)
        found: list[Limits] = []
        for now, whole, middle, by in zip(
            self.seen, self.full, self.place_at(about.x(), about.y()), factors, strict=True
        ):
            size = min(max(_size(now) / by, _size(whole) / self.deepest), _size(whole))
            low = middle - (middle - now[0]) * size / _size(now)
            found.append((low, low + size))
        self.see(found[0], found[1])

    def pan_by(self, dx: float, dy: float) -> None:
        """Move what is seen by so many pixels, as far as there is something to see."""
        (left, right), (low, high) = self.seen
        across = (dx if self.from_right else -dx) / self.plane.width() * (right - left)
        up = (-dy if self.downwards else dy) / self.plane.height() * (high - low)
        self.see((left + across, right + across), (low + up, high + up))

    def bring_into_sight(self, box: QRectF) -> None:
        """Pan just so far that something can be seen, as far as it fits."""
        plane = self.plane
        dx = min(0.0, plane.right() - box.right()) or max(0.0, plane.left() - box.left())
        dy = min(0.0, plane.bottom() - box.bottom()) or max(0.0, plane.top() - box.top())
        if dx or dy:
            self.pan_by(dx, dy)

    # ---- painting ---------------------------------------------------------------------------

    def render(self, painter: QPainter, theme: Theme | None = None) -> None:
        """Paint it on any device, its corner at (0, 0).

        Args:
            painter: On the device.
            theme: Colours and fonts; None for the theme in force.
        """
        theme = theme or current_theme()
        self.scene.prepareForPaint()
        painter.save()
        painter.setClipRect(self.whole, Qt.ClipOperation.IntersectClip)
        for layer in self._layers:
            painter.save()
            layer(painter, theme)
            painter.restore()
        painter.restore()

    def delete(self) -> None:
        """Delete the scene and all that is in it, now."""
        shiboken6.delete(self.scene)


def _size(limits: Limits) -> float:
    return limits[1] - limits[0]


def _within(wanted: Limits, whole: Limits, end: float) -> Limits:
    """As much of an axis as is wanted, where there is something to see."""
    size = min(_size(wanted), _size(whole))
    low = min(max(wanted[0], whole[0]), max(end - size, whole[0]))
    return low, low + size
