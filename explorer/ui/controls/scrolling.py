"""Widgets that scroll where they are higher than their room."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

AROUND = 3
"""Pixels that a ring may reach beyond a box."""


BAR = 12
"""Width of a scroll bar, as the style sheet has it."""


def scrolling(
    widget: QWidget, name: str, parent: QWidget, *, keeps_bar: bool = False
) -> QScrollArea:
    """A frameless area in which a widget grows with the room.

    Args:
        widget: What is scrolled.
        name: Of the area.
        parent: In which it stands.
        keeps_bar: The room of its bar is kept where there is nothing to scroll, and the bar not
            seen: what takes long to lay out is laid out at one width, and stays when a bar comes.
    """
    area = QScrollArea(parent)
    area.setObjectName(name)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    if keeps_bar:
        bar = area.verticalScrollBar()
        bar.setObjectName("kept_bar")
        bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
        bar.setEnabled(False)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
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


def update_boxes(widget: QWidget, *boxes: QRectF) -> None:
    """Paint only these boxes of a widget anew, with the rings around them."""
    for box in boxes:
        widget.update(box.adjusted(-AROUND, -AROUND, AROUND, AROUND).toAlignedRect())
