"""Widgets that scroll where they are higher than their room."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.ui.guarded import guarded

DEEPEST = 4
"""Layouts within layouts, after which a scroll bar that is there stays."""


@guarded
class Scrolling(QScrollArea):
    """Decides about its scroll bar in the end.

    What is the higher the wider it is (matrices are) may fit beside a scroll bar and not without
    one. Qt shows and hides the bar then, each within the other, until the stack is full.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._deep = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let what is inside be laid out, but not again and again."""
        if event.type() not in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            return super().eventFilter(watched, event)
        if self._deep >= DEEPEST and self.verticalScrollBar().isVisibleTo(self):
            return False
        self._deep += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._deep -= 1


def scrolling(widget: QWidget, name: str, parent: QWidget) -> QScrollArea:
    """A frameless area in which a widget grows with the room."""
    area = Scrolling(parent)
    area.setObjectName(name)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    return area


def bring_into_sight(widget: QWidget, box: QRectF) -> None:
    """Scroll the area that a widget stands in, where it stands in one, to a box of the widget."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    inside = area.widget() if isinstance(area, QScrollArea) else None
    if isinstance(area, QScrollArea) and inside is not None:
        middle = widget.mapTo(inside, box.center().toPoint())
        area.ensureVisible(middle.x(), middle.y(), 0, int(box.height()))
