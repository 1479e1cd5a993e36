"""A slim bar with a title, and buttons that let what is below it float and close it."""

from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.text import _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

Button = TypeVar("Button", bound=QToolButton)


class TitleBar(QWidget):
    """Of a drawer, or of a place for pages.

    Args:
        kind: What its parts' names begin with.
        title: What it says.

    Signals:
        float_wanted: Let it float, or bring it back.
        close_wanted: Put it away.
    """

    float_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, kind: str, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"{kind}_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._kind = kind
        self._buttons: list[tuple[QToolButton, str]] = []
        self._label = plain_label(self, title)
        self._label.setObjectName(f"{kind}_title_text")
        in_role(self._label, "strong")
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 3, 4, 3)
        layout.setSpacing(0)
        layout.addWidget(self._label, 1)
        self.float_button = self._button("float", "dock-window", _("Float or dock again"))
        self.float_button.clicked.connect(self.float_wanted)
        self.close_button = self._button("close", "close", _("Close"))
        self.close_button.clicked.connect(self.close_wanted)
        layout.addWidget(self.float_button)
        layout.addWidget(self.close_button)
        self.say(title)

    def say(self, title: str) -> None:
        """Have another title."""
        self._label.setText(title)
        for button, tip in self._buttons:
            button.setAccessibleName(f"{tip}: {title}")

    def hide_title(self) -> None:
        """Be buttons alone: what they are of says its title itself."""
        self._label.hide()
        self._row.setContentsMargins(0, 0, 4, 0)

    def add_menu(self, name: str, glyph: str, tip: str, menu: QMenu) -> MenuButton:
        """Put a button with a menu before the others."""
        button = self._dressed(MenuButton(self), name, glyph, tip)
        button.opens(menu)
        self._row.insertWidget(1, button)
        return button

    def _button(self, name: str, glyph: str, tip: str) -> QToolButton:
        return self._dressed(QToolButton(self), name, glyph, tip)

    def _dressed(self, button: Button, name: str, glyph: str, tip: str) -> Button:
        button.setObjectName(f"{self._kind}_{name}")
        button.setIcon(icon(glyph))
        icon_in_size(button, 14)
        button.setToolTip(plain_tip(tip))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append((button, tip))
        return button
