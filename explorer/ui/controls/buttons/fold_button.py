"""A button that shows or hides what stands below it, and tells screen readers which."""

import weakref

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleStateChangeEvent
from PySide6.QtWidgets import QAccessibleWidget, QToolButton, QWidget

from explorer.ui.blocks.widget.accessible import tell_of
from explorer.ui.guarded import guarded
from explorer.ui.theme.icons import icon

PRESS = QAccessibleActionInterface.pressAction()


@guarded
class FoldButton(QToolButton):
    """Words with an arrow; whoever has it decides what a press does.

    Attributes:
        is_open: What stands below it is shown.
        stays: It can't be folded now.
    """

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_open = self.stays = False
        self.setText(words)
        self.setAccessibleName(words)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._show()
        tell_of(self, FoldInterface(self))

    def set_open(self, is_open: bool, *, stays: bool = False) -> bool:
        """Show by its arrow whether it is open.

        Args:
            is_open: What stands below it is shown.
            stays: It can't be folded now: its arrow is faint.

        Returns:
            Whether it looks another way now.
        """
        if (is_open, stays) == (self.is_open, self.stays):
            return False
        turned = is_open != self.is_open
        self.is_open, self.stays = is_open, stays
        self._show()
        if turned and QAccessible.isActive():
            state = QAccessible.State()
            state.expanded = state.collapsed = True
            QAccessible.updateAccessibility(QAccessibleStateChangeEvent(self, state))
        return True

    def _show(self) -> None:
        glyph = "chevron-down" if self.is_open else "chevron-right"
        self.setIcon(icon(glyph, "border" if self.stays else "muted"))


@guarded
class FoldInterface(QAccessibleWidget):
    """What screen readers are told of the button."""

    def __init__(self, button: FoldButton) -> None:
        super().__init__(button, QAccessible.Role.Button)
        # What tells of a widget is kept for as long as that lives, and must not keep it.
        self._button = weakref.proxy(button)

    def state(self) -> QAccessible.State:
        """As of any button, and whether it is open."""
        state = super().state()
        state.expandable = True
        state.expanded = self._button.is_open
        state.collapsed = not self._button.is_open
        return state

    def actionNames(self) -> list[str]:  # noqa: N802 - Qt's name
        """It can be pressed."""
        return [PRESS, *super().actionNames()]

    def doAction(self, action: str) -> None:  # noqa: N802 - Qt's name
        """Press it."""
        if action == PRESS:
            self._button.click()
        else:
            super().doAction(action)
