"""A button with an icon whose word goes where there is little room."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from explorer.ui.guarded import guarded


@guarded
class ShortenedButton(QToolButton):
    """An icon and a word beside it, or what must stay of the word.

    Attributes:
        is_modest: Its words are said only where nothing else lacks room.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_modest = False
        self._words, self._in_short, self._is_short = "", "", False

    def say(self, words: str, in_short: str = "") -> None:
        """Have other words.

        Args:
            words: Beside the icon.
            in_short: What stays of them where there is little room.
        """
        self._words, self._in_short = words, in_short
        self._show_words()

    def say_modestly(self, words: str) -> None:
        """Have words that are said only where nothing else lacks room; an icon says it, too."""
        if not self.is_modest:
            self.is_modest = self._is_short = True
        self.say(words)

    def shorten(self, *, short: bool) -> None:
        """Say all of the words, or what must stay of them."""
        if short != self._is_short:
            self._is_short = short
            self._show_words()

    @property
    def is_short(self) -> bool:
        """Not all of its words are seen."""
        return self._is_short

    @property
    def wordy(self) -> int:
        """Pixels that all of its words take more than what must stay of them."""
        letters = self.fontMetrics()
        gone = letters.horizontalAdvance(self._words) - letters.horizontalAdvance(self._in_short)
        # Qt leaves as much around words.
        return gone + (0 if self._in_short else 2 * letters.horizontalAdvance(" ") + 4)

    def _show_words(self) -> None:
        words = self._in_short if self._is_short else self._words
        style = Qt.ToolButtonStyle
        self.setText(words)
        beside = style.ToolButtonTextBesideIcon
        self.setToolButtonStyle(beside if words else style.ToolButtonIconOnly)
