"""Where everything of a window stands: how far it is scrolled and split, what is typed beside it.

A window that takes the place of another one has the same parts under the same names. What was
there is looked up before, and brought about once the new parts are laid out and filled.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLineEdit,
    QScrollBar,
    QSplitter,
    QWidget,
)

from explorer.ui.controls.handed_on import is_handed_on
from explorer.ui.guarded import guarded


@dataclass(frozen=True)
class WindowState:
    """Of parts that have a name.

    Attributes:
        scrolls: How far areas are scrolled, across and down, in pixels or, in tables, rows.
        splits: Sizes beside a splitter's handles.
        fields: What is typed in fields that only the widget knows.
    """

    scrolls: Mapping[str, tuple[int, int]]
    splits: Mapping[str, list[int]]
    fields: Mapping[str, str]

    @classmethod
    def of(cls, window: QWidget) -> "WindowState":
        """As they are now; what is hidden is laid out when it is seen."""
        areas = [one for one in window.findChildren(QAbstractScrollArea) if one.isVisible()]
        fields = filter(is_handed_on, window.findChildren(QLineEdit))
        return cls(
            {one.objectName(): _far(one) for one in areas if one.objectName() and any(_far(one))},
            {one.objectName(): one.sizes() for one in window.findChildren(QSplitter)},
            {one.objectName(): one.text() for one in fields},
        )

    def bring_about(self, window: QWidget) -> None:
        """Put the parts of another window there."""
        for split in window.findChildren(QSplitter):
            if split.objectName() in self.splits:
                split.setSizes(self.splits[split.objectName()])
        for field in filter(is_handed_on, window.findChildren(QLineEdit)):
            field.setText(self.fields.get(field.objectName(), field.text()))
        for area in window.findChildren(QAbstractScrollArea):
            across, down = self.scrolls.get(area.objectName(), (0, 0))
            for bar, far in (
                (area.horizontalScrollBar(), across),
                (area.verticalScrollBar(), down),
            ):
                if far:
                    ScrolledTo(bar, far)


def _far(area: QAbstractScrollArea) -> tuple[int, int]:
    return area.horizontalScrollBar().value(), area.verticalScrollBar().value()


@guarded
class ScrolledTo(QObject):
    """Scrolls as far as it was, once there is so much again; the user's own hand comes first."""

    def __init__(self, bar: QScrollBar, far: int) -> None:
        super().__init__(bar)
        self._bar, self._far = bar, far
        bar.rangeChanged.connect(self._go)
        bar.actionTriggered.connect(self._end)
        self._go()

    def _go(self, *_range: int) -> None:
        # At its end, a table of which only some rows were read yet asks for more.
        self._bar.setValue(min(self._far, self._bar.maximum()))
        if self._bar.maximum() >= self._far:
            self._end()

    def _end(self, _action: int = 0) -> None:
        self._bar.rangeChanged.disconnect(self._go)
        self._bar.actionTriggered.disconnect(self._end)
        self.deleteLater()
