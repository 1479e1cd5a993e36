"""Drawers around the pages: docks with a slim title bar."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.window.title_bar import TitleBar


@guarded
class Drawer(QDockWidget):
    """A dock that says when it is put away while the keyboard is in it.

    Signals:
        left: Qt would give the focus to whatever comes next, as a button of another dock's title.
    """

    left = Signal()

    def hideEvent(self, event: QHideEvent) -> None:
        """The focus is still where it was."""
        holder = QApplication.focusWidget()
        if not event.spontaneous() and holder is not None and self.isAncestorOf(holder):
            self.left.emit()
        super().hideEvent(event)


def empty_drawer(title: str, name: str, parent: QMainWindow) -> Drawer:
    """A dock that can be moved, floated and closed, and is found by its name; to be furnished."""
    dock = Drawer(title, parent)
    dock.setObjectName(name)
    dock.setAccessibleName(title)
    return dock


def furnish(dock: Drawer, widget: QWidget) -> None:
    """Put a widget and the slim title bar into a dock."""
    dock.setWidget(widget)
    bar = TitleBar("dock", dock.windowTitle(), dock)
    bar.float_wanted.connect(lambda: dock.setFloating(not dock.isFloating()))
    bar.close_wanted.connect(dock.close)
    dock.setTitleBarWidget(bar)
