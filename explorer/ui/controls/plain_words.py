"""Labels and tooltips that show words of texts, models and files as they are.

Qt takes what looks like HTML for HTML, so that a token as "<s>" would strike out what follows it,
and a sentence could load a picture.
"""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def plain_label(parent: QWidget, words: str = "") -> QLabel:
    """A label that shows every text literally."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(words)
    return made


def plain_tip(words: str) -> str:
    """A tooltip's text that is shown literally; Qt has no switch for that.

    What could not be taken for HTML is given back as it is: screen readers read it.
    """
    if "<" not in words and "&" not in words:
        return words
    return f'<span style="white-space: pre-wrap">{escape(words, quote=False)}</span>'
