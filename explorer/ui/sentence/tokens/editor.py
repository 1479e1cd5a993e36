"""A small line editor on one token of the strip."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.text import _
from explorer.text.bidi import runs_from_right
from explorer.ui.guarded import guarded
from explorer.ui.sentence.pieces import Piece
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import text_width


@guarded
class TokenEditor(QLineEdit):
    """Edits the characters under a piece.

    Signals:
        accepted: With the new text: Enter was pressed, or another widget was clicked.
        left: Escape was pressed: nothing changes.
    """

    accepted = Signal(str)
    left = Signal()

    def __init__(self, piece: Piece, characters: str, parent: QWidget) -> None:
        super().__init__(characters, parent)
        self._page = parent
        self.piece = piece
        self.setObjectName("tokenEditor")
        self.setAccessibleName(
            _("New text in place of {characters}", characters=characters)
            if characters
            else _("New text in place of the mask")
        )
        self.setFont(Theme.font("token"))
        self.setTextMargins(0, 0, 0, 0)
        self.setStyleSheet("padding: 0 4px;")
        self.selectAll()
        self.textChanged.connect(self._grow)
        self._box = QRect()
        self._room = QRect()

    def is_for(self, piece: Piece) -> bool:
        """Whether a piece covers the characters that are edited."""
        mine = self.piece
        return (mine.start, mine.end, mine.part) == (piece.start, piece.end, piece.part)

    def fits(self, pieces: Sequence[Piece]) -> bool:
        """Whether the piece is still among these."""
        return any(self.is_for(piece) for piece in pieces)

    def cover(self, box: QRectF, room: QRect) -> None:
        """Stand over a piece, inside the strip."""
        self._box, self._room = box.toAlignedRect().adjusted(-3, -2, 3, 2), room
        self._grow()

    def put_away(self) -> None:
        """Go and tell nobody; what it stands on gets the keyboard back."""
        had_focus = self.hasFocus()
        self.blockSignals(True)
        self.hide()
        self.deleteLater()
        if had_focus:
            self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _least_width(self) -> int:
        """In pixels."""
        return 72

    def _grow(self) -> None:
        wide = max(self._box.width(), int(text_width("token", self.text())) + 28)
        wide = max(wide, self._least_width())
        wide = min(wide, self._room.width())
        begin = self._box.left()
        if runs_from_right(self.text()):
            begin += self._box.width() - wide
        left = min(begin, self._room.right() - wide)
        self.setGeometry(max(left, 0), self._box.top(), wide, self._box.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter accepts, Escape leaves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit(self.text())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Another widget was clicked: what was typed counts."""
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self.accepted.emit(self.text())
