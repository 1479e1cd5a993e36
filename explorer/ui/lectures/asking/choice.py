"""One of the answers that can be chosen: a radio button whose words wrap."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QRadioButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.typesetting.wrapping import wrapped_lines


@guarded
class ChoiceButton(QRadioButton):
    """As wide as its room: Qt writes a button's words on one line, and the room would be wider.

    Args:
        words: The answer.
        parent: Where it stands.
    """

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words.replace("&", "&&"), parent)
        self._words = words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the words anew."""
        super().resizeEvent(event)
        self._wrap()

    def changeEvent(self, event: QEvent) -> None:
        """Another size of text breaks them elsewhere."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._wrap()

    def _wrap(self) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_RadioButtonContents
        room = self.style().subElementRect(part, option, self).width()
        if room <= 0:
            return
        lines = "\n".join(wrapped_lines("body", self._words, room)).replace("&", "&&")
        if lines != self.text():
            self.setText(lines)
