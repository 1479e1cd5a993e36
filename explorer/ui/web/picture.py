"""Pictures of web pages, taken from the page itself.

A browser paints on a screen's graphics card, and where there is no screen its widget has nothing to
show. So a page is printed, as high as it is, and the print is kept: it is a few kilobytes, and its
dots, megabytes each, are drawn where they are wanted.
"""

import importlib.util
import json
import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QObject, QSize, QSizeF, Signal
from PySide6.QtGui import QImage, QPageLayout, QPageSize

from explorer.ui.guarded import guarded
from explorer.ui.web.drawing import SHAPES, Drawing

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEnginePage

KEPT = 4
"""Prints that are known at once."""
FINEST = 3.0
"""Dots for a pixel."""
MOST_DOTS = 16e6
"""Of a picture; a larger page has fewer for a pixel."""
POINTS = 0.75
"""Of a pixel."""

MEASURE = """
(() => {
    // A line has no inside, and light letters are meant: print would fill and darken them.
    const style = document.createElement("style");
    style.textContent = "svg line { fill: none } * { print-color-adjust: exact !important }";
    document.head.append(style);
    const ends = [...document.body.querySelectorAll("*")].map((one) => one.getBoundingClientRect());
    const widest = Math.max(...ends.map((one) => one.right + window.scrollX));
    const lowest = Math.max(...ends.map((one) => one.bottom + window.scrollY));
    // The shapes stand as on the paper, which is as wide, however narrow the window is.
    const body = document.body.style, before = body.minWidth;
    body.minWidth = `${widest}px`;
    const shapes = SHAPES;
    body.minWidth = before;
    return JSON.stringify([widest, lowest, shapes]);
})()
""".replace("SHAPES", SHAPES.strip())


@dataclass(frozen=True)
class PrintedPage:
    """A page as it was printed.

    Attributes:
        pdf: The print, of one page.
        size: Of the page, in pixels.
        drawing: Its shapes, for files of vectors; none where it has too many.
    """

    pdf: bytes
    size: QSizeF
    drawing: Drawing

    def image(self, fine: float = FINEST) -> QImage:
        """Its dots, on a transparent ground.

        Args:
            fine: Dots for a pixel; fewer where the page is too large for so many.
        """
        most = math.sqrt(MOST_DOTS / (self.size.width() * self.size.height()))
        return _dots(self.pdf, self.size.width(), self.size.height(), min(fine, FINEST, most))


@lru_cache(maxsize=1)
def _dots(pdf: bytes, wide: float, high: float, fine: float) -> QImage:
    from PySide6.QtPdf import QPdfDocument

    buffer, document = QBuffer(), QPdfDocument()
    buffer.setData(QByteArray(pdf))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    document.load(buffer)
    image = document.render(0, QSize(round(wide * fine), round(high * fine)))
    document.close()
    image.setDevicePixelRatio(fine)
    return image


_taken: "OrderedDict[str, PrintedPage]" = OrderedDict()


def picture_of(html: str) -> PrintedPage | None:
    """The picture of a page that was shown; None where none was taken."""
    return _taken.get(html)


def _keep(html: str, picture: PrintedPage) -> None:
    _taken[html] = picture
    _taken.move_to_end(html)
    while len(_taken) > KEPT:
        _taken.popitem(last=False)


@guarded
class Photographer(QObject):
    """Takes the picture of one page at a time, without the window standing still.

    Signals:
        taken: The picture is known; False where it could not be taken.
    """

    taken = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._page: QWebEnginePage | None = None
        self._html = ""
        self._size, self._drawing = (1.0, 1.0), Drawing("")

    def take(self, page: "QWebEnginePage", html: str) -> None:
        """Take the picture of a page as it looks now.

        Args:
            page: It has been loaded.
            html: What it was loaded from.
        """
        self._page, self._html = page, html
        page.runJavaScript(MEASURE, lambda found: self._print(html, found))

    def stop(self) -> None:
        """Another page is loaded, or none."""
        self._page, self._html = None, ""

    def _print(self, html: str, measured: Any) -> None:
        if self._page is None or html != self._html:
            return
        try:
            *ends, shapes = json.loads(measured)
            wide, high = (max(1.0, math.ceil(one) + 2.0) for one in ends)
        except (TypeError, ValueError):
            self.taken.emit(False)
            return
        self._size, self._drawing = (wide, high), Drawing(shapes)
        paper = QPageSize(
            QSizeF(wide * POINTS, high * POINTS),
            QPageSize.Unit.Point,
            "page",
            QPageSize.SizeMatchPolicy.ExactMatch,
        )
        layout = QPageLayout(paper, QPageLayout.Orientation.Portrait, QMarginsF())
        self._page.printToPdf(lambda pdf: self._printed(html, pdf), layout)

    def _printed(self, html: str, pdf: "QByteArray | bytes") -> None:
        if html != self._html:
            return
        content = bytes(pdf.data()) if isinstance(pdf, QByteArray) else pdf
        is_there = bool(content) and importlib.util.find_spec("PySide6.QtPdf") is not None
        if is_there:
            _keep(html, PrintedPage(content, QSizeF(*self._size), self._drawing))
        self.taken.emit(is_there)
