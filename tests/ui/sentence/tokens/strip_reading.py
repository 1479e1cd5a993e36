"""What tests read off a token strip."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage

from explorer.document import Document
from explorer.ui.theme.schemes import theme_of

TEXT = Document("The waiter brought unbelievable soup.", "She smiled.")


def index_of(strip, text):
    return next(i for i, piece in enumerate(strip.pieces) if piece.text == text)


def centre(strip, text) -> QPoint:
    return strip.box_of(index_of(strip, text)).center().toPoint()


def chars(document, text, part=0):
    start = document.part(part).lower().index(text)
    return [start, start + len(text), part]


def shown(strip) -> QImage:
    return strip.grab().toImage()


def pixels(image: QImage, box) -> set[str]:
    box = box.toAlignedRect()
    return {
        image.pixelColor(x, y).name()
        for x in range(box.left(), box.right())
        for y in range(box.top(), box.bottom())
    }


def is_blue(colours: set[str]) -> bool:
    """Whether something in the colour of guesses was painted."""
    accent = theme_of("light").accent
    return any(abs(QColor(c).red() - accent.red()) < 40 for c in colours)
