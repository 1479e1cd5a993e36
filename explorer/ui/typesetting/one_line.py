"""One line of text: its width and height, and how it is drawn on any device."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from explorer.ui.theme.schemes import FontRole, Theme

# Put together once: it takes longer than to draw a word.
ONE_LINE = (
    Qt.AlignmentFlag.AlignVCenter.value
    | Qt.TextFlag.TextSingleLine.value
    | Qt.TextFlag.TextDontClip.value
    # Else the left of a Hebrew word is the right end of its cell.
    | Qt.AlignmentFlag.AlignAbsolute.value
)

Writes = Callable[[QPainter, QRectF, str, FontRole, Qt.AlignmentFlag, str], None]
"""A device that has a method of this kind, named `write`, writes letters in its own way.

The last text is the whole one, where the first is cut.
"""


@lru_cache(maxsize=32)
def _metrics(key: str) -> QFontMetricsF:
    font = QFont()
    font.fromString(key)
    return QFontMetricsF(font)


@lru_cache(maxsize=8192)
def _width(key: str, text: str) -> float:
    return _metrics(key).horizontalAdvance(text)


def text_width(role: FontRole, text: str) -> float:
    """Width of a text in pixels."""
    return _width(Theme.font_key(role), text)


def text_widths(role: FontRole, texts: Iterable[str]) -> dict[str, float]:
    """Width of many texts in pixels; the font is asked for once."""
    key = Theme.font_key(role)
    return {text: _width(key, text) for text in texts}


def text_height(role: FontRole) -> float:
    """Height of a line in pixels."""
    return _metrics(Theme.font_key(role)).height()


def draw_text(
    painter: QPainter,
    box: QRectF,
    text: str,
    role: FontRole,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> None:
    """One line of text in its own direction, elided where it does not fit.

    Args:
        painter: Draws.
        box: Where, in pixels.
        text: The words.
        role: What the text is.
        colour: Of the letters.
        align: Where in the box it stands.
        elide: Where it is cut if it is too long.
    """
    font, key = Theme.letters(role)
    painter.setFont(font)
    painter.setPen(colour)
    # A painter of a widget would take the window's direction.
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    shown = text
    if _width(key, text) > box.width() + 1.0:
        shown = QFontMetricsF(font).elidedText(text, elide, box.width())
    written: Writes | None = getattr(painter.device(), "write", None)
    if written is None:
        painter.drawText(box, align.value | ONE_LINE, shown)
    elif shown:
        written(painter, box, shown, role, align, text)
