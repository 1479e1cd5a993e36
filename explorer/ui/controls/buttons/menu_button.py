"""A button that opens a menu."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.ui.controls.buttons.shortened_button import ShortenedButton


class MenuButton(ShortenedButton):
    """A click opens its menu; it looks as it did before once the menu is gone.

    A click gives it no focus, or its ring would stay behind. Who opened it by the keyboard is
    back on it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def opens(self, menu: QMenu) -> None:
        """Open this menu."""
        self.setMenu(menu)
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._look_for_mouse))

    def _look_for_mouse(self) -> None:
        """A click elsewhere closes the menu, and nobody tells the button that the mouse is gone."""
        is_here = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_here)
        self.update()
