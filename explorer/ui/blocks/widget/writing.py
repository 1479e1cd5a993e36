"""Typing over a place of a page: a line editor that opens there, and what came of it."""

from typing import Any

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.page.page import Write
from explorer.ui.guarded import guarded
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.editor import TokenEditor


@guarded
class PageLineEdit(QObject):
    """The line editor of a page; there is one at most.

    Signals:
        done: The gesture that came of what was typed.
    """

    done = Signal(object)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._editor: TokenEditor | None = None
        self._wanted: Write | None = None
        self._key: Any = None

    @property
    def is_open(self) -> bool:
        """Whether there is an editor on the page."""
        return self._editor is not None

    def open(self, wanted: Write, spot: Spot) -> None:
        """Open the editor over a spot."""
        self.close()
        editor = TokenEditor(Piece(wanted.text, 0, len(wanted.text), 0), wanted.text, self._page)
        editor.setAccessibleName(wanted.name)
        editor.accepted.connect(self._accept)
        editor.left.connect(self.close)
        self._editor, self._wanted, self._key = editor, wanted, spot.key
        editor.cover(spot.box, self._page.rect())
        editor.show()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self, boxes: dict[Any, QRectF]) -> None:
        """Stand over the same spot of another page; close where it has none."""
        if self._editor is None:
            return
        box = boxes.get(self._key)
        if box is None:
            self.close()
        else:
            self._editor.cover(box, self._page.rect())

    def _accept(self, text: str) -> None:
        wanted = self._wanted
        self.close()
        words = text.strip()
        if wanted is None or not words or words == wanted.text:
            return
        gesture = wanted.done(words)
        if gesture is not None:
            self.done.emit(gesture)

    def close(self) -> None:
        """Leave everything as it was; the page gets the keyboard back."""
        editor, self._editor, self._wanted = self._editor, None, None
        if editor is not None:
            editor.put_away()
