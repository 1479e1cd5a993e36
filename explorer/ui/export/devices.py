"""What pictures are painted on: files of PNG, SVG and PDF, in millimetres.

Letters in an SVG are text that keeps its place under any font: a number that stands at the right
of a column ends there. As outlines they are shapes, the same in every program.
"""

import html
import re
from typing import Any

from PySide6.QtCore import (
    QBuffer,
    QIODevice,
    QMarginsF,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from explorer.text.bidi import runs_from_right
from explorer.ui.blocks.figure import Figure
from explorer.ui.export.metadata import NOTHING, Metadata
from explorer.ui.theme.schemes import FontRole, Theme, theme_of

INCH = 25.4
DPI = 96.0
PIXEL = INCH / DPI
"""Millimetres of a logical pixel on screen, as in CSS."""
PDF_DOTS = 1200
"""An inch, in which a PDF's places are counted."""
LARGEST = 32_000
"""Pixels a side of a PNG; a larger one is scaled down to fit."""

LINE = 240.0
"""Pixels from which on a text is a line, that keeps its width under any font."""

FAMILIES: dict[FontRole, str] = {"mono": "monospace"}
"""Generic families of CSS, by role; any other is SANS."""
SANS = "sans-serif"

_TEXT = re.compile(
    r'<text (fill=".*?" fill-opacity=".*?"|fill=".*?") .*?>~(\d+)~</text>', re.DOTALL
)
_SIZE = re.compile(r'<svg width=".*?" height=".*?"')


def _baseline(box: QRectF, metrics: QFontMetricsF) -> float:
    """Of one line in the middle of a box."""
    return box.top() + (box.height() - metrics.height()) / 2 + metrics.ascent()


def _outlined(
    painter: QPainter,
    box: QRectF,
    text: str,
    role: FontRole,
    align: Qt.AlignmentFlag,
    _whole: str,
) -> None:
    """Letters as shapes."""
    font = Theme.font(role)
    metrics = QFontMetricsF(font)
    wide = metrics.horizontalAdvance(text)
    x = box.left()
    if align == Qt.AlignmentFlag.AlignRight:
        x = box.right() - wide
    elif align == Qt.AlignmentFlag.AlignHCenter:
        x = box.center().x() - wide / 2
    path = QPainterPath()
    path.addText(QPointF(x, _baseline(box, metrics)), font, text)
    painter.fillPath(path, painter.pen().color())


class _Svg(QSvgGenerator):
    """Leaves a mark where text stands, which is replaced by it at the end.

    Qt writes every text from its left edge, in the family that the system calls its own.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        role: FontRole,
        align: Qt.AlignmentFlag,
        _whole: str,
    ) -> None:
        """Note a text, with its place by its left end, its middle or its right end."""
        font = Theme.font(role)
        y = _baseline(box, QFontMetricsF(font))
        # Ends of a text are its first and its last letter, wherever those stand.
        leftward = runs_from_right(text)
        first, last = ("end", "start") if leftward else ("start", "end")
        x, anchor = box.left(), first
        if align == Qt.AlignmentFlag.AlignRight:
            x, anchor = box.right(), last
        elif align == Qt.AlignmentFlag.AlignHCenter:
            x, anchor = box.center().x(), "middle"
        turned = ' direction="rtl"' if leftward else ""
        wide = QFontMetricsF(font).horizontalAdvance(text)
        # Elsewhere another font has wider letters, and the end of a line would be cut off.
        length = f' textLength="{wide:.0f}" lengthAdjust="spacingAndGlyphs"' if wide > LINE else ""
        weight = font.weight()
        self.texts.append(
            f'x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"{turned}{length}'
            f' font-family="{FAMILIES.get(role, SANS)}" font-size="{font.pixelSize()}"'
            f' font-weight="{int(weight)}" stroke="none" xml:space="preserve"'
            f">{html.escape(text, quote=False)}"
        )
        painter.drawText(QPointF(x, y), f"~{len(self.texts) - 1}~")


class _OutlinedSvg(QSvgGenerator):
    """Writes letters as shapes."""

    def write(self, *what: Any) -> None:
        """Draw a text's letters."""
        _outlined(*what)


class _OutlinedPdf(QPdfWriter):
    """Writes letters as shapes."""

    def write(self, *what: Any) -> None:
        """Draw a text's letters."""
        _outlined(*what)


def _paint(figure: Figure, painter: QPainter) -> None:
    """Paint a picture, and let go of its device whatever that raises: Qt ends the process else."""
    try:
        figure.paint(painter)
    finally:
        painter.end()


def figure_svg(
    figure: Figure,
    told: Metadata,
    millimetres: float = PIXEL,
    *,
    outlines: bool = False,
) -> bytes:
    """A picture as the bytes of an SVG file.

    Args:
        figure: The picture.
        told: What the file says of itself.
        millimetres: Of a logical pixel on paper.
        outlines: Letters are shapes.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = _OutlinedSvg() if outlines else _Svg()
    generator.setOutputDevice(buffer)
    generator.setTitle(told.title)
    generator.setDescription(told.said)
    generator.setSize(QSize(round(figure.width), round(figure.height + 0.5)))
    generator.setViewBox(QRectF(0, 0, figure.width, figure.height))
    painter = QPainter(generator)
    _paint(figure, painter)
    text = bytes(buffer.data().data()).decode("utf-8")
    wide, high = figure.width * millimetres, figure.height * millimetres
    text = _SIZE.sub(f'<svg width="{wide:.4g}mm" height="{high:.5g}mm"', text, count=1)
    # Alignment and direction of text are of the full language, not of the tiny one.
    text = text.replace(' version="1.2" baseProfile="tiny"', ' version="1.1"', 1)
    texts = getattr(generator, "texts", [])
    text = _TEXT.sub(lambda mark: f"<text {mark[1]} {texts[int(mark[2])]}</text>", text)
    return told.in_svg(text).encode("utf-8")


def figure_pdf(
    figure: Figure,
    told: Metadata,
    millimetres: float = PIXEL,
    *,
    outlines: bool = False,
) -> bytes:
    """A picture as the bytes of a PDF of one page, as large as the picture.

    Args:
        figure: The picture.
        told: What the file says of itself.
        millimetres: Of a logical pixel on paper.
        outlines: Letters are shapes.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _OutlinedPdf(buffer) if outlines else QPdfWriter(buffer)
    told.begin(writer)
    writer.setResolution(PDF_DOTS)
    size = QSizeF(figure.width * millimetres, figure.height * millimetres)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Millimeter, told.title, exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.scale(millimetres / INCH * PDF_DOTS, millimetres / INCH * PDF_DOTS)
    _paint(figure, painter)
    return told.in_pdf(_exactly(bytes(buffer.data().data()), size))


def _exactly(pdf: bytes, size: QSizeF) -> bytes:
    """A page is as large as it should be: Qt rounds it to whole points.

    Only digits change, so that nothing in the file moves.
    """
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    if found is None:
        return pdf
    whole = [f"{one * 72 / INCH:.6f}".encode() for one in (size.width(), size.height())]
    if any(len(new) != len(old) for new, old in zip(whole, found.groups(), strict=True)):
        return pdf
    new = b"/MediaBox [0 0 " + b" ".join(whole) + b"]"
    return pdf[: found.start()] + new + pdf[found.end() :]


def figure_image(figure: Figure, dpi: float, millimetres: float = PIXEL) -> QImage:
    """A picture as an image; smaller than asked for where it would be too large."""
    scale = min(dpi * millimetres / INCH, LARGEST / max(figure.width, figure.height))
    size = QSizeF(figure.width * scale, figure.height * scale).toSize()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme_of("light").surface)
    a_metre = round(scale / millimetres * 1000)
    image.setDotsPerMeterX(a_metre)
    image.setDotsPerMeterY(a_metre)
    painter = QPainter(image)
    painter.scale(scale, scale)
    _paint(figure, painter)
    return image


def png_bytes(image: QImage, told: Metadata = NOTHING) -> bytes:
    """An image as the bytes of a PNG file.

    Args:
        image: The picture.
        told: What the file says of itself.
    """
    told.in_image(image)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())
