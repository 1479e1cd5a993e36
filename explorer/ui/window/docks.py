"""Docks with a slim title bar."""

from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QToolButton,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

Button = TypeVar("Button", bound=QToolButton)


class TitleBar(QWidget):
    """A dock's title, and buttons to float and to close it."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dock_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dock = dock
        title = plain_label(self, dock.windowTitle())
        title.setObjectName("dock_title_text")
        in_role(title, "strong")
        self._title = title
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 3, 4, 3)
        layout.setSpacing(0)
        layout.addWidget(title, 1)
        self.float_button = self._button("dock_float", "dock-window", _("Float or dock again"))
        self.float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button = self._button("dock_close", "close", _("Close"))
        self.close_button.clicked.connect(dock.close)
        self.buttons = [self.float_button, self.close_button]
        layout.addWidget(self.float_button)
        layout.addWidget(self.close_button)

    def set_folded(self, folded: bool) -> None:
        """Take no room: a tab with the same title is there."""
        for widget in (self._title, *self.buttons):
            widget.setVisible(not folded)
        edges = (0, 0, 0, 0) if folded else (10, 3, 4, 3)
        self._row.setContentsMargins(*edges)
        self.setMaximumHeight(0 if folded else 16_777_215)

    def add_menu(self, name: str, glyph: str, tip: str, menu: QMenu) -> MenuButton:
        """Put a button with a menu before the others."""
        button = self._dressed(MenuButton(self), name, glyph, tip)
        button.opens(menu)
        self._row.insertWidget(1, button)
        self.buttons.insert(0, button)
        return button

    def _button(self, name: str, glyph: str, tip: str) -> QToolButton:
        return self._dressed(QToolButton(self), name, glyph, tip)

    def _dressed(self, button: Button, name: str, glyph: str, tip: str) -> Button:
        button.setObjectName(name)
        button.setIcon(icon(glyph))
        icon_in_size(button, 14)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button


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
    dock.setTitleBarWidget(TitleBar(dock))


def empty_dock(title: str, name: str, parent: QMainWindow) -> QDockWidget:
    """A dock whose widget and title bar come when it is first shown."""
    dock = QDockWidget(title, parent)
    dock.setObjectName(name)
    dock.setAccessibleName(title)
    return dock
