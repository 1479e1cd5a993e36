"""Pictures of web pages, taken from the page itself.

A browser paints on a screen's graphics card, and where there is no screen its widget has nothing to
show. So a page is printed, as high as it is, and the print is drawn.
"""

import json
import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QObject, QSize, QSizeF, Signal
from PySide6.QtGui import QImage, QPageLayout, QPageSize

from explorer.ui.guarded import guarded
from explorer.ui.web.drawing import SHAPES, Drawing

if TYPE_CHECKING:
    from PySide6.QtPdf import QPdfDocument, QPdfPageRenderer
    from PySide6.QtWebEngineCore import QWebEnginePage

KEPT = 4
"""Pictures that are known at once."""
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

_taken: "OrderedDict[str, tuple[QImage, Drawing]]" = OrderedDict()


def picture_of(html: str) -> QImage | None:
    """The picture of a page that was shown; None where none was taken."""
    return _taken[html][0] if html in _taken else None


def drawing_of(html: str) -> Drawing:
    """The shapes of a page whose picture was taken; none where it has too many."""
    return _taken[html][1] if html in _taken else Drawing("")


def _keep(html: str, picture: QImage, drawing: Drawing) -> None:
    _taken[html] = picture, drawing
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
        self._document: QPdfDocument | None = None
        self._renderer: QPdfPageRenderer | None = None

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
        self._page.printToPdf(lambda pdf: self._draw(html, pdf), layout)

    def _draw(self, html: str, pdf: "QByteArray | bytes") -> None:
        if html != self._html:
            return
        try:
            from PySide6.QtPdf import QPdfDocument, QPdfPageRenderer
        except ImportError:
            self.taken.emit(False)
            return
        buffer = QBuffer(self)
        buffer.setData(QByteArray(pdf))
        buffer.open(QBuffer.OpenModeFlag.ReadOnly)
        self._document = QPdfDocument(self)
        self._document.load(buffer)
        if self._document.pageCount() < 1:
            self.taken.emit(False)
            return
        wide, high = self._size
        fine = min(FINEST, math.sqrt(MOST_DOTS / (wide * high)))
        # In a thread of its own: a page of many lines takes a second.
        self._renderer = QPdfPageRenderer(self)
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.setDocument(self._document)
        self._renderer.pageRendered.connect(
            lambda _page, _size, image, *_: self._drawn(html, image, fine)
        )
        self._renderer.requestPage(0, QSize(round(wide * fine), round(high * fine)))

    def _drawn(self, html: str, image: QImage, fine: float) -> None:
        if html == self._html:
            picture = QImage(image)
            picture.setDevicePixelRatio(fine)
            _keep(html, picture, self._drawing)
            self.taken.emit(True)
