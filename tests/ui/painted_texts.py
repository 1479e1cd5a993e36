"""What a page says: the texts it paints, explains itself with, and tells a screen reader."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from explorer.ui.theme.schemes import current_theme


class Recording(QPainter):
    """A painter that remembers the texts it was given, and where on the page."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.texts: list[tuple[QRectF, str]] = []

    def drawText(self, *given: Any) -> Any:  # noqa: N802  Qt's name
        text = next(one for one in given if isinstance(one, str))
        if isinstance(given[0], QRectF):
            self.texts.append((self.combinedTransform().mapRect(given[0]), text))
        else:
            self.texts.append((QRectF(), text))
        return super().drawText(*given)


def painted_texts(view: Any, width: float) -> list[tuple[QRectF, str]]:
    """The texts of the picture that a view exports, each with its box."""
    figure = view.figure(width, current_theme())
    assert figure is not None
    image = QImage(round(figure.width), round(figure.height), QImage.Format.Format_RGB32)
    painter = Recording(image)
    figure.paint(painter)
    painter.end()
    return painter.texts


def told_texts(view: Any) -> Iterator[tuple[str, str]]:
    """What the page on the screen explains and tells, and what kind of text each is."""
    page = view.page.page
    for node in page.nodes:
        yield "name", node.name
        for spot in node.rows:
            yield "tooltip", spot.words
            yield "spoken", spot.spoken
            for cell in spot.cells:
                yield "cell", cell.text
            yield "gesture", str(getattr(spot.act, "name", ""))
