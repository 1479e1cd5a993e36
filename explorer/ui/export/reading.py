"""What is written in a picture, and where: read from its painting, without a file of it."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from explorer.ui.blocks.figure import Figure
from explorer.ui.theme.schemes import FontRole, Theme

_WORD = re.compile(r"\w*[^\W\d_]\w*")


@dataclass(frozen=True)
class PictureText:
    """A line of text in a picture.

    Attributes:
        text: The letters.
        box: Where they are, in pixels of the picture.
        pixels: Their size, as it is painted.
        colour: Of the letters.
        is_cut: There was no room for all of it.
        grounds: The colours below them that take much of their box; none where it was not looked.
    """

    text: str
    box: QRectF
    pixels: float
    colour: QColor
    is_cut: bool = False
    grounds: tuple[QColor, ...] = ()


MUCH = 0.25
"""Share of a text's box that a colour has to take to be its ground."""


class _TextRecorder(QImage):
    """A device on which no letters are drawn: it notes what is written, where and on what."""

    def __init__(self, width: int = 1, height: int = 1) -> None:
        super().__init__(width, height, QImage.Format.Format_RGB32)
        self.written: list[PictureText] = []

    def write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        role: FontRole,
        align: Qt.AlignmentFlag,
        whole: str,
    ) -> None:
        """Note a text with the place that its letters take."""
        font = Theme.font(role)
        metrics = QFontMetricsF(font)
        wide, high = metrics.horizontalAdvance(text), metrics.height()
        left = box.left()
        if align == Qt.AlignmentFlag.AlignRight:
            left = box.right() - wide
        elif align == Qt.AlignmentFlag.AlignHCenter:
            left = box.center().x() - wide / 2
        matrix = painter.worldTransform()
        place = matrix.mapRect(QRectF(left, box.center().y() - high / 2, wide, high))
        colour = QColor(painter.pen().color())
        colour.setAlphaF(colour.alphaF() * painter.opacity())
        size = font.pixelSize() * abs(matrix.determinant()) ** 0.5
        grounds = self._grounds(place) if self.width() > 1 else ()
        self.written.append(PictureText(text.strip(), place, size, colour, text != whole, grounds))

    def _grounds(self, place: QRectF) -> tuple[QColor, ...]:
        """The colours that take much of a place, by what is painted there so far."""
        inside = place.intersected(QRectF(self.rect())).toAlignedRect()
        counted: dict[int, int] = {}
        points = [
            (x, y)
            for x in range(inside.left(), inside.right() + 1, 2)
            for y in range(inside.top() + 2, inside.bottom() - 1, 2)
        ]
        for x, y in points:
            colour = self.pixel(x, y)
            counted[colour] = counted.get(colour, 0) + 1
        return tuple(QColor(one) for one, n in counted.items() if n >= MUCH * len(points))


def read(figure: Figure, *, grounds: bool = False) -> list[PictureText]:
    """All lines of text in a picture, in the order in which they are painted.

    Args:
        figure: The picture.
        grounds: Paint it to see on what they stand; else nothing is drawn.
    """
    device = (
        _TextRecorder(round(figure.width), round(figure.height) + 1) if grounds else _TextRecorder()
    )
    painter = QPainter(device)
    try:
        figure.paint(painter)
    finally:
        painter.end()
    return [one for one in device.written if one.text]


def words_of(figure: Figure) -> frozenset[str]:
    """The words of a picture; numbers and signs are none, and two halves of a cut word are two."""
    return frozenset(word for one in read(figure) for word in _WORD.findall(one.text))
