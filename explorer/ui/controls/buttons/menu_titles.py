"""Menus in a row by their titles, or all of them in one button."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from explorer.text import _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


@guarded
class MenuTitles(QWidget):
    """A menu bar that can be put into a row of other widgets, and folds where these want the room.

    The letters of its titles, with Alt, open the menus also while it is folded. Where the system
    has a bar for the menus of a window, they are there, and here is nothing.

    Attributes:
        bar: The titles; without width while they are folded.
        button: All menus, while they are.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("menu_titles")
        self._is_folded = False
        self.bar = QMenuBar(self)
        self.bar.setAccessibleName(_("Menus"))
        self.bar.installEventFilter(self)
        self.button = MenuButton(self)
        self.button.setObjectName("menus_button")
        self.button.setAccessibleName(_("Menus"))
        self.button.setToolTip(plain_tip(_("Menus (F10)")))
        self.button.setIcon(icon("menu"))
        icon_in_size(self.button)
        self.button.hide()
        self._every = QMenu(self.button)
        self._every.setObjectName("menus")
        self._every.aboutToHide.connect(self._hides)
        self.button.opens(self._every)
        # Qt's own button for titles without room.
        for more in self.bar.findChildren(QToolButton):
            more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        QShortcut(QKeySequence("F10"), self).activated.connect(self.open)

    def add(self, title: str) -> QMenu:
        """A new menu, behind the others."""
        menu = self.bar.addMenu(title)
        self._every.addMenu(menu)
        menu.aboutToHide.connect(self._hides)
        self.updateGeometry()
        return menu

    def fold(self, folded: bool) -> None:
        """Show the button alone, or the titles."""
        if folded != self._is_folded:
            self._is_folded = folded
            self.button.setVisible(folded and not self.bar.isNativeMenuBar())
            self.updateGeometry()
            self._lay_out()

    def open(self) -> None:
        """Open all menus, or the first one."""
        if self.button.isVisible():
            self._every.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))
        else:
            self.bar.setActiveAction(self.bar.actions()[0])

    def sizeHint(self) -> QSize:
        """Of what is shown."""
        if self.bar.isNativeMenuBar():
            return QSize(0, 0)
        shown = self.button if self._is_folded else self.bar
        return QSize(shown.sizeHint().width(), self.button.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """All of it."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay it out."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        self.button.setGeometry(self.rect())
        # Folded titles begin where they would stand: there their menus open.
        wide, high = self.bar.sizeHint().toTuple()
        shown = 0 if self._is_folded else wide
        self.bar.setGeometry(self.width() - wide, (self.height() - high + 1) // 2, shown, high)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Alt alone goes to the titles; to the button where they can't be seen."""
        if event.type() == QEvent.Type.FocusIn and self._is_folded:
            QTimer.singleShot(0, self, self._reached)
        return super().eventFilter(watched, event)

    def _reached(self) -> None:
        # With a letter, too, the bar has the focus, and its menu is open.
        if QApplication.activePopupWidget() is None:
            # Before they open: Alt that follows at once, as they close, would only leave the bar.
            self._leave_bar()
            self.open()

    def _hides(self) -> None:
        # Another one of the menus may follow.
        QTimer.singleShot(0, self, self._give_focus_back)

    def _give_focus_back(self) -> None:
        """To who had it before Alt was pressed: titles that can't be seen have no use for it."""
        is_over = QApplication.activePopupWidget() is None
        if is_over and self._is_folded:
            self._leave_bar()

    def _leave_bar(self) -> None:
        if self.bar.hasFocus():
            leave = QKeyEvent(
                QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier
            )
            QApplication.sendEvent(self.bar, leave)
