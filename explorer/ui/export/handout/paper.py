"""A lecture as a PDF on sheets of A4 in two columns, letters as letters and lines as lines."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QColor, QPageSize, QPainter, QPdfWriter

from explorer.export_choices import MILLIMETRES
from explorer.text import _
from explorer.ui.export.devices import INCH, PDF_DOTS
from explorer.ui.export.handout.breaking import slices
from explorer.ui.export.handout.content import HandoutStep, Section
from explorer.ui.export.metadata import Metadata
from explorer.ui.export.paper import PaperPicture
from explorer.ui.theme.schemes import FontRole, theme_of
from explorer.ui.typesetting.one_line import text_height
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

COLUMNS, WIDE, APART = 2, MILLIMETRES["column"], 8.0
"""How many stand side by side, and millimetres of each and between them."""
MARGIN = (210.0 - COLUMNS * WIDE - APART) / 2
HIGH = 297.0 - 2 * MARGIN
"""Millimetres around what is printed on a sheet, and of a column."""
PIXEL = 0.23
"""Millimetres of a logical pixel of the texts: their letters have 8 points."""
GAP = 8.0
LEAST = 60.0
"""Millimetres of a column below which a picture that goes on overleaf does not begin there."""


def pdf_handout(title: str, sections: Sequence[Section], below: str = "") -> bytes:
    """The sheets, as the bytes of a file.

    Args:
        title: The lecture's.
        sections: Its scenes.
        below: What is said at the end of all pictures.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    pictures = [one.picture for section in sections for one in section.parts if one.picture]
    captions = dict.fromkeys(one.caption for one in pictures)
    keywords = dict.fromkeys(itertools.chain.from_iterable(one.keywords for one in pictures))
    told = Metadata(title, "\n".join(filter(None, (*captions, below))), tuple(keywords))
    told.begin(writer)
    writer.setResolution(PDF_DOTS)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    sheets = _Sheets(writer, painter)
    sheets.put(_Paragraph(title, "heading"))
    for section in sections:
        head = [_Paragraph(section.chapter, "heading", 2 * GAP)] if section.chapter else []
        head.append(_Paragraph(section.scene.title(), "title", GAP))
        sources = section.scene.cited
        source = [_Paragraph(_("Source: {sources}", sources=sources), "small", muted=True)]
        for part in section.parts:
            is_last = part is section.parts[-1] and bool(sources)
            under = [*_below(part), *(source if is_last else [])]
            sheets.together([*head, *_above(part)], part, under)
            head = []
    if below:
        sheets.put(_Paragraph(below, "small", GAP, muted=True))
    painter.end()
    pages = tuple(" ".join(one) for one in sheets.said)
    return replace(told, pages=pages).in_pdf(bytes(buffer.data().data()))


@dataclass(frozen=True)
class _Paragraph:
    """A paragraph.

    Attributes:
        text: Its words.
        role: Its letters.
        room: Logical pixels of room above it.
        muted: In grey.
    """

    text: str
    role: FontRole = "body"
    room: float = 2.0
    muted: bool = False

    @property
    def lines(self) -> list[str]:
        return wrapped_lines(self.role, self.text, WIDE / PIXEL)

    @property
    def height(self) -> float:
        return self.room + len(self.lines) * text_height(self.role)


def _above(part: HandoutStep) -> list[_Paragraph]:
    return [
        _Paragraph(f"{number}. {one}", room=GAP if number == 1 else 2.0)
        for number, one in enumerate(part.look, 1)
    ]


def _below(part: HandoutStep) -> Iterator[_Paragraph]:
    if part.picture is not None:
        yield _Paragraph(part.picture.caption, "small", muted=True)
    for told in (part.verdict, part.trouble):
        if told:
            yield _Paragraph(told, "strong", GAP / 2)


class _Sheets:
    """Columns that are filled from the top, one after the other.

    Attributes:
        said: Of each what stands on it, in reading order.
    """

    def __init__(self, writer: QPdfWriter, painter: QPainter) -> None:
        self._writer, self._painter = writer, painter
        self._y, self._column = 0.0, 0
        self._theme = theme_of("light")
        self.said: list[list[str]] = [[]]

    def put(self, words: _Paragraph) -> None:
        """A paragraph, on the next sheet where there is no room for it."""
        if self._y + words.height * PIXEL > HIGH and self._y:
            self._turn()
        self.said[-1].append(words.text)
        above = words.room if self._y else 0.0
        box = QRectF(0, above, WIDE / PIXEL, words.height)
        colour: QColor = self._theme.muted if words.muted else self._theme.text
        self._at(self._y, PIXEL)
        draw_lines(self._painter, box, words.lines, words.role, colour)
        self._painter.restore()
        self._y += (words.height - words.room + above) * PIXEL

    def together(
        self, above: Sequence[_Paragraph], part: HandoutStep, below: Sequence[_Paragraph]
    ) -> None:
        """A picture with what stands above and below it, on one sheet if they can."""
        printed = part.picture
        text = sum(one.height for one in (*above, *below)) * PIXEL + 2 * GAP * PIXEL
        # Nothing is made smaller to stand on one sheet: its type has the least size already.
        high = 0.0 if printed is None else printed.height
        fits = text + high <= HIGH
        if self._y and self._y + (text + high if fits else text + LEAST) > HIGH:
            self._turn()
        for one in above:
            self.put(one)
        if printed is not None:
            self._y += GAP * PIXEL
            self._figure(printed)
            self._y += GAP * PIXEL
        for one in below:
            self.put(one)

    def _figure(self, printed: PaperPicture) -> None:
        """A picture; what is higher than a sheet goes on overleaf between two parts."""
        figure, pixel = printed.figure, printed.millimetres
        done, room = 0.0, (HIGH - self._y) / pixel
        for number, part in enumerate(slices(figure, room, HIGH / pixel, self._theme)):
            if number:
                self._turn()
            if part:
                self._at(self._y, pixel)
                self._painter.setClipRect(QRectF(0, 0, figure.width, part))
                self._painter.translate(0, -done)
                figure.paint(self._painter)
                self._painter.restore()
                if not done:
                    self.said[-1].append(printed.words)
                elif self._column == 0:
                    self.said[-1].append(_("{title}, continued.", title=printed.title))
            done += part
            self._y += part * pixel

    def _turn(self) -> None:
        """Begin the next column, on the next sheet after the last one of this."""
        self._y, self._column = 0.0, (self._column + 1) % COLUMNS
        if self._column == 0:
            self._writer.newPage()
            self.said.append([])

    def _at(self, y: float, pixel: float) -> None:
        dots = PDF_DOTS / INCH
        self._painter.save()
        self._painter.scale(dots, dots)
        self._painter.translate(MARGIN + self._column * (WIDE + APART), MARGIN + y)
        self._painter.scale(pixel, pixel)
