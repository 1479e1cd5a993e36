"""A token's details, opened where the token is; the arrows go on to the next token."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.sentence.tokens.details import TokenDetails
from explorer.ui.sentence.tokens.strip import TokenStrip

WIDE = 300
GAP = 4
MOST_HIGH = 420
FORWARDED = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)


@guarded
class TokenPopover(QFrame):
    """Opens under the chosen token; a click anywhere else, or Escape, closes it.

    Attributes:
        details: What it shows.
    """

    def __init__(self, strip: TokenStrip, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("token_popover")
        self.setAccessibleName(_("Details of the token"))
        self._strip = strip
        self.details = TokenDetails(self)
        self.details.setObjectName("token_popover_details")
        # Keys come to the popover, which passes the arrows on to the tokens.
        self.details.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self.details)
        strip.details_wanted.connect(self.open)
        strip.selected.connect(self._selected)

    def open(self) -> None:
        """Open at the chosen token; at the first one, where none is chosen."""
        strip = self._strip
        if strip.focus_index is None and strip.pieces:
            strip.go_to(0)
        if strip.focus_index is None:
            return
        self._place()
        self.show()
        self._place()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows choose another token, Escape closes."""
        if event.key() in FORWARDED:
            QApplication.sendEvent(self._strip, event)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)

    def _selected(self, position: int | None) -> None:
        if not self.isVisible():
            return
        if position is None and self._strip.focus_index is None:
            self.close()
        else:
            self._place()

    def _place(self) -> None:
        index = self._strip.focus_index
        if index is None:
            return
        document = self.details.document()
        document.setTextWidth(WIDE - 30)
        high = min(int(document.size().height()) + 26, MOST_HIGH)
        box = self._strip.box_of(index).toAlignedRect()
        corner = self._strip.mapToGlobal(box.bottomLeft())
        top = self._strip.mapToGlobal(box.topLeft()).y()
        screen = self._strip.screen() or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        x = corner.x()
        if self._strip.runs_left(index):
            x += box.width() - WIDE
        x = max(room.left(), min(x, room.right() - WIDE))
        y = corner.y() + GAP
        if y + high > room.bottom():
            y = max(room.top(), top - GAP - high)
        self.setGeometry(QRect(x, y, WIDE, high))
